#include "burin/tensor.h"

#include <cstdint>
#include <vector>

#include "burin/model.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/api/toy_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::HasSubstr;

TEST(TensorTest, IsMadeForAPort) {
  Model model = ToyModel();
  EXPECT_THAT(CreateTensor(*model.input(0)), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"x\" f32[n,3]")));
  ASSERT_OK(model.SetLayout("x", "NC"));
  ASSERT_OK(model.SetBatch(Dimension(2)));
  ASSERT_OK_AND_ASSIGN(const Tensor owned, CreateTensor(*model.input(0)));
  EXPECT_EQ(owned.element_type(), ElementType::kF32);
  EXPECT_EQ(owned.shape(), (Shape{2, 3}));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(owned.data()) % 64, 0u);
  std::vector<float> memory(6, 1);
  ASSERT_OK_AND_ASSIGN(const Tensor view, ViewTensor(*model.output(0), memory.data()));
  EXPECT_EQ(view.data(), memory.data());
  EXPECT_EQ(view.shape(), (Shape{2, 3}));
  EXPECT_THAT(ViewTensor(*model.input(0), nullptr), StatusIs(absl::StatusCode::kInvalidArgument));
}

// What the facade's tensors do is that of ir::Tensor, whose tests are in ir/; this is how a user writes it.
TEST(TensorTest, PartsOfTheCallersMemoryAreTensors) {
  std::vector<int32_t> image(24);
  for (size_t i = 0; i < image.size(); ++i) image[i] = static_cast<int32_t>(i);
  // Four rows of six, of which the last two columns are padding.
  ASSERT_OK_AND_ASSIGN(const Tensor view, Tensor::View(ElementType::kI32, {4, 4}, image.data(), {24, 4}));
  ASSERT_OK_AND_ASSIGN(const Tensor part, view.Region({1, 1}, {3, 3}));
  EXPECT_FALSE(part.is_dense());
  ASSERT_OK_AND_ASSIGN(const Tensor copy, part.Copy());
  ASSERT_OK_AND_ASSIGN(const int32_t* values, copy.CheckedData<int32_t>());
  EXPECT_EQ(std::vector<int32_t>(values, values + 4), (std::vector<int32_t>{7, 8, 13, 14}));
}

}  // namespace
}  // namespace burin

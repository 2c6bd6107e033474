#include "runtime/plugins/cpu/nodes/dense/dense_epilogue.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "jit/kernels/epilogue_emitter.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

// The first result is of f16, the second of f32.
constexpr char kBody[] = R"(model "body" {
  %0 "acc" = Parameter() {element_type = f32, shape = [m, n]}
  %1 "bias" = Parameter() {element_type = f32, shape = [1, n]}
  %2 "residual" = Parameter() {element_type = f32, shape = [m, n]}
  %3 "scale" = Parameter() {element_type = f32, shape = [m, 1]}
  %4 = Add(%0, %1)
  %5 = Multiply(%4, %3)
  %6 = Add(%5, %2)
  %7 = Constant() {value = f32[1, 3]{1, 2, 3}}
  %8 = Convert(%6) {destination_type = f16}
  %9 = Result(%8)
  %10 = Result(%6)
})";

std::shared_ptr<const DenseEpilogue> Made(absl::string_view text, std::vector<int> inputs) {
  absl::StatusOr<std::shared_ptr<const DenseEpilogue>> made =
      DenseEpilogue::Create(*ParseOrDie(text), std::move(inputs));
  EXPECT_OK(made.status());
  return *std::move(made);
}

TEST(DenseEpilogueTest, KnowsWhatItReads) {
  const std::shared_ptr<const DenseEpilogue> epilogue = Made(kBody, {2, 4, 3});
  EXPECT_TRUE(epilogue->Reads(2));
  EXPECT_FALSE(epilogue->Reads(1));
  EXPECT_FALSE(epilogue->IsFull(2));
  EXPECT_TRUE(epilogue->IsFull(4));
  EXPECT_FALSE(epilogue->IsFull(3));
  EXPECT_FALSE(epilogue->IsFull(0));
  EXPECT_EQ(epilogue->SumsOutput(), 1);
}

TEST(DenseEpilogueTest, RunsOverWhatLiesAlike) {
  const std::shared_ptr<const DenseEpilogue> epilogue = Made(kBody, {2, 4, 3});
  EXPECT_TRUE(epilogue->MayRunInPlace(4, 1));
  // Of another type, and of one value for each column.
  EXPECT_FALSE(epilogue->MayRunInPlace(4, 0));
  EXPECT_FALSE(epilogue->MayRunInPlace(2, 1));
  EXPECT_FALSE(epilogue->MayRunInPlace(7, 1));
}

TEST(DenseEpilogueTest, PlacesAreInTheOrderOfOperands) {
  const std::shared_ptr<const DenseEpilogue> epilogue = Made(kBody, {2, 4, 3});
  ASSERT_EQ(epilogue->operand_count(), 5);
  float values[5] = {};
  const std::vector<const void*> inputs = {nullptr, nullptr, &values[0], &values[1], &values[2]};
  const std::vector<void*> outputs = {&values[3], &values[4]};
  std::vector<jit::EpiloguePlace> places(5);
  epilogue->Resolve(inputs, outputs, 7, places.data());
  EXPECT_EQ(places[0].data, &values[0]);
  EXPECT_EQ(places[1].data, &values[2]);
  EXPECT_EQ(places[1].row_stride, 7 * 4);
  EXPECT_EQ(places[2].data, &values[1]);
  EXPECT_EQ(places[2].row_stride, 4);
  EXPECT_EQ(places[3].data, &values[3]);
  EXPECT_EQ(places[3].row_stride, 7 * 2);
  EXPECT_EQ(places[4].data, &values[4]);
  EXPECT_EQ(places[4].row_stride, 7 * 4);
}

TEST(DenseEpilogueTest, ResultsHaveAllElements) {
  const std::unique_ptr<ir::Model> body = ParseOrDie(R"(model "body" {
    %0 "acc" = Parameter() {element_type = f32, shape = [m, n]}
    %1 "bias" = Parameter() {element_type = f32, shape = [1, n]}
    %2 = Relu(%1)
    %3 = Add(%0, %2)
    %4 = Result(%3)
    %5 = Result(%2)
  })");
  EXPECT_THAT(DenseEpilogue::Create(*body, {1}).status(), StatusIs(absl::StatusCode::kUnimplemented));
}

}  // namespace
}  // namespace burin::cpu

#include "tools/bisect/data_set_writer.h"

#include <string>

#include "base/element_type.h"
#include "gtest/gtest.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"
#include "tools/check/data_set.h"

namespace burin::bisect {
namespace {

TEST(DataSetWriterTest, ReadsBackEveryType) {
  check::DataSet data;
  for (const ElementType type : {ElementType::kF32, ElementType::kF16, ElementType::kBf16, ElementType::kI64,
                                 ElementType::kU8, ElementType::kBoolean, ElementType::kI4}) {
    ASSERT_OK_AND_ASSIGN(ir::Tensor tensor, ir::Tensor::CreateZeroed(type, {2, 4}));
    static_cast<char*>(tensor.mutable_data())[0] = 1;
    data.inputs.push_back(tensor);
  }
  ASSERT_OK_AND_ASSIGN(ir::Tensor scalar, ir::Tensor::CreateZeroed(ElementType::kF64, {}));
  data.outputs.push_back(scalar);
  const std::string folder = testing::TempDir() + "/new/folder";
  ASSERT_OK(WriteDataSet(folder, data));
  ASSERT_OK_AND_ASSIGN(const check::DataSet read, check::ReadDataSet(folder));
  ASSERT_EQ(read.inputs.size(), data.inputs.size());
  for (size_t i = 0; i < data.inputs.size(); ++i) EXPECT_TRUE(ir::BitwiseEqual(read.inputs[i], data.inputs[i])) << i;
  ASSERT_EQ(read.outputs.size(), 1u);
  EXPECT_TRUE(ir::BitwiseEqual(read.outputs[0], scalar));
}

}  // namespace
}  // namespace burin::bisect

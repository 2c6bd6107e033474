#include "tools/check/data_set.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/dev/port.h"
#include "testing/gtest/status_matchers.h"

namespace burin::check {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// TensorProto{dims: 2, data_type: FLOAT, raw_data: 1.0f, 2.0f}.
const std::string kTwoFloats("\x08\x02\x10\x01\x4a\x08\x00\x00\x80\x3f\x00\x00\x00\x40", 14);

std::string Folder(const std::string& name) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/", name);
  std::filesystem::create_directories(path);
  return path;
}

TEST(DataSetTest, FindsSetsInOrderOfNumber) {
  const std::string folder = Folder("sets");
  for (const char* name : {"test_data_set_10", "test_data_set_2", "test_data_set_x", "other"}) {
    Folder(absl::StrCat("sets/", name));
  }
  EXPECT_THAT(FindDataSets(folder).value(), ElementsAre(folder + "/test_data_set_2", folder + "/test_data_set_10"));
  EXPECT_THAT(FindDataSets(Folder("none")).status(), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(FindDataSets(folder + "/missing").status(), StatusIs(absl::StatusCode::kNotFound));
}

TEST(DataSetTest, AFolderWithTensorsIsASet) {
  const std::string folder = Folder("one");
  ASSERT_OK(WriteFileAtomically(folder + "/input_0.pb", kTwoFloats));
  ASSERT_OK(WriteFileAtomically(folder + "/input_1.pb", kTwoFloats));
  ASSERT_OK(WriteFileAtomically(folder + "/output_0.pb", kTwoFloats));
  EXPECT_THAT(FindDataSets(folder).value(), ElementsAre(folder));
  ASSERT_OK_AND_ASSIGN(DataSet data, ReadDataSet(folder));
  EXPECT_THAT(data.inputs, SizeIs(2));
  ASSERT_THAT(data.outputs, SizeIs(1));
  EXPECT_EQ(data.outputs[0].data_as<float>()[1], 2);
}

TEST(DataSetTest, DamagedFilesAreNamed) {
  const std::string folder = Folder("damaged");
  ASSERT_OK(WriteFileAtomically(folder + "/input_0.pb", kTwoFloats.substr(0, 9)));
  EXPECT_THAT(ReadDataSet(folder).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("damaged/input_0.pb")));
}

Port MakePort(ElementType type, ir::PartialShape shape) {
  Port port;
  port.names = {"x"};
  port.element_type = type;
  port.shape = std::move(shape);
  return port;
}

TEST(DataSetTest, MadeUpInputsRespectTypesIntervalsAndTheSeed) {
  const std::vector<Port> ports = {
      MakePort(ElementType::kF32, {ir::Dimension(), 3, ir::Dimension(), ir::Dimension(2, 8), ir::Dimension(100, 200)}),
      MakePort(ElementType::kI64, {1000}), MakePort(ElementType::kU8, {1000}), MakePort(ElementType::kBoolean, {10})};
  ASSERT_OK_AND_ASSIGN(DataSet data, MakeDataSet(ports, 7));
  ASSERT_THAT(data.inputs, SizeIs(4));
  EXPECT_EQ(data.inputs[0].shape(), (ir::Shape{1, 3, 64, 8, 100}));
  bool wide = false;
  for (int64_t i = 0; i < 1000; ++i) {
    EXPECT_LE(LoadAsInt64(ElementType::kI64, data.inputs[1].data(), i), 1);
    EXPECT_GE(LoadAsInt64(ElementType::kI64, data.inputs[1].data(), i), 0);
    wide = wide || LoadAsInt64(ElementType::kU8, data.inputs[2].data(), i) > 200;
    EXPECT_LT(LoadAsDouble(ElementType::kF32, data.inputs[0].data(), i), 1);
    EXPECT_GE(LoadAsDouble(ElementType::kF32, data.inputs[0].data(), i), -1);
  }
  EXPECT_TRUE(wide);
  EXPECT_TRUE(BitwiseEqual(data.inputs[0], MakeDataSet(ports, 7)->inputs[0]));
  EXPECT_FALSE(BitwiseEqual(data.inputs[0], MakeDataSet(ports, 8)->inputs[0]));
  EXPECT_THAT(MakeDataSet({MakePort(ElementType::kF32, ir::PartialShape::DynamicRank())}, 1).status(),
              StatusIs(absl::StatusCode::kUnimplemented));
}

}  // namespace
}  // namespace burin::check

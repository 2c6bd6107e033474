#include "runtime/readers/onnx/onnx_reader.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/storage.h"
#include "ir/tensor.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ::testing::HasSubstr;

// x + w, with w in a file beside the model.
std::string FileWithExternalData(const std::string& location) {
  OnnxFile file(17);
  file.Input("x", kFloat, {2});
  ::onnx::TensorProto& tensor = *file.graph().add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(kFloat);
  tensor.add_dims(2);
  tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
  ::onnx::StringStringEntryProto& entry = *tensor.add_external_data();
  entry.set_key("location");
  entry.set_value(location);
  file.Node("Add", {"x", "w"}, {"y"});
  file.Output("y", kFloat);
  return file.Bytes();
}

std::shared_ptr<ir::Storage> StorageOf(std::string bytes) {
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  return ir::Storage::Borrow(owner, owner->data(), owner->size());
}

// Expects that the model computes x + {10, 20}.
void ExpectAddsTenAndTwenty(const ir::Model& model) {
  ASSERT_OK_AND_ASSIGN(const ir::Evaluator evaluator, ir::Evaluator::Create(model));
  ASSERT_OK_AND_ASSIGN(const auto outputs, evaluator.Run({F32({2}, {1, 2})}));
  ir::ExpectTensorEq(outputs[0], F32({2}, {11, 22}));
}

TEST(OnnxReaderTest, ReadsWhatLiesInTheFolder) {
  const std::string folder = ::testing::TempDir();
  const ir::Tensor w = F32({2}, {10, 20});
  ASSERT_OK(
      WriteFileAtomically(folder + "/w.bin", absl::string_view(static_cast<const char*>(w.data()), w.byte_size())));
  for (const bool use_mmap : {false, true}) {
    ASSERT_OK_AND_ASSIGN(const auto model,
                         ReadOnnxModelFromBytes(StorageOf(FileWithExternalData("w.bin")), folder, use_mmap));
    ExpectAddsTenAndTwenty(*model);
  }
  EXPECT_THAT(ReadOnnxModelFromBytes(StorageOf(FileWithExternalData("../w.bin")), folder),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("../w.bin")));
}

TEST(OnnxReaderTest, ExternalDataMayLieInATensor) {
  const ir::Tensor w = F32({2}, {10, 20});
  ASSERT_OK_AND_ASSIGN(const auto model, ReadOnnxModelFromMemory(StorageOf(FileWithExternalData("any.bin")), w));
  ExpectAddsTenAndTwenty(*model);
  const ir::NodeId sum = model->node(model->results()[0]).input(0).node;
  const ir::Tensor& constant = model->info(model->node(sum).input(1)).constant;
  EXPECT_EQ(constant.data(), w.data());
  EXPECT_TRUE(constant.read_only());
  ASSERT_OK_AND_ASSIGN(const ir::Tensor gaps, F32({2, 2}, {1, 2, 3, 4}).Region({0, 0}, {2, 1}));
  EXPECT_THAT(ReadOnnxModelFromMemory(StorageOf(FileWithExternalData("any.bin")), gaps),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("dense")));
  EXPECT_THAT(ReadOnnxModelFromMemory(StorageOf(FileWithExternalData("any.bin")), ir::Tensor()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("any.bin")));
  EXPECT_THAT(ReadOnnxModelFromMemory(StorageOf(FileWithExternalData("any.bin")), F32({1}, {10})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("past the end")));
}

TEST(OnnxReaderTest, EmptyBytesAreNoModel) { EXPECT_THAT(ReadBytes(""), StatusIs(absl::StatusCode::kInvalidArgument)); }

TEST(OnnxReaderTest, ConstantsPointIntoTheFile) {
  OnnxFile file(17);
  file.Initializer("w", ir::U8({64}, std::vector<int64_t>(64, 7)));
  file.Node("Identity", {"w"}, {"y"});
  file.Output("y", kUint8);
  const auto bytes = std::make_shared<const std::string>(file.Bytes());
  ASSERT_OK_AND_ASSIGN(const auto model,
                       ReadOnnxModelFromBytes(ir::Storage::Borrow(bytes, bytes->data(), bytes->size()), ""));
  const ir::Tensor& w = model->info(model->node(model->results()[0]).input(0)).constant;
  EXPECT_GE(w.data(), bytes->data());
  EXPECT_LT(w.data(), bytes->data() + bytes->size());
}

TEST(OnnxReaderTest, ReadsATensor) {
  const auto bytes = std::make_shared<const std::string>(ToProto(F32({2}, {1, 2}), "name").SerializeAsString());
  std::string name;
  ASSERT_OK_AND_ASSIGN(const ir::Tensor tensor,
                       ReadOnnxTensor(ir::Storage::Borrow(bytes, bytes->data(), bytes->size()), &name));
  ir::ExpectTensorEq(tensor, F32({2}, {1, 2}));
  EXPECT_EQ(name, "name");
}

TEST(OnnxReaderTest, TensorsAreAligned) {
  // Large enough for a model to leave it where it lies.
  ::onnx::TensorProto proto;
  proto.set_data_type(1);
  proto.add_dims(int64_t{1} << 18);
  proto.set_raw_data(std::string(size_t{1} << 20, '\1'));
  for (size_t shift = 0; shift < 4; ++shift) {
    const auto bytes = std::make_shared<const std::string>(std::string(shift, ' ') + proto.SerializeAsString());
    ASSERT_OK_AND_ASSIGN(
        const ir::Tensor tensor,
        ReadOnnxTensor(ir::Storage::Borrow(bytes, bytes->data() + shift, bytes->size() - shift), nullptr));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data()) % alignof(float), 0u);
  }
}

TEST(OnnxReaderTest, LooksAtTheFirstBytes) {
  EXPECT_TRUE(LooksLikeOnnx(OnnxFile(17).Bytes()));
  EXPECT_FALSE(LooksLikeOnnx("<?xml version=\"1.0\"?>"));
}

}  // namespace
}  // namespace burin::onnx

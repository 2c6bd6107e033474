#include "runtime/readers/onnx/tensor_import.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/element_access.h"
#include "base/element_type.h"
#include "base/file.h"
#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

// Decodes and imports a message, whose bytes live as long as the result.
absl::StatusOr<ir::Tensor> Import(const ::onnx::TensorProto& proto, const std::string& folder = "") {
  const auto bytes = std::make_shared<const std::string>(proto.SerializeAsString());
  ReadBudget budget(bytes->size());
  absl::StatusOr<TensorMessage> message = DecodeTensor(*bytes, &budget);
  if (!message.ok()) return message.status();
  return TensorImporter(bytes, ExternalSource{folder}, &budget).Import(*message);
}

::onnx::TensorProto Empty(int data_type, const std::vector<int64_t>& dims) {
  ::onnx::TensorProto proto;
  proto.set_name("t");
  proto.set_data_type(data_type);
  for (const int64_t dim : dims) proto.add_dims(dim);
  return proto;
}

TEST(TensorImportTest, ReadsRawDataOfEveryType) {
  for (const ElementType type : kAllElementTypes) {
    if (type == ElementType::kString) continue;
    SCOPED_TRACE(std::string(Name(type)));
    ASSERT_OK_AND_ASSIGN(const ir::Tensor tensor, ir::Tensor::CreateZeroed(type, {3, 5}));
    std::memset(tensor.mutable_data(), 0x01, tensor.byte_size());
    ASSERT_OK_AND_ASSIGN(const ir::Tensor read, Import(ToProto(tensor)));
    EXPECT_TRUE(ir::BitwiseEqual(read, tensor));
  }
}

TEST(TensorImportTest, ReadsTypedLists) {
  ::onnx::TensorProto f32 = Empty(1, {2});
  f32.add_float_data(1.5f);
  f32.add_float_data(-2);
  ASSERT_OK_AND_ASSIGN(ir::Tensor tensor, Import(f32));
  ir::ExpectTensorEq(tensor, ir::F32({2}, {1.5, -2}));

  ::onnx::TensorProto i8 = Empty(3, {3});
  for (const int value : {-128, -1, 127}) i8.add_int32_data(value);
  ASSERT_OK_AND_ASSIGN(tensor, Import(i8));
  ir::ExpectTensorEq(tensor, ir::I8({3}, {-128, -1, 127}));

  ::onnx::TensorProto f16 = Empty(10, {2});
  f16.add_int32_data(0x3c00);
  f16.add_int32_data(0xc000);
  ASSERT_OK_AND_ASSIGN(tensor, Import(f16));
  ir::ExpectTensorEq(tensor, ir::F16({2}, {1, -2}));

  ::onnx::TensorProto i64 = Empty(7, {2, 1});
  i64.add_int64_data(INT64_MIN);
  i64.add_int64_data(5);
  ASSERT_OK_AND_ASSIGN(tensor, Import(i64));
  ir::ExpectTensorEq(tensor, ir::I64({2, 1}, {INT64_MIN, 5}));

  ::onnx::TensorProto u32 = Empty(12, {1});
  u32.add_uint64_data(4000000000u);
  ASSERT_OK_AND_ASSIGN(tensor, Import(u32));
  ir::ExpectTensorEq(tensor, ir::IntTensor(ElementType::kU32, {1}, {4000000000}));

  ::onnx::TensorProto f64 = Empty(11, {});
  f64.add_double_data(0.1);
  ASSERT_OK_AND_ASSIGN(tensor, Import(f64));
  ir::ExpectTensorEq(tensor, ir::F64({}, {0.1}));

  // Two to a byte, one byte to an entry.
  ::onnx::TensorProto u4 = Empty(21, {3});
  u4.add_int32_data(0x21);
  u4.add_int32_data(0x03);
  ASSERT_OK_AND_ASSIGN(tensor, Import(u4));
  ir::ExpectTensorEq(tensor, ir::IntTensor(ElementType::kU4, {3}, {1, 2, 3}));
}

TEST(TensorImportTest, ReadsEmptyTensors) {
  ASSERT_OK_AND_ASSIGN(const ir::Tensor tensor, Import(Empty(1, {0, 4})));
  EXPECT_EQ(tensor.element_count(), 0);
}

TEST(TensorImportTest, AlignedRawDataIsNotCopied) {
  alignas(64) static char bytes[128] = {};
  TensorMessage message;
  message.data_type = kFloat;
  message.dims = {4};
  message.has_raw_data = true;
  ReadBudget budget(0);
  TensorImporter importer(nullptr, ExternalSource(), &budget);
  message.raw_data = absl::string_view(bytes + 8, 16);
  ASSERT_OK_AND_ASSIGN(const ir::Tensor aligned, importer.Import(message));
  EXPECT_EQ(aligned.data(), bytes + 8);
  message.raw_data = absl::string_view(bytes + 9, 16);
  ASSERT_OK_AND_ASSIGN(const ir::Tensor unaligned, importer.Import(message));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(unaligned.data()) % alignof(float), 0u);
}

TEST(TensorImportTest, LargeRawDataIsNeverCopied) {
  const std::vector<char> bytes((size_t{1} << 20) + 64, 1);
  TensorMessage message;
  message.data_type = kFloat;
  message.dims = {int64_t{1} << 18};
  message.has_raw_data = true;
  ReadBudget budget(0);
  TensorImporter importer(nullptr, ExternalSource(), &budget);
  message.raw_data = absl::string_view(bytes.data() + 1, size_t{1} << 20);
  ASSERT_OK_AND_ASSIGN(const ir::Tensor unaligned, importer.Import(message));
  EXPECT_EQ(unaligned.data(), bytes.data() + 1);
  EXPECT_EQ(LoadAsDouble(ElementType::kF32, unaligned.data(), 5), LoadAsDouble(ElementType::kF32, bytes.data(), 0));
}

TEST(TensorImportTest, RefusesWrongSizes) {
  ::onnx::TensorProto raw = Empty(1, {3});
  raw.set_raw_data(std::string(11, '\0'));
  EXPECT_THAT(Import(raw), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Tensor \"t\"")));
  ::onnx::TensorProto few = Empty(1, {3});
  few.add_float_data(1);
  EXPECT_THAT(Import(few), StatusIs(absl::StatusCode::kInvalidArgument));
  ::onnx::TensorProto many = Empty(7, {1});
  many.add_int64_data(1);
  many.add_int64_data(1);
  EXPECT_THAT(Import(many), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(TensorImportTest, RefusesImpossibleShapes) {
  EXPECT_THAT(Import(Empty(1, {-1})), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Import(Empty(1, {INT64_MAX, INT64_MAX})), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Import(Empty(1, std::vector<int64_t>(100, 1))), StatusIs(absl::StatusCode::kInvalidArgument));
  // Two gigabytes in a message of a few bytes.
  EXPECT_THAT(Import(Empty(1, {1 << 29})), StatusIs(absl::StatusCode::kInvalidArgument));
  ::onnx::TensorProto raw = Empty(1, {1 << 29});
  raw.set_raw_data("1234");
  EXPECT_THAT(Import(raw), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(TensorImportTest, RefusesUnsupportedTypes) {
  EXPECT_THAT(Import(Empty(8, {0})), StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(Import(Empty(14, {0})), StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(Import(Empty(0, {0})), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Import(Empty(27, {0})), StatusIs(absl::StatusCode::kInvalidArgument));
}

::onnx::TensorProto External(const std::vector<int64_t>& dims,
                             const std::vector<std::pair<std::string, std::string>>& entries) {
  ::onnx::TensorProto proto = Empty(1, dims);
  proto.set_data_location(::onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] : entries) {
    ::onnx::StringStringEntryProto& entry = *proto.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
  return proto;
}

TEST(TensorImportTest, ReadsExternalData) {
  const std::string folder = ::testing::TempDir();
  const float values[] = {1, 2, 3, 4};
  ASSERT_OK(WriteFileAtomically(folder + "/weights.bin",
                                absl::string_view(reinterpret_cast<const char*>(values), sizeof(values))));
  ASSERT_OK_AND_ASSIGN(const ir::Tensor whole, Import(External({4}, {{"location", "weights.bin"}}), folder));
  ir::ExpectTensorEq(whole, ir::F32({4}, {1, 2, 3, 4}));
  ASSERT_OK_AND_ASSIGN(const ir::Tensor part,
                       Import(External({2}, {{"location", "weights.bin"}, {"offset", "4"}, {"length", "8"}}), folder));
  ir::ExpectTensorEq(part, ir::F32({2}, {2, 3}));
}

TEST(TensorImportTest, RefusesBadExternalData) {
  const std::string folder = ::testing::TempDir();
  ASSERT_OK(WriteFileAtomically(folder + "/weights.bin", "0123456789abcdef"));
  const std::vector<std::vector<std::pair<std::string, std::string>>> bad = {
      {},
      {{"location", "weights.bin"}, {"offset", "16"}},
      {{"location", "weights.bin"}, {"offset", "-4"}},
      {{"location", "weights.bin"}, {"offset", "9223372036854775807"}},
      {{"location", "weights.bin"}, {"offset", "4x"}},
      {{"location", "weights.bin"}, {"length", "4"}},
      {{"location", "weights.bin"}, {"length", "99999999999999999999"}},
      {{"location", "../weights.bin"}},
      {{"location", "/etc/passwd"}},
  };
  for (const auto& entries : bad) {
    EXPECT_THAT(Import(External({2}, entries), folder), StatusIs(absl::StatusCode::kInvalidArgument));
  }
  EXPECT_THAT(Import(External({2}, {{"location", "weights.bin"}})), StatusIs(absl::StatusCode::kInvalidArgument));
}

absl::StatusOr<ir::Tensor> ImportSparse(const ir::Tensor& values, const ir::Tensor& indices,
                                        const std::vector<int64_t>& dims) {
  const std::string value_bytes = ToProto(values).SerializeAsString();
  const std::string index_bytes = ToProto(indices).SerializeAsString();
  ReadBudget budget(value_bytes.size() + index_bytes.size());
  SparseTensorMessage sparse;
  absl::StatusOr<TensorMessage> value_message = DecodeTensor(value_bytes, &budget);
  absl::StatusOr<TensorMessage> index_message = DecodeTensor(index_bytes, &budget);
  sparse.values = std::make_unique<TensorMessage>(*std::move(value_message));
  sparse.indices = std::make_unique<TensorMessage>(*std::move(index_message));
  sparse.dims = dims;
  return TensorImporter(nullptr, ExternalSource(), &budget).Import(sparse);
}

TEST(TensorImportTest, ExpandsSparseTensors) {
  ASSERT_OK_AND_ASSIGN(const ir::Tensor linear, ImportSparse(ir::F32({2}, {5, 6}), ir::I64({2}, {1, 5}), {2, 3}));
  ir::ExpectTensorEq(linear, ir::F32({2, 3}, {0, 5, 0, 0, 0, 6}));
  ASSERT_OK_AND_ASSIGN(const ir::Tensor coordinates,
                       ImportSparse(ir::F32({2}, {5, 6}), ir::I64({2, 2}, {0, 1, 1, 2}), {2, 3}));
  ir::ExpectTensorEq(coordinates, ir::F32({2, 3}, {0, 5, 0, 0, 0, 6}));
  EXPECT_THAT(ImportSparse(ir::F32({1}, {5}), ir::I64({1}, {6}), {2, 3}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ImportSparse(ir::F32({1}, {5}), ir::I64({1}, {-1}), {2, 3}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ImportSparse(ir::F32({1}, {5}), ir::I64({2}, {0, 1}), {2, 3}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ImportSparse(ir::F32({1}, {5}), ir::I64({1}, {0}), {int64_t{1} << 40}),
              StatusIs(absl::StatusCode::kResourceExhausted));
}

}  // namespace
}  // namespace burin::onnx

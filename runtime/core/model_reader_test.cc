#include "runtime/core/model_reader.h"

#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/storage.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Write(const std::string& name, const std::string& bytes) {
  const std::string path = ::testing::TempDir() + "/" + name;
  EXPECT_OK(WriteFileAtomically(path, bytes));
  return path;
}

TEST(ModelReaderTest, SaysWhatIsWrongWithTheFile) {
  EXPECT_THAT(ReadModelFile("/no/such/file.onnx", "").status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such/file.onnx")));
  EXPECT_THAT(ReadModelFile(::testing::TempDir(), "").status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ReadModelFile(Write("empty", ""), "").status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("empty")));
  EXPECT_THAT(ReadModelFile(Write("text.onnx", "hello, this is no model"), "").status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ModelReaderTest, RecognisesWhatItCannotRead) {
  EXPECT_THAT(ReadModelFile(Write("ir.onnx", "\n <?xml version=\"1.0\"?><net/>"), "").status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("OpenVINO IR")));
}

// Appends a field of length-delimited bytes as protobuf writes it; all lengths here are below 128.
void Field(int number, const std::string& bytes, std::string* message) {
  *message += static_cast<char>(number << 3 | 2);
  *message += static_cast<char>(bytes.size());
  *message += bytes;
}

// Appends a field of a small number.
void Field(int number, int value, std::string* message) {
  *message += static_cast<char>(number << 3);
  *message += static_cast<char>(value);
}

// An f32[2] with its content at `offset` of a file.
std::string ExternalTensor(const std::string& name, const std::string& location, const std::string& offset) {
  std::string tensor;
  Field(1, 2, &tensor);
  Field(2, 1, &tensor);
  Field(8, name, &tensor);
  const std::pair<std::string, std::string> entries[] = {{"location", location}, {"offset", offset}};
  for (const auto& [key, value] : entries) {
    std::string entry;
    Field(1, key, &entry);
    Field(2, value, &entry);
    Field(13, entry, &tensor);
  }
  Field(14, 1, &tensor);
  return tensor;
}

// A graph y = a + b, with a and b in files of external data.
std::string AddOfExternals(const std::string& a_location, const std::string& b_location) {
  std::string node;
  Field(1, "a", &node);
  Field(1, "b", &node);
  Field(2, "y", &node);
  Field(4, "Add", &node);
  std::string output;
  Field(1, "y", &output);
  std::string graph;
  Field(1, node, &graph);
  Field(2, "g", &graph);
  Field(5, ExternalTensor("a", a_location, "0"), &graph);
  Field(5, ExternalTensor("b", b_location, "8"), &graph);
  Field(12, output, &graph);
  std::string opset;
  Field(2, 17, &opset);
  std::string model;
  Field(1, 8, &model);
  model += static_cast<char>(7 << 3 | 2);
  model += static_cast<char>(0x80 | (graph.size() & 0x7f));
  model += static_cast<char>(graph.size() >> 7);
  model += graph;
  Field(8, opset, &model);
  return model;
}

std::shared_ptr<ir::Storage> StorageOf(std::string bytes) {
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  return ir::Storage::Borrow(owner, owner->data(), owner->size());
}

std::string BytesOf(const std::vector<float>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

// Returns what the model gives, which has no inputs.
std::vector<float> OutputOf(const ir::Model& model) {
  const absl::StatusOr<ir::Evaluator> evaluator = ir::Evaluator::Create(model);
  EXPECT_OK(evaluator);
  const absl::StatusOr<std::vector<ir::Tensor>> outputs = evaluator->Run({});
  EXPECT_OK(outputs);
  const float* const data = (*outputs)[0].data_as<float>();
  return std::vector<float>(data, data + (*outputs)[0].element_count());
}

TEST(ModelReaderTest, WithoutMappingLaterChangesOfTheFilesDoNotMatter) {
  const std::string model_path = Write("changing.onnx", AddOfExternals("changing.bin", "changing.bin"));
  const std::string weights_path = Write("changing.bin", BytesOf({1, 2, 10, 20}));
  ASSERT_OK_AND_ASSIGN(const auto read, ReadModelFile(model_path, "", ReadOptions{false}));
  ASSERT_OK_AND_ASSIGN(const auto mapped, ReadModelFile(model_path, ""));
  EXPECT_THAT(OutputOf(*read), ElementsAre(11, 22));
  EXPECT_THAT(OutputOf(*mapped), ElementsAre(11, 22));
  // Into the same file: writing atomically would make another.
  std::fstream(weights_path, std::ios::in | std::ios::out | std::ios::binary) << BytesOf({5, 5, 5, 5});
  EXPECT_THAT(OutputOf(*read), ElementsAre(11, 22));
  EXPECT_THAT(OutputOf(*mapped), ElementsAre(10, 10));
}

TEST(ModelReaderTest, ErrorsOfTheContentNameTheFile) {
  const std::string path = Write("outside.onnx", AddOfExternals("../a.bin", "../a.bin"));
  EXPECT_THAT(ReadModelFile(path, "").status(),
              StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr("outside.onnx"), HasSubstr("../a.bin"))));
  EXPECT_THAT(ReadModelFile(path, "weights.bin").status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("weights.bin")));
}

TEST(ModelReaderTest, ReadsAModelAndItsWeightsFromMemory) {
  float values[] = {1, 2, 10, 20};
  ASSERT_OK_AND_ASSIGN(const ir::Tensor weights, ir::Tensor::View(ElementType::kU8, {16}, values));
  ASSERT_OK_AND_ASSIGN(const auto model, ReadModelFromMemory(StorageOf(AddOfExternals("w", "w")), weights));
  EXPECT_THAT(OutputOf(*model), ElementsAre(11, 22));
  const ir::Node& sum = model->node(model->node(model->results()[0]).input(0).node);
  EXPECT_EQ(model->info(sum.input(1)).constant.data(), values + 2);
}

TEST(ModelReaderTest, TheModelKeepsTheWeightsAlive) {
  std::weak_ptr<ir::Storage> watched;
  std::unique_ptr<ir::Model> model;
  {
    ASSERT_OK_AND_ASSIGN(const ir::Tensor weights, ir::Tensor::CreateZeroed(ElementType::kU8, {16}));
    watched = weights.storage();
    ASSERT_OK_AND_ASSIGN(model, ReadModelFromMemory(StorageOf(AddOfExternals("w", "w")), weights));
  }
  EXPECT_FALSE(watched.expired());
  EXPECT_THAT(OutputOf(*model), ElementsAre(0, 0));
  model.reset();
  EXPECT_TRUE(watched.expired());
}

TEST(ModelReaderTest, SaysWhatIsWrongWithAModelInMemory) {
  ASSERT_OK_AND_ASSIGN(const ir::Tensor weights, ir::Tensor::CreateZeroed(ElementType::kU8, {16}));
  const auto read = [](std::string bytes, const ir::Tensor& tensor) {
    return ReadModelFromMemory(StorageOf(std::move(bytes)), tensor).status();
  };
  EXPECT_THAT(read(AddOfExternals("w", "w"), ir::Tensor()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("without weights; it names the file: w")));
  EXPECT_THAT(read(AddOfExternals("w", "v"), weights),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("several files; the model names: w, v")));
  ASSERT_OK_AND_ASSIGN(const ir::Tensor few, ir::Tensor::CreateZeroed(ElementType::kU8, {15}));
  EXPECT_THAT(read(AddOfExternals("w", "w"), few),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("past the end")));
  EXPECT_THAT(read("", weights), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("empty")));
  EXPECT_THAT(read("hello, this is no model", weights), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(read("<net/>", weights), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("OpenVINO IR")));
  EXPECT_THAT(ReadModelFromMemory(nullptr, weights).status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin

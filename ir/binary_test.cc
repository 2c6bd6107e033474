#include "ir/binary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "ir/forms/binary_format.h"
#include "ir/forms/binary_testlib.h"
#include "ir/forms/byte_stream.h"
#include "ir/forms/random_model_testlib.h"
#include "ir/ops/constant.h"
#include "ir/ops/ops.h"
#include "ir/runtime_info.h"
#include "ir/structural.h"
#include "ir/text.h"
#include "ir/verifier.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<Storage> StorageOf(std::string bytes) {
  const auto owner = std::make_shared<std::string>(std::move(bytes));
  return Storage::Borrow(owner, owner->data(), owner->size());
}

absl::StatusOr<std::unique_ptr<Model>> Read(std::string bytes) { return DeserializeModel(StorageOf(std::move(bytes))); }

BinaryHeader HeaderOf(const std::string& bytes) {
  BinaryHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header;
}

// Expects that the model comes back from its bytes, and gives the same bytes again.
void ExpectRoundTrip(const Model& model) {
  ASSERT_OK_AND_ASSIGN(const std::string bytes, SerializeModel(model));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> read, Read(bytes));
  ASSERT_OK(Verify(*read));
  StructuralOptions options;
  options.compare_names = true;
  ASSERT_OK(CompareStructure(model, *read, options));
  EXPECT_THAT(PrintModel(*read), IsOkAndHolds(*PrintModel(model)));
  ASSERT_OK_AND_ASSIGN(const std::string again, SerializeModel(*read));
  ASSERT_EQ(again, bytes);
}

std::unique_ptr<Model> Toy() {
  auto model = ParseModel(R"(model "toy" {
    %0 = Parameter() {shape = [?,3]}
    %1 = Constant() {value = f32[3]{1, 2, 0.5}}
    %2 = Add(%0, %1)
    %3 = Result(%2)
  })");
  EXPECT_OK(model);
  return *std::move(model);
}

TEST(BinaryTest, RandomModelsComeBack) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 100 && !HasFailure(); ++i) ExpectRoundTrip(*RandomModel(random, 60));
}

TEST(BinaryTest, ConstantsReferToTheBytes) {
  std::mt19937_64 random(1);
  Model model("m");
  const Tensor tensor = RandomTensor(random, ElementType::kF32, {16, 16});
  ASSERT_OK(model.AddConstant(tensor, "a"));
  ASSERT_OK_AND_ASSIGN(Tensor reshaped, tensor.Reshaped({256}));
  ASSERT_OK(model.AddConstant(std::move(reshaped), "b"));
  ASSERT_OK(model.AddConstant(RandomTensor(random, ElementType::kU4, {7}), "c"));
  ASSERT_OK_AND_ASSIGN(const std::string bytes, SerializeModel(model));
  const BinaryHeader header = HeaderOf(bytes);
  EXPECT_EQ(header.data_size, 1024 + 64u);
  EXPECT_EQ(header.data_offset % 64, 0u);

  const std::shared_ptr<Storage> storage = StorageOf(bytes);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> read, DeserializeModel(storage));
  const char* const begin = static_cast<const char*>(storage->data()) + header.data_offset;
  const auto value = [&read](const char* name) {
    return read->node(read->FindNode(name)).attributes_as<ConstantAttributes>().value;
  };
  EXPECT_EQ(value("a").data(), begin);
  EXPECT_EQ(value("b").data(), begin);
  EXPECT_EQ(value("a").storage(), value("b").storage());
  EXPECT_EQ(value("c").data(), begin + 1024);
  EXPECT_TRUE(value("a").read_only());
  EXPECT_TRUE(BitwiseEqual(value("a"), tensor));
}

TEST(BinaryTest, TheBytesLiveAsLongAsAConstantDoes) {
  std::weak_ptr<std::string> watched;
  Tensor tensor;
  {
    ASSERT_OK_AND_ASSIGN(std::string bytes, SerializeModel(*Toy()));
    auto owner = std::make_shared<std::string>(std::move(bytes));
    watched = owner;
    const char* const data = owner->data();
    const size_t size = owner->size();
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model,
                         DeserializeModel(Storage::Borrow(std::move(owner), data, size)));
    tensor = model->node(model->FindNode("Constant")).attributes_as<ConstantAttributes>().value;
  }
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(tensor.data_as<float>()[2], 0.5f);
  tensor = Tensor();
  EXPECT_TRUE(watched.expired());
}

TEST(BinaryTest, EqualModelsGiveEqualBytes) { EXPECT_EQ(*SerializeModel(*Toy()), *SerializeModel(*Toy())); }

TEST(BinaryTest, RefusesACycle) {
  const std::unique_ptr<Model> model = Toy();
  model->SetInput(Use{static_cast<NodeId>(2), 1}, Value{static_cast<NodeId>(2), 0});
  EXPECT_THAT(SerializeModel(*model), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cycle")));
}

TEST(BinaryTest, RefusesTruncatedAndLongerBytes) {
  ASSERT_OK_AND_ASSIGN(const std::string bytes, SerializeModel(*Toy()));
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(Read(bytes.substr(0, size)), StatusIs(absl::StatusCode::kDataLoss)) << size;
  }
  EXPECT_THAT(Read(bytes + '\0'), StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(DeserializeModel(nullptr), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(BinaryTest, EveryChangeOfHeaderOrGraphIsNoticed) {
  ASSERT_OK_AND_ASSIGN(const std::string bytes, SerializeModel(*Toy()));
  const BinaryHeader header = HeaderOf(bytes);
  for (size_t i = 0; i < header.graph_offset + header.graph_size; ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    const bool version = i >= offsetof(BinaryHeader, version) && i < offsetof(BinaryHeader, reserved);
    EXPECT_THAT(Read(changed), StatusIs(version ? absl::StatusCode::kUnimplemented : absl::StatusCode::kDataLoss)) << i;
  }
}

TEST(BinaryTest, TruncatedGraphsAreRefusedWhereverTheyEnd) {
  ASSERT_OK_AND_ASSIGN(const std::string bytes, SerializeModel(*Toy()));
  const BinaryHeader header = HeaderOf(bytes);
  const absl::string_view all = bytes;
  const absl::string_view graph = all.substr(header.graph_offset, header.graph_size);
  const absl::string_view data = all.substr(header.data_offset);
  EXPECT_EQ(BinaryOf(graph, data), bytes);
  for (size_t size = 0; size < graph.size(); ++size) {
    EXPECT_THAT(Read(BinaryOf(graph.substr(0, size), data)), StatusIs(absl::StatusCode::kDataLoss)) << size;
  }
  EXPECT_THAT(Read(BinaryOf(std::string(graph) + '\0', data)),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("longer than the graph")));
  EXPECT_THAT(Read(BinaryOf(graph, "")), StatusIs(absl::StatusCode::kDataLoss, HasSubstr("passes the end")));
}

// A file of version 1, which had no runtime info, and what it holds.
constexpr char kVersion1[] =
    "QlVSSU5JUjEBAAAAAAAAAEAAAAAAAAAAugIAAAAAAAAAAwAAAAAAAEAAAAAAAAAA5NRAWRmt2/rjWpYIslFfjAMAAAAAAAAAdG95"
    "AAAAAAAAAAAEAAAAAAAAAAAAAAAJAAAAAAAAAFBhcmFtZXRlcgYAAAAAAAAAb3BzZXQxAQAAAAAAAAB4AAAAAAAAAAAAAAAAAAAA"
    "AAIAAAAAAAAADAAAAAAAAABlbGVtZW50X3R5cGUIAQAAAAAAAAAEBQAAAAAAAABzaGFwZQk5AAAAAAAAAAECAAAAAAAAAAAAAAAA"
    "AAAA/////////38AAAAAAAAAAAMAAAAAAAAAAwAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAAIAAAA"
    "AAAAAENvbnN0YW50BgAAAAAAAABvcHNldDEBAAAAAAAAAHcAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAFAAAAAAAAAHZhbHVlChkA"
    "AAAAAAAABAEAAAAAAAAAAwAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIAAAADAAAAAAAAAEFkZAYAAAAA"
    "AAAAb3BzZXQxAQAAAAAAAAB5AQAAAAAAAAAFAAAAAAAAAEFkZF83AgAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAgAAAAAAAAAOAAAA"
    "AAAAAGF1dG9fYnJvYWRjYXN0Cw0AAAAAAAAABQAAAAAAAABudW1weQQAAAAAAAAAYXhpcwIIAAAAAAAAAP//////////AQAAAAAA"
    "AAABAAAAAAAAAAUAAAAAAAAAeV9vdXQAAAAAAAAAAAMAAAAGAAAAAAAAAFJlc3VsdAYAAAAAAAAAb3BzZXQxAwAAAAAAAABvdXQA"
    "AAAAAAAAAAEAAAAAAAAAAgAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAEAAAAAAAAA"
    "AwAAAAAAAAAAAAAAAAAAAAAAAACAPwAAAEAAAAA/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAA==";
constexpr char kVersion1Text[] = R"(model "toy" {
  %0 "x" = Parameter() {shape = [?,3]} : f32[?,3]
  %1 "w" = Constant() {value = f32[3]{1, 2, 0.5}} : f32[3]
  %2 "y" = Add(%0, %1) : f32[?,3] names("y_out") from("Add_7")
  %3 "out" = Result(%2) : f32[?,3]
}
)";

TEST(BinaryTest, FilesOfOlderVersionsAreRead) {
  std::string bytes;
  ASSERT_TRUE(absl::Base64Unescape(kVersion1, &bytes));
  ASSERT_EQ(HeaderOf(bytes).version, 1u);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, Read(bytes));
  EXPECT_OK(Verify(*model));
  EXPECT_THAT(PrintModel(*model), IsOkAndHolds(std::string(kVersion1Text)));
  ExpectRoundTrip(*model);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(Read(bytes.substr(0, size)), StatusIs(absl::StatusCode::kDataLoss)) << size;
  }
}

TEST(BinaryTest, MutatedFilesOfOlderVersionsGiveAnErrorOrAValidModel) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  std::string bytes;
  ASSERT_TRUE(absl::Base64Unescape(kVersion1, &bytes));
  const BinaryHeader header = HeaderOf(bytes);
  const std::string graph = bytes.substr(header.graph_offset, header.graph_size);
  const std::string data = bytes.substr(header.data_offset);
  EXPECT_EQ(BinaryOf(graph, data, /*version=*/1), bytes);
  int read = 0;
  for (int i = 0; i < 3000; ++i) {
    const absl::StatusOr<std::unique_ptr<Model>> model = Read(BinaryOf(Mutated(random, graph), data, /*version=*/1));
    if (!model.ok()) continue;
    ++read;
    ASSERT_OK(Verify(**model));
    ExpectRoundTrip(**model);
  }
  EXPECT_GT(read, 30);
  EXPECT_LT(read, 2900);
}

TEST(BinaryTest, VersionsThatAreNotKnownAreNotImplemented) {
  ASSERT_OK_AND_ASSIGN(const std::string bytes, SerializeModel(*Toy()));
  for (const uint32_t version : {kOldestBinaryVersion - 1, kBinaryVersion + 1}) {
    std::string changed = bytes;
    std::memcpy(&changed[offsetof(BinaryHeader, version)], &version, sizeof(version));
    EXPECT_THAT(Read(changed), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("version")));
  }
}

TEST(BinaryTest, RuntimeInfoComesBackAndHasEachKeyOnce) {
  const std::unique_ptr<Model> model = Toy();
  model->set_runtime_info({{"key_1", "a"}, {"key_2", "b"}});
  model->SetRuntimeInfo(model->parameters()[0], {{kLayoutKey, "NC"}});
  ExpectRoundTrip(*model);
  ASSERT_OK_AND_ASSIGN(const std::string bytes, SerializeModel(*model));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> read, Read(bytes));
  EXPECT_EQ(read->runtime_info(), model->runtime_info());
  EXPECT_EQ(read->node(read->parameters()[0]).runtime_info(), (RuntimeInfo{{kLayoutKey, "NC"}}));

  const BinaryHeader header = HeaderOf(bytes);
  std::string graph = bytes.substr(header.graph_offset, header.graph_size);
  graph[graph.find("key_2") + 4] = '1';
  EXPECT_THAT(Read(BinaryOf(graph, bytes.substr(header.data_offset))),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("twice")));
}

// Returns the graph section of a model of one node of an op without inputs and attributes.
std::string OneNode(absl::string_view op, absl::string_view opset) {
  ByteWriter out;
  out.WriteString("m");
  out.WriteCount(0);  // Runtime info.
  out.WriteCount(0);  // Variables.
  out.WriteCount(1);
  out.Write(int32_t{0});
  out.WriteString(op);
  out.WriteString(opset);
  out.WriteString("node");
  out.WriteCount(0);  // Original names.
  out.WriteCount(0);  // Runtime info.
  out.WriteCount(0);  // Inputs.
  out.WriteCount(0);  // Attributes.
  out.WriteCount(1);
  out.WriteCount(0);  // Output names.
  out.WriteCount(0);  // Bodies.
  out.WriteCount(1);
  out.Write(int32_t{0});
  out.WriteCount(0);  // Results.
  out.WriteCount(0);  // Sinks.
  return out.bytes();
}

TEST(BinaryTest, UnknownOpsAreNotImplemented) {
  EXPECT_OK(Read(BinaryOf(OneNode("Parameter", "opset1"), "")));
  EXPECT_THAT(Read(BinaryOf(OneNode("Parameter", "opset99"), "")),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("'Parameter' of 'opset99'")));
  EXPECT_THAT(Read(BinaryOf(OneNode("NoSuch", "opset1"), "")),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("'NoSuch'")));
  EXPECT_THAT(Read(BinaryOf(OneNode("Relu", ReluOp().opset), "")),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("number of inputs")));
}

TEST(BinaryTest, MutatedBytesGiveAnErrorOrAValidModel) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  int read = 0;
  std::string bytes;
  for (int i = 0; i < 6000; ++i) {
    if (i % 100 == 0) {
      ASSERT_OK_AND_ASSIGN(bytes, SerializeModel(*RandomModel(random, 15)));
    }
    const BinaryHeader header = HeaderOf(bytes);
    const std::string graph = Mutated(random, bytes.substr(header.graph_offset, header.graph_size));
    const absl::StatusOr<std::unique_ptr<Model>> model = Read(BinaryOf(graph, bytes.substr(header.data_offset)));
    if (!model.ok()) continue;
    ++read;
    ASSERT_OK(Verify(**model));
    ExpectRoundTrip(**model);
  }
  EXPECT_GT(read, 100);
  EXPECT_LT(read, 5900);
}

TEST(BinaryTest, MutatedFilesGiveAnErrorOrAValidModel) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  const std::unique_ptr<Model> model = RandomModel(random, 15);
  ASSERT_OK_AND_ASSIGN(const std::string bytes, SerializeModel(*model));
  for (int i = 0; i < 5000; ++i) {
    const absl::StatusOr<std::unique_ptr<Model>> read = Read(Mutated(random, bytes));
    if (!read.ok()) continue;
    ASSERT_OK(Verify(**read));
  }
}

}  // namespace
}  // namespace burin::ir

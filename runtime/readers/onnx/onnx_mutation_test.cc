// Reads fifty thousand damaged files. Each must give a Status, or a model that passes its verifier, soon and within
// bounded memory. The files are small models of the project's own, among them one for each operator in each of its
// forms, changed at random, also in ways that know the format: lengths that lie, pieces cut out, swapped in from other
// files or repeated, numbers replaced by extreme ones; and
// in ways that know models.
#include <sys/resource.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "ir/storage.h"
#include "ir/verifier.h"
#include "runtime/readers/onnx/corpus/container_corpus_testlib.h"
#include "runtime/readers/onnx/corpus/operator_corpus_testlib.h"
#include "runtime/readers/onnx/message/wire_reader.h"
#include "runtime/readers/onnx/message_mutator_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "runtime/readers/onnx/onnx_reader.h"
#include "runtime/readers/onnx/translators.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

constexpr int kParts = 10;
constexpr int kInputsOfPart = 5000;  // Half of them damaged bytes, half of them damaged models.
constexpr uint64_t kSeed = 20240607;

// A small convolution network with old and new forms of operators.
std::string ConvolutionFile() {
  OnnxFile file(13);
  file.Input("x", kFloat, {1, 2, 8, -1});
  file.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(3)->set_dim_param(
      "w");
  file.Initializer("weights", ir::F32({4, 2, 3, 3}, std::vector<double>(72, 0.5)));
  file.Initializer("bias", ir::F32({4}, {1, 2, 3, 4}));
  ::onnx::NodeProto& conv = file.Node("Conv", {"x", "weights", "bias"}, {"conv"});
  SetInts(conv, "pads", {1, 1, 1, 1});
  SetInts(conv, "strides", {2, 1});
  file.Node("Relu", {"conv"}, {"relu"});
  ::onnx::NodeProto& pool = file.Node("MaxPool", {"relu"}, {"pool"});
  SetInts(pool, "kernel_shape", {2, 2});
  file.Node("GlobalAveragePool", {"pool"}, {"mean"});
  SetInt(file.Node("Flatten", {"mean"}, {"flat"}), "axis", 1);
  file.Initializer("dense", ir::F32({4, 3}, std::vector<double>(12, 0.25)));
  file.Node("MatMul", {"flat", "dense"}, {"logits"});
  SetInt(file.Node("Softmax", {"logits"}, {"y"}), "axis", -1);
  file.Output("y", kFloat);
  return file.Bytes();
}

// Shape arithmetic, indexing and constants in several forms.
std::string ShapeFile() {
  OnnxFile file(17);
  file.Input("x", kFloat, {-1, 3, 4});
  file.Node("Shape", {"x"}, {"shape"});
  SetInts(file.Node("Constant", {}, {"zero"}), "value_ints", {0});
  SetTensor(file.Node("Constant", {}, {"rest"}), "value", ir::I64({1}, {-1}));
  file.Node("Gather", {"shape", "zero"}, {"batch"});
  SetInt(file.Node("Concat", {"batch", "rest"}, {"sizes"}), "axis", 0);
  file.Node("Reshape", {"x", "sizes"}, {"flat"});
  SetInts(file.Node("Transpose", {"flat"}, {"turned"}), "perm", {1, 0});
  file.Initializer("starts", ir::I64({1}, {0}));
  file.Initializer("ends", ir::I64({1}, {2}));
  file.Node("Slice", {"turned", "starts", "ends"}, {"slice"});
  SetInt(file.Node("ReduceSum", {"slice"}, {"sum"}), "keepdims", 0);
  ::onnx::NodeProto& cast = file.Node("Cast", {"sum"}, {"y"});
  SetInt(cast, "to", kInt32);
  file.Output("y", kInt32);
  return file.Bytes();
}

// Sub-graphs that read values from outside, and a function with an attribute.
std::string NestedFile() {
  OnnxFile file(16);
  file.Input("x", kFloat, {2});
  file.Input("c", kBool, {});
  ::onnx::NodeProto& node = file.Node("If", {"c"}, {"chosen"});
  for (const char* const name : {"then_branch", "else_branch"}) {
    ::onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(::onnx::AttributeProto::GRAPH);
    ::onnx::GraphProto& graph = *attribute.mutable_g();
    AddNode(graph, "Neg", {"x"}, {"out"});
    graph.add_output()->set_name("out");
  }
  ::onnx::NodeProto& loop = file.Node("Loop", {"trips", "", "chosen"}, {"carried"});
  file.Initializer("trips", ir::I64({}, {3}));
  ::onnx::AttributeProto& attribute = *loop.add_attribute();
  attribute.set_name("body");
  attribute.set_type(::onnx::AttributeProto::GRAPH);
  ::onnx::GraphProto& body = *attribute.mutable_g();
  SetTensorType(*body.add_input(), "i", kInt64, {});
  SetTensorType(*body.add_input(), "go", kBool, {});
  SetTensorType(*body.add_input(), "v", kFloat, {2});
  AddNode(body, "Identity", {"go"}, {"go_on"});
  AddNode(body, "Add", {"v", "x"}, {"next"});
  body.add_output()->set_name("go_on");
  body.add_output()->set_name("next");
  ::onnx::FunctionProto& function = *file.model().add_functions();
  function.set_name("Scaled");
  function.set_domain("test");
  function.add_input("a");
  function.add_output("b");
  function.add_attribute("alpha");
  ::onnx::OperatorSetIdProto& import = *function.add_opset_import();
  import.set_domain("");
  import.set_version(16);
  ::onnx::NodeProto& inner = *function.add_node();
  inner.set_op_type("LeakyRelu");
  inner.add_input("a");
  inner.add_output("b");
  ::onnx::AttributeProto& reference = *inner.add_attribute();
  reference.set_name("alpha");
  reference.set_type(::onnx::AttributeProto::FLOAT);
  reference.set_ref_attr_name("alpha");
  ::onnx::NodeProto& call = file.Node("Scaled", {"carried"}, {"y"});
  call.set_domain("test");
  SetFloat(call, "alpha", 0.5f);
  file.Output("y", kFloat);
  return file.Bytes();
}

// Typed lists, sparse constants and quantisation.
std::string QuantisedFile() {
  OnnxFile file(13);
  file.Input("x", kFloat, {2, 4});
  ::onnx::TensorProto& scale = *file.graph().add_initializer();
  scale.set_name("scale");
  scale.set_data_type(kFloat);
  scale.add_float_data(0.5f);
  ::onnx::TensorProto& zero = *file.graph().add_initializer();
  zero.set_name("zero");
  zero.set_data_type(kUint8);
  zero.add_int32_data(128);
  file.Node("QuantizeLinear", {"x", "scale", "zero"}, {"q"});
  file.Node("DequantizeLinear", {"q", "scale", "zero"}, {"d"});
  ::onnx::SparseTensorProto& sparse = *file.graph().add_sparse_initializer();
  *sparse.mutable_values() = ToProto(ir::F32({2}, {1, 2}), "sparse");
  *sparse.mutable_indices() = ToProto(ir::I64({2}, {0, 5}));
  sparse.add_dims(4);
  sparse.add_dims(2);
  file.Node("MatMul", {"d", "sparse"}, {"y"});
  file.Output("y", kFloat);
  return file.Bytes();
}

// Finds where length prefixes stand, at any depth: what follows a tag of wire type 2.
void FindLengths(absl::string_view whole, absl::string_view message, int depth, std::vector<size_t>* places) {
  WireReader reader(message);
  while (!reader.done() && depth < 12) {
    const size_t begin = static_cast<size_t>(reader.rest().data() - whole.data());
    const absl::StatusOr<WireField> field = reader.Next();
    if (!field.ok()) return;
    if (field->type != WireType::kBytes) continue;
    places->push_back(begin + 1);
    FindLengths(whole, field->bytes, depth + 1, places);
  }
}

// Returns the files that are damaged: graphs of several nodes, and those of single ones.
const std::vector<std::string>& Corpus() {
  static const std::vector<std::string>* const corpus = [] {
    auto* const files = new std::vector<std::string>({ConvolutionFile(), ShapeFile(), NestedFile(), QuantisedFile()});
    for (const SingleNode& node : ReadableCorpus()) files->push_back(FileOf(node));
    for (const ContainerFile& file : ContainerCorpus()) files->push_back(file.bytes);
    return files;
  }();
  return *corpus;
}

// Returns the names of all operators.
std::vector<std::string> Operators() {
  std::vector<std::string> names;
  for (const TranslatorEntry& entry : AllTranslators()) names.emplace_back(entry.op);
  return names;
}

class Mutator {
 public:
  explicit Mutator(uint64_t seed) : corpus_(Corpus()), random_(seed) {
    for (const std::string& file : corpus_) {
      lengths_.emplace_back();
      FindLengths(file, file, 0, &lengths_.back());
    }
  }

  std::string Next() {
    const size_t which = Below(corpus_.size());
    std::string file = corpus_[which];
    const size_t changes = 1 + Below(4);
    for (size_t i = 0; i < changes && !file.empty(); ++i) Change(which, &file);
    return file;
  }

 private:
  size_t Below(size_t bound) { return std::uniform_int_distribution<size_t>(0, bound - 1)(random_); }

  void Change(size_t which, std::string* file) {
    const size_t at = Below(file->size());
    switch (Below(9)) {
      case 0:  // One bit.
        (*file)[at] = static_cast<char>((*file)[at] ^ (1 << Below(8)));
        break;
      case 1:  // One byte.
        (*file)[at] = static_cast<char>(Below(256));
        break;
      case 2:  // The end is missing.
        file->resize(at);
        break;
      case 3: {  // A length lies.
        const size_t place = lengths_[which][Below(lengths_[which].size())];
        if (place < file->size()) (*file)[place] = static_cast<char>(Below(256));
        break;
      }
      case 4:  // A number becomes extreme.
        file->replace(at, 1, Below(2) == 0 ? std::string(9, '\xff') + '\x01' : std::string("\xff\xff\xff\xff\x7f"));
        break;
      case 5:  // A piece is cut out.
        file->erase(at, 1 + Below(16));
        break;
      case 6: {  // A piece of another file is swapped in.
        const std::string& other = corpus_[Below(corpus_.size())];
        const size_t from = Below(other.size());
        file->replace(at, Below(24), other, from, 1 + Below(64));
        break;
      }
      case 7:  // A piece is repeated.
        file->insert(at, file->substr(Below(file->size()), 1 + Below(32)));
        break;
      default:  // Two bytes change places.
        std::swap((*file)[at], (*file)[Below(file->size())]);
        break;
    }
  }

  const std::vector<std::string>& corpus_;
  std::vector<std::vector<size_t>> lengths_;
  std::mt19937_64 random_;
};

int64_t PeakKilobytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(OnnxMutationTest, TheCorpusItselfReads) {
  for (const std::string& file : {ConvolutionFile(), ShapeFile(), NestedFile(), QuantisedFile()})
    EXPECT_OK(ReadBytes(file));
}

class OnnxMutationPartTest : public ::testing::TestWithParam<int> {};

TEST_P(OnnxMutationPartTest, DamagedFilesGiveAStatusOrAModel) {
  const uint64_t seed = kSeed + static_cast<uint64_t>(GetParam());
  SCOPED_TRACE(seed);
  Mutator mutator(seed);
  MessageMutator message_mutator(seed, Operators());
  std::mt19937_64 random(seed);
  [[maybe_unused]] const int64_t before = PeakKilobytes();
  int readable = 0;
  for (int i = 0; i < kInputsOfPart; ++i) {
    SCOPED_TRACE(i);
    const auto bytes = std::make_shared<const std::string>(
        i % 2 == 0 ? mutator.Next() : message_mutator.Mutate(Corpus()[random() % Corpus().size()]));
    const absl::StatusOr<std::unique_ptr<ir::Model>> model =
        ReadOnnxModelFromBytes(ir::Storage::Borrow(bytes, bytes->data(), bytes->size()), "");
    if (!model.ok()) {
      EXPECT_NE(model.status().code(), absl::StatusCode::kInternal) << model.status();
      continue;
    }
    ++readable;
    ASSERT_OK(ir::Verify(**model));
  }
  // Both ends are reached: mutations that destroy, and ones that do not.
  EXPECT_GT(readable, kInputsOfPart / 100);
  EXPECT_LT(readable, kInputsOfPart);
#if !defined(__SANITIZE_ADDRESS__)  // Which keeps what is freed for a while.
  // Each file may take 64 MB and little more, and leaves nothing behind.
  EXPECT_LT(PeakKilobytes() - before, 128 << 10);
#endif
}

INSTANTIATE_TEST_SUITE_P(Parts, OnnxMutationPartTest, ::testing::Range(0, kParts));

}  // namespace
}  // namespace burin::onnx

#include "ir/forms/random_model_testlib.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "base/element_access.h"
#include "ir/dimension.h"
#include "ir/op_def.h"
#include "ir/ops/if.h"
#include "ir/ops/loop.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/runtime_info.h"

namespace burin::ir {
namespace {

// Returns an integer of [0, bound).
int64_t Below(std::mt19937_64& random, int64_t bound) {
  return static_cast<int64_t>(random() % static_cast<uint64_t>(bound));
}

bool OneIn(std::mt19937_64& random, int64_t n) { return Below(random, n) == 0; }

template <class T>
const T& AnyOf(std::mt19937_64& random, const std::vector<T>& values) {
  return values[static_cast<size_t>(Below(random, static_cast<int64_t>(values.size())))];
}

ElementType AnyType(std::mt19937_64& random) {
  while (true) {
    const ElementType type = kAllElementTypes[Below(random, std::size(kAllElementTypes))];
    if (type != ElementType::kString) return type;
  }
}

Dimension AnyDimension(std::mt19937_64& random) {
  switch (Below(random, 7)) {
    case 0:
      return Dimension();
    case 1:
      return Dimension::Symbol("batch");
    case 2:
      return Dimension(2, 8);
    case 3:
      return Dimension(1, Dimension::kInfinite, "a \"strange\", symbol]\n");
    default:
      return Dimension(1 + Below(random, 4));
  }
}

PartialShape AnyShape(std::mt19937_64& random) {
  if (OneIn(random, 8)) return PartialShape::DynamicRank();
  PartialShape shape;
  for (int64_t rank = Below(random, 5); rank > 0; --rank) shape.Append(AnyDimension(random));
  return shape;
}

class Randomizer final : public AttributeVisitor {
 public:
  Randomizer(std::mt19937_64& random, bool wild, const std::vector<std::string>& strings)
      : random_(random), wild_(wild), strings_(strings) {}

  void Visit(const char*, bool& value) override { value = OneIn(random_, 2); }
  void Visit(const char*, int64_t& value) override { value = Integer(); }
  void Visit(const char*, double& value) override { value = Double(); }
  void Visit(const char*, std::string& value) override { value = String(); }
  void Visit(const char*, std::vector<int64_t>& value) override {
    value.resize(Count());
    for (int64_t& element : value) element = Integer();
  }
  void Visit(const char*, std::vector<double>& value) override {
    value.resize(Count());
    for (double& element : value) element = Double();
  }
  void Visit(const char*, std::vector<std::string>& value) override {
    value.resize(Count());
    for (std::string& element : value) element = String();
  }
  void Visit(const char*, ElementType& value) override {
    value = wild_ && OneIn(random_, 4) ? ElementType::kUndefined : AnyType(random_);
  }
  void Visit(const char*, PartialShape& value) override { value = AnyShape(random_); }
  void Visit(const char*, Tensor& value) override {
    value = wild_ && OneIn(random_, 4)
                ? Tensor()
                : RandomTensor(random_, AnyType(random_), {Below(random_, 3), 1 + Below(random_, 4)});
  }

 protected:
  void VisitEnum(const char*, absl::Span<const absl::string_view> names, int64_t& index) override {
    index = Below(random_, static_cast<int64_t>(names.size()));
  }

 private:
  size_t Count() { return static_cast<size_t>(Below(random_, 4)); }
  int64_t Integer() { return wild_ ? static_cast<int64_t>(random_() >> Below(random_, 64)) : Below(random_, 5) - 1; }
  double Double() {
    if (!wild_) return static_cast<double>(Below(random_, 100)) / 8;
    const uint64_t bits = random_();
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  std::string String() { return strings_.empty() ? RandomString(random_) : AnyOf(random_, strings_); }

  std::mt19937_64& random_;
  const bool wild_;
  const std::vector<std::string>& strings_;
};

// Builds one model; keeps the values that later nodes may read.
class Builder {
 public:
  Builder(std::mt19937_64& random, int depth) : random_(random), depth_(depth) {}

  std::unique_ptr<Model> Build(int steps) {
    Start();
    for (int i = 0; i < 4; ++i) AddAny(ParameterOp());
    for (int i = 0; i < 4; ++i) AddAny(ConstantOp());
    for (int i = 0; i < steps; ++i) AddAny(AnyOp());
    AddIf();
    AddLoop();
    AddSubgraph();
    for (int i = 0; i < 3; ++i) AddAny(ResultOp());
    Shuffle();
    return std::move(model_);
  }

  // Returns a body that has a parameter of this type, and gives a boolean and that parameter. With `branches` it has
  // bodies of its own.
  std::unique_ptr<Model> BuildBody(ElementType type, bool branches) {
    Start();
    const absl::StatusOr<Value> parameter = model_->AddParameter("in", type, PartialShape::DynamicRank());
    const absl::StatusOr<Value> boolean =
        model_->AddConstant(RandomTensor(random_, ElementType::kBoolean, {}), "goes on");
    BURIN_CHECK_OK(parameter);
    BURIN_CHECK_OK(boolean);
    values_ = {*parameter, *boolean};
    for (int i = 0; i < 4; ++i) {
      const OpDef& op = AnyOp();
      if (op.code != OpCode::kParameter && op.code != OpCode::kResult) AddAny(op);
    }
    if (branches && depth_ < 3) AddIf();
    BURIN_CHECK_OK(model_->AddResult(*boolean, "first"));
    BURIN_CHECK_OK(model_->AddResult(*parameter, "second"));
    return std::move(model_);
  }

 private:
  void Start() {
    model_ = std::make_unique<Model>(RandomString(random_));
    if (OneIn(random_, 2)) model_->set_runtime_info(AnyInfo());
    for (int i = 0; i < 2; ++i) {
      Variable variable{RandomString(random_) + absl::StrCat(i), ElementType::kUndefined, PartialShape::DynamicRank()};
      variables_.push_back(variable.id);
      BURIN_CHECK_OK(model_->AddVariable(std::move(variable)));
    }
  }

  RuntimeInfo AnyInfo() { return {{RandomString(random_), RandomString(random_)}, {RandomString(random_), ""}}; }

  const OpDef& AnyOp() { return *AllOps()[static_cast<size_t>(Below(random_, AllOps().size()))]; }

  Value Scalar(ElementType type, int64_t value) {
    absl::StatusOr<Tensor> tensor = Tensor::Create(type, {});
    BURIN_CHECK_OK(tensor);
    StoreFromInt64(type, tensor->mutable_data(), 0, value);
    const absl::StatusOr<Value> constant = model_->AddConstant(*std::move(tensor), RandomString(random_));
    BURIN_CHECK_OK(constant);
    return *constant;
  }

  // Tries a few times to add a node with bodies that each take its last input: what is in a body may refuse the shape,
  // and impure ops are refused where the node itself is pure.
  void AddWithBodies(const OpDef& op, const Attributes& attributes, const std::vector<Value>& inputs) {
    for (int attempt = 0; attempt < 5; ++attempt) {
      NodeSpec spec;
      spec.op = &op;
      spec.attributes = attributes.Clone();
      spec.inputs = inputs;
      for (int32_t i = 0; i < op.bodies; ++i) {
        const ElementType type = model_->info(inputs.back()).type;
        spec.bodies.push_back(Builder(random_, depth_ + 1).BuildBody(type, op.Has(kImpure)));
      }
      const absl::StatusOr<NodeId> id = model_->AddNode(std::move(spec));
      if (!id.ok()) continue;
      values_.push_back(Value{*id, 0});
      return;
    }
  }

  void AddIf() {
    IfAttributes attributes;
    attributes.then_inputs = attributes.else_inputs = {1};
    attributes.then_outputs = attributes.else_outputs = {1};
    const absl::StatusOr<Value> condition =
        model_->AddConstant(RandomTensor(random_, ElementType::kBoolean, {1}), RandomString(random_));
    BURIN_CHECK_OK(condition);
    AddWithBodies(IfOp(), attributes, {*condition, AnyOf(random_, values_)});
  }

  void AddSubgraph() { AddWithBodies(SubgraphOp(), NoAttributes(), {AnyOf(random_, values_)}); }

  void AddLoop() {
    LoopAttributes attributes;
    attributes.parameter_inputs = {2};
    attributes.output_results = {1};
    AddWithBodies(LoopOp(), attributes,
                  {Scalar(ElementType::kI64, 3), Scalar(ElementType::kBoolean, 1), AnyOf(random_, values_)});
  }

  // Tries a few times to add a node of this op; most attempts are refused.
  void AddAny(const OpDef& op) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      NodeSpec spec;
      spec.op = &op;
      spec.attributes = op.make_attributes();
      if (op.code == OpCode::kParameter || op.code == OpCode::kConstant || op.code == OpCode::kReadValue ||
          op.code == OpCode::kAssign || !OneIn(random_, 3)) {
        RandomizeAttributes(random_, /*wild=*/false, variables_, spec.attributes.get());
      }
      spec.inputs = AnyInputs(op);
      spec.name = RandomString(random_) + absl::StrCat(model_->id_bound());
      if (OneIn(random_, 2)) spec.original_names = {RandomString(random_), RandomString(random_)};
      if (OneIn(random_, 2)) spec.output_names = {{}, {RandomString(random_)}};
      if (OneIn(random_, 2)) spec.output_names = {{RandomString(random_), RandomString(random_)}};
      if (OneIn(random_, 3)) spec.runtime_info = AnyInfo();
      const auto id = static_cast<NodeId>(model_->id_bound() + Below(random_, 40) - 20);
      if (model_->AddNodeWithId(id, std::move(spec)).ok()) {
        for (int32_t i = 0; i < model_->node(id).output_count(); ++i) values_.push_back(Value{id, i});
        return;
      }
    }
  }

  std::vector<Value> AnyInputs(const OpDef& op) {
    const int64_t most = op.max_inputs < 0 ? op.min_inputs + 3 : op.max_inputs;
    const int64_t count = op.min_inputs + Below(random_, most - op.min_inputs + 1);
    std::vector<Value> inputs;
    if (values_.empty()) return inputs;
    // Ops mostly want inputs of one type.
    const bool one_type = !OneIn(random_, 4);
    const ElementType type = model_->info(AnyOf(random_, values_)).type;
    while (static_cast<int64_t>(inputs.size()) < count) {
      Value value = AnyOf(random_, values_);
      for (int tries = 0; one_type && tries < 50 && model_->info(value).type != type; ++tries) {
        value = AnyOf(random_, values_);
      }
      const size_t i = inputs.size();
      const bool absent = i < 64 && ((op.absent_inputs >> i) & 1) != 0 && OneIn(random_, 3);
      inputs.push_back(absent ? Value::None() : value);
    }
    return inputs;
  }

  void Shuffle() {
    std::vector<NodeId> parameters = model_->parameters();
    std::vector<NodeId> results = model_->results();
    std::vector<NodeId> sinks = model_->sinks();
    for (auto* list : {&parameters, &results, &sinks}) std::shuffle(list->begin(), list->end(), random_);
    BURIN_CHECK_OK(model_->SetOrder(std::move(parameters), std::move(results), std::move(sinks)));
  }

  std::mt19937_64& random_;
  const int depth_;
  std::unique_ptr<Model> model_;
  std::vector<std::string> variables_;
  std::vector<Value> values_;
};

}  // namespace

std::string RandomString(std::mt19937_64& random) {
  static constexpr char kLikely[] = "abz019_ .,;:\"'\\\n\t%{}()[]/#\0\x7f\xc3\xa9";
  std::string text;
  for (int64_t size = 1 + Below(random, 12); size > 0; --size) {
    text += OneIn(random, 3) ? static_cast<char>(random()) : kLikely[Below(random, sizeof(kLikely) - 1)];
  }
  return text;
}

Tensor RandomTensor(std::mt19937_64& random, ElementType type, const Shape& shape) {
  absl::StatusOr<Tensor> tensor = Tensor::Create(type, shape);
  BURIN_CHECK_OK(tensor);
  auto* const bytes = static_cast<unsigned char*>(tensor->mutable_data());
  for (size_t i = 0; i < tensor->byte_size(); ++i) bytes[i] = static_cast<unsigned char>(random());
  return *std::move(tensor);
}

void RandomizeAttributes(std::mt19937_64& random, bool wild, const std::vector<std::string>& strings,
                         Attributes* attributes) {
  Randomizer randomizer(random, wild, strings);
  attributes->VisitAttributes(randomizer);
}

std::unique_ptr<Model> RandomModel(std::mt19937_64& random, int steps) { return Builder(random, 0).Build(steps); }

std::string Mutated(std::mt19937_64& random, std::string bytes) {
  static const char* const kNumbers[] = {"9223372036854775807",
                                         "-9223372036854775808",
                                         "4294967296",
                                         "2147483647",
                                         "99999999999999999999",
                                         "65535",
                                         "0",
                                         "-1",
                                         "1e999",
                                         "0xffffffffffffffff"};
  const auto position = [&random, &bytes] { return static_cast<size_t>(Below(random, bytes.size() + 1)); };
  for (int64_t edits = 1 + Below(random, 4); edits > 0; --edits) {
    const size_t at = position();
    const size_t other = position();
    const size_t some = static_cast<size_t>(1 + Below(random, 8));
    const size_t digit = bytes.find_first_of("0123456789", at);
    switch (Below(random, 8)) {
      case 0:
        if (at < bytes.size()) bytes[at] = static_cast<char>(random());
        break;
      case 1:
        if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << Below(random, 8)));
        break;
      case 2:
        bytes.erase(at, some);
        break;
      case 3:
        bytes.insert(at, bytes.substr(other, 1 + random() % 200));
        break;
      case 4:
        if (digit != std::string::npos) bytes.replace(digit, 1, kNumbers[Below(random, std::size(kNumbers))]);
        break;
      case 5:
        // A count or an offset of the binary form.
        for (size_t i = 0; i < some && at + i < bytes.size(); ++i) bytes[at + i] = static_cast<char>(0xff);
        break;
      case 6:
        if (OneIn(random, 4)) bytes.resize(at);
        break;
      default:
        for (size_t i = 0; i < some && std::max(at, other) + i < bytes.size(); ++i) bytes[at + i] = bytes[other + i];
    }
  }
  return bytes;
}

}  // namespace burin::ir

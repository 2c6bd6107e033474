#include "runtime/plugins/cpu/graph/fake_nodes_testlib.h"

#include "base/check.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "runtime/plugins/cpu/graph/value_desc.h"

namespace burin::cpu {

namespace {

class FakePrimitive final : public Primitive {
 public:
  explicit FakePrimitive(const FakeNode& node)
      : execute_(node.execute),
        packed_(node.packed),
        scratch_bytes_(node.scratch_bytes),
        bytes_(node.primitive_bytes) {}

  void Execute(const ExecutionArgs& args) const override {
    if (execute_ != nullptr) execute_(args);
  }
  bool Reads(int input) const override { return packed_.count(input) == 0; }
  int64_t ScratchBytes(int members) const override { return members * scratch_bytes_; }
  int64_t Bytes() const override { return bytes_; }
  std::string kernel_name() const override { return "fake"; }
  std::string isa_name() const override { return "none"; }

 private:
  const std::function<void(const ExecutionArgs& args)> execute_;
  const std::set<int> packed_;
  const int64_t scratch_bytes_;
  const int64_t bytes_;
};

}  // namespace

std::vector<NodeCandidate> FakeNode::Candidates(const NodeValues& values, const NodeContext&) const {
  if (!candidates.empty() || has_no_candidate) return candidates;
  return {RowMajorCandidate(values)};
}

int FakeNode::ViewOf(int) const { return view_of; }

bool FakeNode::MayRunInPlace(const NodeValues&, int input, int output) const {
  return in_place.count({input, output}) > 0;
}

absl::StatusOr<std::unique_ptr<const Primitive>> FakeNode::CreatePrimitive(const NodeValues&,
                                                                           const NodeContext&) const {
  BURIN_RETURN_IF_ERROR(creation);
  return std::make_unique<FakePrimitive>(*this);
}

int DraftBuilder::Value(ir::Shape shape) {
  draft.values.push_back({{ElementType::kF32, std::move(shape), Layout::kRowMajor}, {}, -1});
  return static_cast<int>(draft.values.size()) - 1;
}

int DraftBuilder::Parameter(ir::Shape shape) {
  const int value = Value(std::move(shape));
  draft.values[value].parameter = static_cast<int>(draft.parameters.size());
  draft.parameters.push_back(value);
  return value;
}

int DraftBuilder::Constant() {
  const int value = Value();
  absl::StatusOr<ir::Tensor> tensor = ir::Tensor::CreateZeroed(ElementType::kF32, draft.values[value].desc.shape);
  BURIN_CHECK_OK(tensor.status());
  draft.values[value].constant = *std::move(tensor);
  return value;
}

FakeNode* DraftBuilder::Step(const std::string& name, std::vector<int> inputs, std::vector<int> outputs) {
  // What was made by no operation is a reorder to the stages.
  static const ir::Node* const kOrigin = [] {
    static ir::Model model;
    BURIN_CHECK_OK(model.AddParameter("origin", ElementType::kF32, {}).status());
    return &model.node(model.parameters()[0]);
  }();
  auto node = std::make_shared<FakeNode>();
  FakeNode* result = node.get();
  GraphStep step;
  step.origin = kOrigin;
  step.node = std::move(node);
  step.name = name;
  step.inputs = std::move(inputs);
  step.outputs = std::move(outputs);
  step.memory.resize(step.outputs.size());
  step.rank = static_cast<int64_t>(draft.steps.size());
  step.candidates = {RowMajorCandidate(draft.ValuesOf(step))};
  draft.steps.push_back(std::move(step));
  return result;
}

ConfigureContext FakeContext() {
  absl::StatusOr<jit::Target> target = jit::Target::Host();
  BURIN_CHECK_OK(target.status());
  const auto make = [](const ir::Node&, const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
    return std::make_shared<FakeNode>();
  };
  return {make, {*target, &jit::CodeCache::Process(), 1}};
}

std::vector<std::string> StepNames(const GraphDraft& draft) {
  std::vector<std::string> names;
  for (const GraphStep& step : draft.steps) names.push_back(step.name);
  return names;
}

}  // namespace burin::cpu

#include "runtime/plugins/cpu/nodes/subgraph_node.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "base/status_macros.h"
#include "ir/shape.h"
#include "runtime/executor/team.h"
#include "runtime/executor/work_split.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/channels_last_body.h"
#include "snippets/decompose/decompose.h"
#include "snippets/kernel/fused_kernel.h"

namespace burin::cpu {

namespace {

class FusedPrimitive final : public Primitive {
 public:
  FusedPrimitive(std::shared_ptr<const snippets::DynamicKernel::Sized> kernel, std::string isa)
      : kernel_(std::move(kernel)), isa_(std::move(isa)) {}

  void Execute(const ExecutionArgs& args) const override {
    const int64_t scratch_bytes = ScratchBytes(1);
    const executor::WorkSplit split = executor::WorkSplit::Dynamic(kernel_->kernel.items(), 1, args.team->size());
    args.team->Share(split.chunks(), [&](int64_t chunk, int member) {
      const executor::ItemRange range = split.Range(chunk);
      kernel_->kernel.Run(args.inputs, args.outputs, static_cast<char*>(args.scratch) + member * scratch_bytes,
                          range.begin, range.end);
    });
  }

  int64_t ScratchBytes(int members) const override {
    constexpr int64_t kLine = 64;
    return members * ((static_cast<int64_t>(kernel_->kernel.scratch_bytes()) + kLine - 1) / kLine * kLine);
  }
  int64_t Bytes() const override { return kTypicalBytes + static_cast<int64_t>(kernel_->kernel.code()->size()); }
  std::string kernel_name() const override { return kernel_->kernel.linear_ir().name; }
  std::string isa_name() const override { return isa_; }

 private:
  const std::shared_ptr<const snippets::DynamicKernel::Sized> kernel_;
  const std::string isa_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const snippets::DynamicKernel::Sized>> SubgraphNode::Kernels::For(
    absl::Span<const ir::Shape> shapes) {
  absl::call_once(made_, [this] {
    snippets::FusedKernel::Options options;
    options.code_cache = code_cache_;
    kernel_ = snippets::DynamicKernel::Create(*body_, target_, options);
  });
  BURIN_RETURN_IF_ERROR(kernel_.status());
  return (*kernel_)->For(shapes);
}

absl::StatusOr<std::shared_ptr<const Node>> SubgraphNode::Create(const ir::Node& node, const NodeContext& context) {
  std::unique_ptr<ir::Model> body = node.bodies()[0]->Clone();
  BURIN_RETURN_IF_ERROR(snippets::Decompose(*body));
  std::unique_ptr<ir::Model> moved = ChannelsLastBody(*body);
  auto row_major = std::make_unique<Kernels>(std::move(body), context);
  auto channels_last = moved != nullptr ? std::make_unique<Kernels>(std::move(moved), context) : nullptr;
  return std::shared_ptr<const Node>(new SubgraphNode(std::move(row_major), std::move(channels_last)));
}

absl::StatusOr<std::shared_ptr<const snippets::DynamicKernel::Sized>> SubgraphNode::KernelFor(
    const NodeValues& values) const {
  const bool channels_last = values.outputs[0].layout == Layout::kChannelsLast;
  const int64_t rank = static_cast<int64_t>(values.outputs[0].shape.size());
  std::vector<ir::Shape> shapes;
  for (const NodeInput& input : values.inputs) {
    shapes.push_back(input.desc.shape);
    if (!channels_last) continue;
    std::optional<ir::Shape> moved = ChannelsLastShape(input.desc.shape, rank);
    if (!moved.has_value()) return absl::InternalError("An input has no channels that are last");
    shapes.back() = *std::move(moved);
  }
  return channels_last ? channels_last_->For(shapes) : row_major_->For(shapes);
}

std::vector<NodeCandidate> SubgraphNode::Candidates(const NodeValues& values, const NodeContext&) const {
  NodeCandidate row_major = RowMajorCandidate(values);
  if (channels_last_ == nullptr) return {std::move(row_major)};

  NodeCandidate channels_last = row_major;
  const size_t rank = values.outputs[0].shape.size();
  for (size_t i = 0; i < values.inputs.size(); ++i) {
    const ir::Shape& shape = values.inputs[i].desc.shape;
    if (!ChannelsLastShape(shape, static_cast<int64_t>(rank)).has_value()) return {std::move(row_major)};
    // A constant is read as it is.
    if (values.inputs[i].constant.has_value() && shape.size() == rank) return {std::move(row_major)};
    if (shape.size() == rank) channels_last.inputs[i] = Layout::kChannelsLast;
  }
  channels_last.outputs.assign(values.outputs.size(), Layout::kChannelsLast);
  return {std::move(row_major), std::move(channels_last)};
}

bool SubgraphNode::MayRunInPlace(const NodeValues& values, int input, int output) const {
  const absl::StatusOr<std::shared_ptr<const snippets::DynamicKernel::Sized>> kernel = KernelFor(values);
  return kernel.ok() && values.inputs[input].desc.shape == values.outputs[output].shape &&
         (*kernel)->kernel.MayRunInPlace(input, output);
}

absl::StatusOr<std::unique_ptr<const Primitive>> SubgraphNode::CreatePrimitive(const NodeValues& values,
                                                                               const NodeContext& context) const {
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<const snippets::DynamicKernel::Sized> kernel, KernelFor(values));
  return std::make_unique<FusedPrimitive>(std::move(kernel), std::string(Name(context.target.level())));
}

}  // namespace burin::cpu

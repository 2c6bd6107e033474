// Runs a Subgraph without a dense anchor: its body as one generated kernel (snippets/kernel).
//
// Row-major values, and where the body is element-wise also such with their channels last. Compiled for the layouts
// that are asked for, when they are. Thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_SUBGRAPH_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_SUBGRAPH_NODE_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/base/call_once.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "snippets/kernel/dynamic_kernel.h"

namespace burin::cpu {

class SubgraphNode final : public Node {
 public:
  // Takes the body of `node`, a Subgraph. Errors as of snippets::Decompose(): Unimplemented, with the reason, for what
  // cannot be one kernel.
  static absl::StatusOr<std::shared_ptr<const Node>> Create(const ir::Node& node, const NodeContext& context);

  const char* type_name() const override { return "Subgraph"; }
  std::vector<NodeCandidate> Candidates(const NodeValues& values, const NodeContext& context) const override;
  bool MayRunInPlace(const NodeValues& values, int input, int output) const override;
  // Errors also as of snippets::DynamicKernel::Create().
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override;

 private:
  // A body, and its kernels once somebody has asked for them.
  class Kernels {
   public:
    Kernels(std::unique_ptr<ir::Model> body, const NodeContext& context)
        : body_(std::move(body)), target_(context.target), code_cache_(context.code_cache) {}

    // Returns the kernel for parameters of these shapes.
    absl::StatusOr<std::shared_ptr<const snippets::DynamicKernel::Sized>> For(absl::Span<const ir::Shape> shapes);

   private:
    const std::unique_ptr<const ir::Model> body_;
    const jit::Target target_;
    jit::CodeCache* const code_cache_;
    absl::once_flag made_;
    absl::StatusOr<std::unique_ptr<snippets::DynamicKernel>> kernel_;
  };

  SubgraphNode(std::unique_ptr<Kernels> row_major, std::unique_ptr<Kernels> channels_last)
      : row_major_(std::move(row_major)), channels_last_(std::move(channels_last)) {}

  // Returns the kernel for the shapes and layouts of `values`.
  absl::StatusOr<std::shared_ptr<const snippets::DynamicKernel::Sized>> KernelFor(const NodeValues& values) const;

  const std::unique_ptr<Kernels> row_major_;
  // Null where there is none.
  const std::unique_ptr<Kernels> channels_last_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_SUBGRAPH_NODE_H_

#include "snippets/tokenize/legality.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/partial_shape.h"
#include "snippets/codegen/expr_emitters.h"
#include "snippets/decompose/decompose.h"
#include "snippets/lowering/body_graph.h"
#include "snippets/lowering/lower.h"
#include "snippets/lowering/memory_view.h"

namespace burin::snippets {
namespace {

// Sizes of dynamic dimensions in a trial. All are the same, so that whatever may broadcast does, and whatever may be
// equal is. The first has many divisors, for reshapes that split a dimension.
constexpr int64_t kTrialExtents[] = {240, 1};

absl::StatusOr<std::unique_ptr<ir::Model>> WithSizes(const ir::Model& body, int64_t extent) {
  absl::flat_hash_map<int64_t, ir::PartialShape> shapes;
  for (size_t i = 0; i < body.parameters().size(); ++i) {
    const ir::PartialShape& shape = body.node(body.parameters()[i]).output(0).shape;
    if (!shape.has_rank()) return absl::UnimplementedError("An input of unknown rank");
    ir::PartialShape sized;
    for (const ir::Dimension& dim : shape.dims()) sized.Append(std::clamp(extent, dim.min(), dim.max()));
    shapes.emplace(static_cast<int64_t>(i), std::move(sized));
  }
  std::unique_ptr<ir::Model> sized = body.Clone();
  BURIN_RETURN_IF_ERROR(sized->Reshape(shapes));
  return sized;
}

absl::StatusOr<std::unique_ptr<ir::Model>> WithTrialSizes(const ir::Model& body) {
  absl::Status refused;
  for (const int64_t extent : kTrialExtents) {
    absl::StatusOr<std::unique_ptr<ir::Model>> sized = WithSizes(body, extent);
    if (sized.ok()) return sized;
    refused = sized.status();
  }
  return absl::UnimplementedError(absl::StrCat("No sizes were found that the body accepts: ", refused.message()));
}

bool IsStatic(const ir::Model& body) {
  return std::all_of(body.parameters().begin(), body.parameters().end(),
                     [&body](ir::NodeId id) { return body.node(id).output(0).shape.is_static(); });
}

absl::Status CheckPrimitiveBody(const ir::Model& body) {
  std::unique_ptr<ir::Model> sized;
  if (!IsStatic(body)) {
    BURIN_ASSIGN_OR_RETURN(sized, WithTrialSizes(body));
  }
  BURIN_ASSIGN_OR_RETURN(const BodyGraph graph, BodyGraph::Create(SizedBody{body, sized != nullptr ? *sized : body}));
  BURIN_ASSIGN_OR_RETURN(const LoweredKernel kernel, Lower(graph, body, VectorFile(), body.name()));
  return FindExprEmitters(kernel.ir).status();
}

absl::Status CheckAnchorTypes(const ir::Model& body, const ir::Node& anchor) {
  std::vector<ElementType> types = {anchor.output(0).type};
  for (const ir::Value& input : anchor.inputs()) {
    if (input.exists() && IsFloat(body.info(input).type)) types.push_back(body.info(input).type);
  }
  for (const ElementType type : types) {
    if (type == ElementType::kF32) continue;
    return absl::UnimplementedError(absl::StrCat("Dense kernels do not compute with the element type ", Name(type),
                                                 ": '", anchor.name(), "' (", anchor.op().name, ")"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<ir::Model>> CheckBody(const ir::Model& body) {
  std::unique_ptr<ir::Model> primitive = body.Clone();
  absl::Status status = Decompose(*primitive);
  if (status.ok()) status = CheckPrimitiveBody(*primitive);
  // A rule that finds an operation wrong, or a shape that no size makes static, is one more reason not to fuse.
  if (!status.ok()) return absl::UnimplementedError(status.message());
  return primitive;
}

absl::StatusOr<AnchoredBody> CheckAnchoredBody(const ir::Model& body, CheckedEpilogues* checked) {
  BURIN_ASSIGN_OR_RETURN(AnchoredBody split, SplitAnchored(body));
  BURIN_RETURN_IF_ERROR(CheckAnchorTypes(body, *split.anchor));
  BURIN_RETURN_IF_ERROR(checked->Check(*split.epilogue));
  return split;
}

}  // namespace burin::snippets

#include "snippets/kernel/dynamic_kernel.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "jit/isa/target.h"
#include "snippets/kernel/fused_kernel.h"
#include "snippets/lowering/memory_view.h"

namespace burin::snippets {

absl::StatusOr<std::unique_ptr<DynamicKernel>> DynamicKernel::Create(const ir::Model& body, const jit::Target& target,
                                                                     const FusedKernel::Options& options) {
  auto kernel = absl::WrapUnique(new DynamicKernel(body, target, options));
  // Ones broadcast to anything.
  std::vector<ir::Shape> smallest;
  for (const ir::NodeId id : body.parameters()) {
    const ir::PartialShape& shape = body.info({id, 0}).shape;
    if (!shape.has_rank()) {
      return absl::UnimplementedError(absl::StrCat("A parameter of unknown rank: \"", body.node(id).name(), "\""));
    }
    ir::Shape ones;
    for (const ir::Dimension& dim : shape.dims()) ones.push_back(std::clamp<int64_t>(1, dim.min(), dim.max()));
    smallest.push_back(std::move(ones));
  }
  BURIN_RETURN_IF_ERROR(kernel->For(smallest).status());
  return kernel;
}

absl::StatusOr<std::shared_ptr<const DynamicKernel::Sized>> DynamicKernel::For(absl::Span<const ir::Shape> parameters) {
  Shapes key(parameters.begin(), parameters.end());
  {
    const absl::MutexLock lock(&mutex_);
    const auto it = by_shapes_.find(key);
    if (it != by_shapes_.end()) {
      recent_.splice(recent_.begin(), recent_, it->second);
      return it->second->second;
    }
  }
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<const Sized> sized, Plan(parameters));
  const absl::MutexLock lock(&mutex_);
  if (by_shapes_.contains(key)) return sized;
  recent_.emplace_front(key, sized);
  by_shapes_[std::move(key)] = recent_.begin();
  if (recent_.size() > kMostShapes) {
    by_shapes_.erase(recent_.back().first);
    recent_.pop_back();
  }
  return sized;
}

absl::StatusOr<std::shared_ptr<const DynamicKernel::Sized>> DynamicKernel::Plan(
    absl::Span<const ir::Shape> parameters) const {
  if (parameters.size() != body_->parameters().size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("parameters: ", parameters.size(), ", the body has ", body_->parameters().size()));
  }
  absl::flat_hash_map<int64_t, ir::PartialShape> shapes;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const ir::PartialShape& declared = body_->info({body_->parameters()[i], 0}).shape;
    if (!declared.Accepts(parameters[i])) {
      return absl::InvalidArgumentError(absl::StrCat("parameter ", i, " has another shape; declared ",
                                                     declared.ToString(), ", got ",
                                                     ir::PartialShape(parameters[i]).ToString()));
    }
    shapes[static_cast<int64_t>(i)] = parameters[i];
  }
  const std::unique_ptr<ir::Model> sized = body_->Clone();
  BURIN_RETURN_IF_ERROR(sized->Reshape(shapes));
  BURIN_ASSIGN_OR_RETURN(FusedKernel kernel, FusedKernel::Create(SizedBody{*body_, *sized}, target_, options_));
  std::vector<ir::Shape> outputs;
  for (const ir::NodeId id : sized->results()) {
    BURIN_ASSIGN_OR_RETURN(ir::Shape shape, SizedShape(SizedBody{*body_, *sized}, sized->node(id).input(0)));
    outputs.push_back(std::move(shape));
  }
  return std::make_shared<const Sized>(Sized{std::move(kernel), std::move(outputs)});
}

}  // namespace burin::snippets

#include "runtime/plugins/cpu/nodes/channels_last_body.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"

namespace burin::cpu {

namespace {

// Returns dimension 1 moved to the end, with ones in front so that there are `rank`.
template <class Dim>
std::vector<Dim> Moved(const std::vector<Dim>& dims, int64_t rank, Dim one) {
  std::vector<Dim> aligned(static_cast<size_t>(rank) - dims.size(), one);
  aligned.insert(aligned.end(), dims.begin(), dims.end());
  std::vector<Dim> moved = {aligned[0]};
  moved.insert(moved.end(), aligned.begin() + 2, aligned.end());
  moved.push_back(aligned[1]);
  return moved;
}

ir::PartialShape Moved(const ir::PartialShape& shape, int64_t rank) {
  std::vector<ir::Dimension> dims;
  for (int64_t i = 0; i < shape.rank(); ++i) dims.push_back(shape[i]);
  return ir::PartialShape(Moved(dims, rank, ir::Dimension(1)));
}

absl::StatusOr<ir::Tensor> Moved(const ir::Tensor& tensor, int64_t rank) {
  ir::Shape aligned(static_cast<size_t>(rank) - tensor.shape().size(), 1);
  aligned.insert(aligned.end(), tensor.shape().begin(), tensor.shape().end());
  const absl::StatusOr<ir::Tensor> dense = tensor.ToDense();
  if (!dense.ok()) return dense.status();
  const absl::StatusOr<ir::Tensor> reshaped = dense->Reshaped(aligned);
  if (!reshaped.ok()) return reshaped.status();
  const absl::StatusOr<ir::Tensor> view =
      ir::Tensor::View(tensor.element_type(), Moved(aligned, rank, int64_t{1}), const_cast<void*>(reshaped->data()),
                       Moved(reshaped->byte_strides(), rank, int64_t{0}));
  if (!view.ok()) return view.status();
  return view->Copy();
}

// Returns the rank of all results; 0 where it is none that has channels and an axis.
int64_t RankOfResults(const ir::Model& body) {
  int64_t rank = 0;
  for (const ir::NodeId id : body.results()) {
    const ir::PartialShape& shape = body.info(body.node(id).input(0)).shape;
    if (!shape.has_rank() || shape.rank() < 3 || (rank != 0 && shape.rank() != rank)) return 0;
    rank = shape.rank();
  }
  return rank;
}

bool IsElementwise(const ir::Model& body, int64_t rank) {
  for (const ir::NodeId id : body.NodeIds()) {
    const ir::Node& node = body.node(id);
    const ir::OpCode code = node.code();
    if (code == ir::OpCode::kParameter || code == ir::OpCode::kConstant) {
      const ir::PartialShape& shape = node.output(0).shape;
      if (!shape.has_rank() || shape.rank() > rank) return false;
    } else if (code != ir::OpCode::kResult && !node.op().Has(ir::kElementwise)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::unique_ptr<ir::Model> ChannelsLastBody(const ir::Model& body) {
  const int64_t rank = RankOfResults(body);
  if (rank == 0 || !IsElementwise(body, rank)) return nullptr;
  std::unique_ptr<ir::Model> moved = body.Clone();
  for (const ir::NodeId id : body.NodeIds()) {
    const ir::Node& node = body.node(id);
    // One element is the same in any order, and may be what an operation has to know.
    if (node.code() != ir::OpCode::kConstant || node.output(0).constant.element_count() == 1) continue;
    absl::StatusOr<ir::Tensor> constant = Moved(node.output(0).constant, rank);
    if (!constant.ok()) return nullptr;
    const absl::StatusOr<ir::Value> replacement = moved->AddConstant(*std::move(constant));
    if (!replacement.ok()) return nullptr;
    moved->ReplaceUses({id, 0}, *replacement);
    moved->RemoveNode(id);
  }
  absl::flat_hash_map<int64_t, ir::PartialShape> shapes;
  for (size_t i = 0; i < body.parameters().size(); ++i) {
    shapes.emplace(static_cast<int64_t>(i), Moved(body.node(body.parameters()[i]).output(0).shape, rank));
  }
  return moved->Reshape(shapes).ok() ? std::move(moved) : nullptr;
}

std::optional<ir::Shape> ChannelsLastShape(const ir::Shape& shape, int64_t rank) {
  ir::Shape moved = Moved(shape, rank, int64_t{1});
  if (static_cast<int64_t>(shape.size()) == rank) return moved;
  // The dimension that moves is the first one where there is one less; it may move past ones alone.
  const bool moves = static_cast<int64_t>(shape.size()) == rank - 1 && shape[0] != 1 &&
                     std::any_of(shape.begin() + 1, shape.end(), [](int64_t dim) { return dim != 1; });
  if (moves) return std::nullopt;
  return moved;
}

}  // namespace burin::cpu

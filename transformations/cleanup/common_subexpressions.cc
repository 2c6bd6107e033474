// CommonSubexpressions: of nodes with the same operation, attributes and inputs, keeps the first in topological order.
//
// The first two inputs of a commutative operation may stand in either order, but for those of Maximum and Minimum of
// floats: which of 0 and -0 comes back may depend on it. Operations with an effect or a source of values beyond their
// inputs (variables, randomness) and those with bodies are never merged; nor are a node that decompresses weights and
// one that is to be folded. Constants merge where their bytes are the same.
//
// The number of nodes decreases with each rewrite.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/constant.h"
#include "ir/ops/op_code.h"
#include "ir/rewrite.h"
#include "ir/structural.h"
#include "ir/tensor.h"
#include "transformations/cleanup/decompression.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

bool MayMerge(const ir::Node& node) {
  return node.code() != ir::OpCode::kResult && !node.op().Has(ir::kImpure) && node.bodies().empty();
}

// Returns whether swapping the first two inputs changes no bit of the output.
bool Commutes(const ir::Node& node) {
  const bool picks_a_zero = node.code() == ir::OpCode::kMaximum || node.code() == ir::OpCode::kMinimum;
  return node.op().Has(ir::kCommutative) && !(picks_a_zero && IsFloat(node.output(0).type));
}

// Returns the inputs in an order that does not depend on how a commutative operation was written.
std::vector<ir::Value> CanonicalInputs(const ir::Node& node) {
  std::vector<ir::Value> inputs(node.inputs().begin(), node.inputs().end());
  if (!Commutes(node) || inputs.size() < 2) return inputs;
  const auto position = [](const ir::Value& value) { return std::make_pair(value.node, value.output); };
  if (position(inputs[1]) < position(inputs[0])) std::swap(inputs[0], inputs[1]);
  return inputs;
}

// Hashes enough of a constant to tell most apart without reading weights of gigabytes, which may not be in memory yet.
void HashSamples(const ir::Tensor& value, Hasher* hasher) {
  constexpr size_t kSample = 256;
  hasher->UpdateInt(value.element_type());
  hasher->UpdateInt(value.shape().size());
  for (const int64_t dim : value.shape()) hasher->UpdateInt(dim);
  // The bits after the last element of a packed type mean nothing.
  const size_t bytes = value.byte_size() - (IsPacked(value.element_type()) && value.byte_size() > 0 ? 1 : 0);
  if (!value.is_dense() || bytes <= kSample * 3) {
    hasher->Update(value.ContentHash());
    return;
  }
  const char* const data = static_cast<const char*>(value.data());
  for (const size_t begin : {size_t{0}, bytes / 2, bytes - kSample}) hasher->Update(data + begin, kSample);
}

Hash128 KeyOf(const ir::Node& node) {
  Hasher hasher;
  hasher.UpdateInt(node.code());
  if (node.code() == ir::OpCode::kConstant) {
    HashSamples(node.attributes_as<ir::ConstantAttributes>().value, &hasher);
  } else {
    hasher.Update(ir::HashAttributes(node.attributes()));
  }
  for (const ir::Value& input : CanonicalInputs(node)) {
    hasher.UpdateInt(ir::Index(input.node));
    hasher.UpdateInt(input.output);
  }
  return hasher.Finish();
}

bool SameExpression(const ir::Node& a, const ir::Node& b) {
  return a.code() == b.code() && a.output_count() == b.output_count() &&
         IsKeptDecompression(a) == IsKeptDecompression(b) && CanonicalInputs(a) == CanonicalInputs(b) &&
         ir::AttributesEqual(a.attributes(), b.attributes());
}

// Makes `kept` take the place of `merged`, and stand for the user's operations of both.
absl::Status Merge(ir::NodeId kept, ir::NodeId merged, ir::Model& model) {
  const std::vector<std::string> names = model.node(merged).original_names();
  ir::Patch patch(model);
  for (int32_t i = 0; i < model.node(merged).output_count(); ++i) {
    patch.Replace(ir::Value{merged, i}, ir::Value{kept, i});
  }
  BURIN_RETURN_IF_ERROR(std::move(patch).Apply(&model));
  model.AddOriginalNames(kept, names);
  return absl::OkStatus();
}

}  // namespace

absl::Status CommonSubexpressions(const ir::Model& model, const ir::PassContext&, Rewriter& rewriter) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, model.TopologicalOrder());
  absl::flat_hash_map<Hash128, std::vector<ir::NodeId>> known;
  for (const ir::NodeId id : order) {
    if (!model.Contains(id) || !MayMerge(model.node(id))) continue;
    std::vector<ir::NodeId>& candidates = known[KeyOf(model.node(id))];
    const auto same = std::find_if(candidates.begin(), candidates.end(), [&model, id](ir::NodeId candidate) {
      return SameExpression(model.node(candidate), model.node(id));
    });
    if (same == candidates.end()) {
      candidates.push_back(id);
      continue;
    }
    BURIN_ASSIGN_OR_RETURN(
        const bool done, rewriter.Edit(id, [kept = *same, id](ir::Model& edited) { return Merge(kept, id, edited); }));
    if (!done) return absl::OkStatus();
  }
  return absl::OkStatus();
}

}  // namespace burin::transformations

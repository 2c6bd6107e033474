// TfIdfVectorizer on integers: how often the n-grams of a pool are among those of each row.
//
// All n-grams of a row are compared with all of the pool: for an n-gram length and a distance between its elements, the
// rows from element k * distance on, for k below n, stand side by side.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/ops/family/scatter.h"
#include "ir/ops/ops.h"
#include "ir/ops/scatter_elements_update.h"
#include "ir/tensor.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// The output has as many columns as the largest index says.
constexpr int64_t kMaxColumns = int64_t{1} << 24;

// The n-grams of one length in the pool.
struct Level {
  int64_t n = 1;
  std::vector<int64_t> items;  // One n-gram after the other.

  int64_t count() const { return static_cast<int64_t>(items.size()) / n; }
};

struct Attributes {
  std::string mode;
  int64_t min_length = 1;
  int64_t max_length = 1;
  int64_t max_skips = 0;
  std::vector<Level> levels;
  std::vector<int64_t> columns;  // By n-gram of the pool.
  std::vector<double> weights;   // Likewise; may be empty.
};

// Splits the pool at ngram_counts, which says where the n-grams of each length begin.
std::vector<Level> ReadLevels(NodeContext& node) {
  const std::vector<int64_t> pool = node.IntsAttribute("pool_int64s");
  std::vector<int64_t> bounds = node.IntsAttribute("ngram_counts");
  bounds.push_back(static_cast<int64_t>(pool.size()));
  std::vector<Level> levels;
  for (size_t i = 0; i + 1 < bounds.size(); ++i) {
    const int64_t n = static_cast<int64_t>(i) + 1;
    if (bounds[i] < 0 || bounds[i] > bounds[i + 1] || (bounds[i + 1] - bounds[i]) % n != 0 ||
        bounds[i + 1] > static_cast<int64_t>(pool.size())) {
      node.Fail(
          absl::InvalidArgumentError(absl::StrCat("ngram_counts does not cut the pool into n-grams; length ", n)));
      return {};
    }
    Level& level = levels.emplace_back();
    level.n = n;
    level.items.assign(pool.begin() + static_cast<std::ptrdiff_t>(bounds[i]),
                       pool.begin() + static_cast<std::ptrdiff_t>(bounds[i + 1]));
  }
  return levels;
}

Attributes ReadAttributes(NodeContext& node) {
  Attributes attributes;
  attributes.mode = node.StringAttribute("mode", "");
  attributes.min_length = node.IntAttribute("min_gram_length", 0);
  attributes.max_length = node.IntAttribute("max_gram_length", 0);
  attributes.max_skips = node.IntAttribute("max_skip_count", 0);
  attributes.levels = ReadLevels(node);
  attributes.columns = node.IntsAttribute("ngram_indexes");
  attributes.weights = node.FloatsAttribute("weights");
  int64_t count = 0;
  for (const Level& level : attributes.levels) count += level.count();
  const auto fail = [&](const char* what) { node.Fail(absl::InvalidArgumentError(what)); };
  if (attributes.mode != "TF" && attributes.mode != "IDF" && attributes.mode != "TFIDF") {
    fail("TfIdfVectorizer knows mode TF, IDF and TFIDF");
  }
  if (attributes.min_length < 1 || attributes.max_length < attributes.min_length || attributes.max_skips < 0) {
    fail("The lengths of n-grams are not positive and ascending, or the number of skips is negative");
  }
  if (attributes.columns.empty() || static_cast<int64_t>(attributes.columns.size()) != count) {
    fail("ngram_indexes needs one column for each n-gram of the pool");
  }
  if (!attributes.weights.empty() && attributes.weights.size() != attributes.columns.size()) {
    fail("weights needs one number for each n-gram of the pool");
  }
  for (const int64_t column : attributes.columns) {
    if (column < 0 || column >= kMaxColumns) fail("A column of ngram_indexes is negative or too large");
  }
  return attributes;
}

ir::Value FloatList(NodeContext& node, const std::vector<double>& values) {
  const absl::StatusOr<ir::Tensor> list = ir::Tensor::Create(ElementType::kF32, {static_cast<int64_t>(values.size())});
  if (!list.ok()) {
    node.Fail(list.status());
    return ir::Value::None();
  }
  for (size_t i = 0; i < values.size(); ++i) list->mutable_data_as<float>()[i] = static_cast<float>(values[i]);
  return node.Constant(*list);
}

// Returns how often each n-gram of the level is in each row [..., count], for one distance between elements.
ir::Value CountAtDistance(NodeContext& node, ir::Value rows, const Level& level, int64_t distance) {
  const int64_t last_axis = node.KnownRank(rows) - 1;
  ir::Value matches;
  for (int64_t k = 0; k < level.n; ++k) {
    std::vector<int64_t> wanted;
    for (int64_t i = 0; i < level.count(); ++i) wanted.push_back(level.items[static_cast<size_t>(i * level.n + k)]);
    const int64_t behind = (level.n - 1 - k) * distance;
    const int64_t end = behind == 0 ? std::numeric_limits<int64_t>::max() : -behind;
    const ir::Value elements = node.Unsqueeze(node.Slice(rows, last_axis, k * distance, end), {last_axis + 1});
    const ir::Value equal = node.Add(ir::EqualOp(), {elements, node.Ints(wanted)});
    matches = k == 0 ? equal : node.Add(ir::LogicalAndOp(), {matches, equal});
  }
  return node.Squeeze(node.Sum(node.Convert(matches, ElementType::kF32), {last_axis}), {last_axis});
}

ir::Value CountLevel(NodeContext& node, ir::Value rows, const Level& level, const Attributes& attributes,
                     ir::Value zeros) {
  ir::Value total = zeros;
  if (level.n < attributes.min_length || level.n > attributes.max_length) return total;
  // A single element has no distances.
  const int64_t skips = level.n == 1 ? 0 : attributes.max_skips;
  const ir::Dimension& length = node.ShapeOf(rows)[node.KnownRank(rows) - 1];
  const int64_t longest = std::min(length.max(), std::numeric_limits<int64_t>::max() / level.n);
  for (int64_t skipped = 0; skipped <= skips && node.ok(); ++skipped) {
    const int64_t distance = skipped + 1;
    if (distance > longest || (level.n - 1) * distance >= longest) break;
    total = node.Plus(total, CountAtDistance(node, rows, level, distance));
  }
  return total;
}

}  // namespace

absl::Status TranslateTfIdfVectorizer(NodeContext& node) {
  if (node.HasAttribute("pool_strings")) return node.Unsupported("strings");
  const ir::Value rows = node.Convert(node.Input(0), ElementType::kI64);
  const int64_t rank = node.KnownRank(rows);
  const Attributes attributes = ReadAttributes(node);
  if (!node.ok()) return node.status();
  if (rank != 1 && rank != 2) return node.Invalid("TfIdfVectorizer is of tensors with one or two axes");
  const ir::Value zero = node.Scalar(ElementType::kF32, 0);
  const auto zeros = [&](int64_t columns) {
    const ir::Value sizes = node.Ints({columns});
    return node.Broadcast(zero, rank == 1 ? sizes : node.Concat({node.SizesOf(rows, 0, 1), sizes}, 0));
  };
  std::vector<ir::Value> levels;
  for (const Level& level : attributes.levels) {
    if (level.count() == 0) continue;
    levels.push_back(CountLevel(node, rows, level, attributes, zeros(level.count())));
  }
  ir::Value counts = node.Concat(std::move(levels), rank - 1);
  if (attributes.mode == "IDF") counts = node.Add(ir::MinimumOp(), {counts, node.Scalar(ElementType::kF32, 1)});
  if (attributes.mode != "TF" && !attributes.weights.empty()) {
    counts = node.Times(counts, FloatList(node, attributes.weights));
  }
  const int64_t columns = *std::max_element(attributes.columns.begin(), attributes.columns.end()) + 1;
  const ir::Value places = node.Broadcast(node.Ints(attributes.columns), node.SizesOf(counts));
  auto sum = std::make_unique<ir::ScatterElementsUpdateAttributes>();
  sum->reduction = ir::ScatterReduction::kSum;
  return node.Finish(
      {node.Add(ir::ScatterElementsUpdateOp(), {zeros(columns), places, counts, node.Int(rank - 1)}, std::move(sum))});
}

}  // namespace burin::onnx

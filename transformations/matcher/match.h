// What a pattern found: the values that it captured, by name.
//
// A Match refers to the model it was made from, which outlives it and is unchanged meanwhile. Asking for a name that
// the pattern did not capture is a bug of the rule and aborts: has() tells whether an optional part was there.
// Thread-compatible.
#ifndef BURIN_TRANSFORMATIONS_MATCHER_MATCH_H_
#define BURIN_TRANSFORMATIONS_MATCHER_MATCH_H_

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/tensor.h"

namespace burin::transformations {

class Match {
 public:
  // Starts without captures. `names_owner` keeps the names given to Bind() alive.
  Match(const ir::Model& model, std::shared_ptr<const void> names_owner)
      : model_(&model), names_owner_(std::move(names_owner)) {}

  // Returns whether something was captured under the name.
  bool has(absl::string_view name) const;
  // Returns the one value captured under the name.
  ir::Value value(absl::string_view name) const;
  // Returns the node that makes that value.
  const ir::Node& node(absl::string_view name) const;
  // Returns what is known of that value.
  const ir::ValueInfo& info(absl::string_view name) const;
  // Returns that value's exact content, which must be known (Constant(), KnownValue() and their like see to it).
  const ir::Tensor& constant(absl::string_view name) const;
  // Returns all values captured under the name, the one nearest to the root first; none is no error.
  std::vector<ir::Value> all(absl::string_view name) const;

  const ir::Model& model() const { return *model_; }

  // For the matcher: remembers a capture, takes back all but the first `count`, and tells how many there are.
  void Bind(absl::string_view name, ir::Value value) { captures_.emplace_back(name, value); }
  void Rewind(size_t count) { captures_.resize(count); }
  size_t size() const { return captures_.size(); }

 private:
  const ir::Model* model_;
  std::shared_ptr<const void> names_owner_;
  std::vector<std::pair<absl::string_view, ir::Value>> captures_;
};

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_MATCHER_MATCH_H_

#include "transformations/matcher/match.h"

#include <algorithm>

#include "base/check.h"

namespace burin::transformations {

bool Match::has(absl::string_view name) const {
  return std::any_of(captures_.begin(), captures_.end(), [name](const auto& capture) { return capture.first == name; });
}

ir::Value Match::value(absl::string_view name) const {
  ir::Value found;
  for (const auto& [key, value] : captures_) {
    if (key != name) continue;
    BURIN_CHECK(!found.exists() || found == value) << "several values were captured under one name: " << name;
    found = value;
  }
  BURIN_CHECK(found.exists()) << "nothing was captured under the name " << name;
  return found;
}

const ir::Node& Match::node(absl::string_view name) const { return model_->node(value(name).node); }

const ir::ValueInfo& Match::info(absl::string_view name) const { return model_->info(value(name)); }

const ir::Tensor& Match::constant(absl::string_view name) const {
  const ir::Tensor& content = info(name).constant;
  BURIN_CHECK(content.has_value()) << "the content is not known of what was captured as " << name;
  return content;
}

std::vector<ir::Value> Match::all(absl::string_view name) const {
  std::vector<ir::Value> values;
  for (const auto& [key, value] : captures_) {
    if (key == name) values.push_back(value);
  }
  return values;
}

}  // namespace burin::transformations

#include "examples/plugin/execution_counts.h"

#include "absl/strings/str_cat.h"

namespace burin::trace {

ExecutionCounts::ExecutionCounts(const std::vector<std::string>& op_types) : all_(op_types.empty()) {
  for (const std::string& type : op_types) counts_[type] = 0;
}

void ExecutionCounts::Add(const std::string& op_type) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = counts_.find(op_type);
  if (found != counts_.end()) {
    ++found->second;
  } else if (all_) {
    counts_[op_type] = 1;
  }
}

std::vector<std::string> ExecutionCounts::ToStrings() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string> texts;
  for (const auto& [type, count] : counts_) {
    if (count > 0) texts.push_back(absl::StrCat(type, "=", count));
  }
  return texts;
}

}  // namespace burin::trace

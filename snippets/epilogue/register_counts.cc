#include "snippets/epilogue/register_counts.h"

namespace burin::snippets {

RegisterCounts& RegisterCounts::Process() {
  static auto* const counts = new RegisterCounts;
  return *counts;
}

jit::EpilogueRegisters RegisterCounts::Get(const Hash128& content, const jit::IsaSet& isa,
                                           absl::FunctionRef<jit::EpilogueRegisters()> count) {
  const std::pair<Hash128, jit::IsaSet> key(content, isa);
  {
    const absl::MutexLock lock(&mutex_);
    const auto known = counts_.find(key);
    if (known != counts_.end()) return known->second;
  }
  const jit::EpilogueRegisters registers = count();
  const absl::MutexLock lock(&mutex_);
  if (counts_.size() >= kMaxEntries) counts_.clear();
  counts_.emplace(key, registers);
  return registers;
}

}  // namespace burin::snippets

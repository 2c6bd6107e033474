#include "transformations/pass_table.h"

#include <cstddef>

namespace burin::transformations {
namespace {

constexpr Pass kPasses[] = {
#define BURIN_RULE(name, accuracy, summary) {#name, summary, &name, nullptr, Accuracy::accuracy},
#define BURIN_WHOLE_GRAPH_PASS(name, accuracy, summary) {#name, summary, nullptr, &name, Accuracy::accuracy},
#include "transformations/passes.inc"
#undef BURIN_RULE
#undef BURIN_WHOLE_GRAPH_PASS
};

}  // namespace

absl::Span<const Pass> AllPasses() { return kPasses; }

const Pass& PassOf(PassId id) { return kPasses[static_cast<size_t>(id)]; }

const Pass* FindPass(absl::string_view name) {
  for (const Pass& pass : kPasses) {
    if (pass.name == name) return &pass;
  }
  return nullptr;
}

}  // namespace burin::transformations

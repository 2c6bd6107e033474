#include "transformations/rewrite_dump.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "base/file.h"
#include "base/logging.h"
#include "base/status_macros.h"
#include "ir/text.h"
#include "transformations/pass.h"

namespace burin::transformations {
namespace {

// Enough for shapes, axes and scalars.
constexpr int64_t kMaxConstantElements = 64;

absl::Status Write(const std::string& folder, const RewriteEvent& event) {
  ir::PrintOptions options;
  options.max_constant_elements = kMaxConstantElements;
  BURIN_ASSIGN_OR_RETURN(const std::string model, ir::PrintModel(*event.model, options));
  const std::string text = absl::StrFormat("// Rewrite %d, pass %s (%s) at node '%s'\n%s", event.index,
                                           event.pass->name, event.pass->summary, event.node_name, model);
  return WriteFileAtomically(
      absl::StrFormat("%s/%05d_%s_%s.txt", folder, event.index, event.pass->name, event.applied ? "after" : "before"),
      text);
}

}  // namespace

std::function<void(const RewriteEvent& event)> DumpRewritesTo(std::string folder) {
  return [folder = std::move(folder)](const RewriteEvent& event) {
    if (const absl::Status status = Write(folder, event); !status.ok()) {
      BURIN_LOG(kWarning) << "No dump of rewrite " << event.index << ": " << status;
    }
  };
}

}  // namespace burin::transformations

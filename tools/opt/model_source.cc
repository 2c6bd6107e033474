#include "tools/opt/model_source.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/binary.h"
#include "ir/storage.h"
#include "ir/text.h"
#include "runtime/api/model.h"
#include "tools/models/builtin.h"

namespace burin::opt {
namespace {

using GraphOr = absl::StatusOr<std::shared_ptr<ir::Model>>;

GraphOr Shared(absl::StatusOr<std::unique_ptr<ir::Model>> model, const std::string& source) {
  if (!model.ok()) return WithContext(model.status(), source);
  return std::shared_ptr<ir::Model>(*std::move(model));
}

}  // namespace

GraphOr ReadGraph(Core* core, const std::string& source) {
  if (models::IsBuiltin(source)) return Shared(models::BuildBuiltinModel(source), source);
  if (absl::EndsWith(source, ".txt")) {
    BURIN_ASSIGN_OR_RETURN(const std::string text, ReadFile(source));
    return Shared(ir::ParseModel(text), source);
  }
  if (absl::EndsWith(source, ".bin")) {
    BURIN_ASSIGN_OR_RETURN(std::string content, ReadFile(source));
    const auto owner = std::make_shared<const std::string>(std::move(content));
    return Shared(ir::DeserializeModel(ir::Storage::Borrow(owner, owner->data(), owner->size())), source);
  }
  BURIN_ASSIGN_OR_RETURN(const Model model, core->ReadModel(source));
  return Shared(model.graph().Clone(), source);
}

absl::Status WriteGraph(const ir::Model& model, const std::string& path) {
  const bool as_text = absl::EndsWith(path, ".txt");
  BURIN_ASSIGN_OR_RETURN(const std::string bytes, as_text ? ir::PrintModel(model) : ir::SerializeModel(model));
  return WriteFileAtomically(path, bytes);
}

}  // namespace burin::opt

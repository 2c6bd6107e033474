#include "tools/opt/optimize.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "ir/rewrite.h"
#include "transformations/matcher/explain.h"
#include "transformations/pass.h"
#include "transformations/pass_table.h"

namespace burin::opt {
namespace {

using transformations::Pass;
using transformations::Stage;

struct StageName {
  absl::string_view name;
  Stage stage;
};

// In the order in which a compilation runs them.
constexpr StageName kStages[] = {{"UpToLpt", Stage::kUpToLpt}, {"PostLpt", Stage::kPostLpt}};

absl::StatusOr<const Pass*> PassNamed(absl::string_view name) {
  const Pass* pass = transformations::FindPass(name);
  if (pass != nullptr) return pass;
  const auto append_name = [](std::string* out, const Pass& known) { absl::StrAppend(out, known.name); };
  return absl::InvalidArgumentError(absl::StrCat(
      "No such pass; there are: ", absl::StrJoin(transformations::AllPasses(), ", ", append_name), "; got: ", name));
}

// A node, and the model or body that it stands in.
struct Place {
  const ir::Model* model = nullptr;
  ir::NodeId node = ir::NodeId::kNone;
};

bool StandsFor(const ir::Node& node, absl::string_view name) {
  const std::vector<std::string>& names = node.original_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Looks at the model first, then at its bodies. Names of the user's operations count where no node has the name.
Place Find(const ir::Model& model, absl::string_view name, bool original) {
  absl::string_view digits = name;
  int32_t id = 0;
  if (absl::ConsumePrefix(&digits, "%") && absl::SimpleAtoi(digits, &id) && id >= 0 && id < model.id_bound() &&
      model.Contains(static_cast<ir::NodeId>(id))) {
    return {&model, static_cast<ir::NodeId>(id)};
  }
  const ir::NodeId named = model.FindNode(name);
  if (named != ir::NodeId::kNone) return {&model, named};
  const std::vector<ir::NodeId> ids = model.NodeIds();
  for (const ir::NodeId at : ids) {
    if (original && StandsFor(model.node(at), name)) return {&model, at};
  }
  for (const ir::NodeId at : ids) {
    for (const std::unique_ptr<ir::Model>& body : model.node(at).bodies()) {
      const Place place = Find(*body, name, original);
      if (place.model != nullptr) return place;
    }
  }
  return {};
}

}  // namespace

absl::StatusOr<std::vector<Stage>> ParseStages(const std::string& text) {
  std::vector<Stage> stages;
  if (text.empty()) {
    for (const StageName& known : kStages) stages.push_back(known.stage);
    return stages;
  }
  for (const absl::string_view name : absl::StrSplit(text, ',')) {
    const auto found = std::find_if(std::begin(kStages), std::end(kStages),
                                    [&](const StageName& known) { return known.name == name; });
    if (found == std::end(kStages)) {
      const auto append_name = [](std::string* out, const StageName& known) { absl::StrAppend(out, known.name); };
      return absl::InvalidArgumentError(
          absl::StrCat("No such stage; there are: ", absl::StrJoin(kStages, ", ", append_name), "; got: ", name));
    }
    stages.push_back(found->stage);
  }
  return stages;
}

absl::StatusOr<std::vector<std::string>> ParsePasses(const std::string& text) {
  std::vector<std::string> passes;
  if (text.empty()) return passes;
  for (const absl::string_view name : absl::StrSplit(text, ',')) {
    BURIN_ASSIGN_OR_RETURN(const Pass* pass, PassNamed(name));
    passes.push_back(pass->name);
  }
  return passes;
}

std::string ListPasses() {
  std::string text;
  for (const Pass& pass : transformations::AllPasses()) {
    absl::StrAppend(&text, pass.name, pass.rule != nullptr ? " (rule" : " (whole graph",
                    pass.accuracy == transformations::Accuracy::kExact ? ", exact)" : ", rounds)", "\n    ",
                    pass.summary, "\n");
  }
  return text;
}

absl::StatusOr<Optimized> Optimize(const ir::Model& model, const std::vector<Stage>& stages,
                                   const transformations::PipelineOptions& options) {
  Optimized optimized;
  optimized.model = model.Clone();
  for (const Stage stage : stages) {
    BURIN_RETURN_IF_ERROR(
        transformations::RunPipeline(stage, optimized.model.get(), ir::PassContext(), options, &optimized.report));
  }
  return optimized;
}

absl::StatusOr<std::string> ExplainAt(const ir::Model& model, const std::string& what) {
  const size_t colon = what.rfind(':');
  if (colon == std::string::npos) {
    return absl::InvalidArgumentError(absl::StrCat("Expected NODE:PASS, found \"", what, "\""));
  }
  const std::string node = what.substr(0, colon);
  BURIN_ASSIGN_OR_RETURN(const Pass* pass, PassNamed(what.substr(colon + 1)));
  if (pass->rule == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("A whole-graph pass looks at all nodes at once and gives no reason for one: ", pass->name));
  }
  Place place = Find(model, node, /*original=*/false);
  if (place.model == nullptr) place = Find(model, node, /*original=*/true);
  if (place.model == nullptr) {
    return absl::NotFoundError(absl::StrCat("The model has no such node after the rewrites asked for: \"", node, "\""));
  }
  BURIN_ASSIGN_OR_RETURN(const std::string reasons,
                         transformations::Explain(pass->rule, *place.model, place.node, ir::PassContext()));
  return absl::StrCat(pass->name, " ", reasons, "\n");
}

}  // namespace burin::opt

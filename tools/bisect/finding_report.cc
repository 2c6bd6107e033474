#include "tools/bisect/finding_report.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/constant.h"
#include "ir/ops/op_code.h"
#include "tools/bisect/data_set_writer.h"
#include "tools/bisect/difference.h"
#include "tools/bisect/reproducer.h"
#include "tools/check/data_set.h"
#include "tools/opt/model_source.h"
#include "transformations/pass.h"

namespace burin::bisect {
namespace {

// Up to this many elements of constants, a text is still read by people.
constexpr int64_t kMostElementsInText = 4096;

int64_t ConstantElements(const ir::Model& model) {
  int64_t elements = 0;
  for (const ir::NodeId id : model.NodeIds()) {
    const ir::Node& node = model.node(id);
    if (node.code() != ir::OpCode::kConstant) continue;
    elements += node.attributes_as<ir::ConstantAttributes>().value.element_count();
  }
  return elements;
}

std::string DescribeRewrite(const Finding& finding) {
  if (finding.pass == nullptr) {
    return absl::StrFormat("Passes fail after rewrite %d:\n%s", finding.rewrite - 1, finding.how);
  }
  std::string text = absl::StrFormat("Outputs part by rewrite %d of %d: pass %s (%s) at node \"%s\"%s\n",
                                     finding.rewrite, finding.rewrites, finding.pass->name, finding.pass->summary,
                                     finding.node_name, finding.in_body ? " of a body" : "");
  if (finding.pass->accuracy == transformations::Accuracy::kRounds) {
    absl::StrAppend(&text, "The pass rounds by its nature: look whether the tolerance fits the model.\n");
  }
  if (!finding.original_names.empty()) {
    absl::StrAppend(&text, "The node stands for: ", absl::StrJoin(finding.original_names, ", "), "\n");
  }
  absl::StrAppend(&text, finding.how);
  NodeSet core(finding.touched.begin(), finding.touched.end());
  core.insert(finding.node);
  if (finding.after != nullptr) {
    const Difference difference = DifferenceOf(*finding.before, *finding.after);
    for (const NodeSet* nodes : {&difference.gone, &difference.came, &difference.rewired, &difference.changed}) {
      core.insert(nodes->begin(), nodes->end());
    }
  }
  absl::StrAppend(&text, "Before (* what the rewrite concerned):\n", DescribeRegion(*finding.before, core));
  if (finding.after != nullptr) absl::StrAppend(&text, "After:\n", DescribeRegion(*finding.after, core));
  return text;
}

}  // namespace

std::string Describe(const Finding& finding) {
  switch (finding.outcome) {
    case Outcome::kHolds:
      return absl::StrFormat("Outputs hold after all %d rewrites.\n", finding.rewrites);
    case Outcome::kDeviceParts:
      return absl::StrCat("The device parts from the reference without any rewrite:\n", finding.how);
    case Outcome::kRewriteParts:
      return DescribeRewrite(finding);
  }
  return "";
}

absl::StatusOr<std::string> WriteReproducer(const Finding& finding, const ir::PassContext& context,
                                            const std::vector<ir::Tensor>& inputs, const BisectOptions& options,
                                            const std::string& folder) {
  if (finding.pass == nullptr) return std::string("No pass can be named, so that there is no reproducer.\n");
  const absl::StatusOr<Reproducer> made = Reproduce(finding, context, inputs, options);
  if (absl::IsNotFound(made.status())) return absl::StrCat(made.status().message(), "\n");
  BURIN_RETURN_IF_ERROR(made.status());
  std::string text =
      absl::StrFormat("Reproducer: %d nodes%s; by pass %s alone:\n%s", made->model->node_count(),
                      made->is_whole ? " (the whole model; no part shows it)" : "", finding.pass->name, made->how);
  if (folder.empty()) return text;
  check::DataSet data;
  data.inputs = made->inputs;
  data.outputs = made->expected;
  data.outputs.resize(made->model->results().size());  // Those of the first run.
  BURIN_RETURN_IF_ERROR(WriteDataSet(folder + "/test_data_set_0", data));
  const bool as_text = ConstantElements(*made->model) <= kMostElementsInText;
  const std::string path = absl::StrCat(folder, "/reproducer.", as_text ? "txt" : "bin");
  BURIN_RETURN_IF_ERROR(opt::WriteGraph(*made->model, path));
  return absl::StrCat(text, "Written: ", path, " and its inputs: bisect -m ", path, " -data ", folder, "\n");
}

}  // namespace burin::bisect

// //tools:inspect: what is in a model?
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "ir/text.h"
#include "runtime/api/core.h"
#include "runtime/api/model.h"
#include "tools/inspect/drawing.h"
#include "tools/inspect/summary.h"
#include "tools/options/options.h"

namespace burin::inspect {
namespace {

constexpr options::Option kOptions[] = {
    {"m", "FILE", "The model. Required."},
    {"text", nullptr, "Prints the model's text form; constants of more than 16 elements by type, shape and hash."},
    {"full_text", "FILE", "Writes the text form with every constant, which parses back."},
    {"dot", "FILE", "Writes the graph for Graphviz."},
    {"svg", "FILE", "Writes a picture of the graph."},
};

absl::Status Inspect(const options::Options& given) {
  if (!given.Has("m")) return absl::InvalidArgumentError("Option -m is required");
  Core core;
  BURIN_ASSIGN_OR_RETURN(Model model, core.ReadModel(given.Text("m")));
  std::fputs(Summarize(model.graph()).c_str(), stdout);
  if (given.Has("text")) {
    ir::PrintOptions print;
    print.max_constant_elements = 16;
    BURIN_ASSIGN_OR_RETURN(std::string text, ir::PrintModel(model.graph(), print));
    std::fputs(text.c_str(), stdout);
  }
  if (given.Has("full_text")) {
    BURIN_ASSIGN_OR_RETURN(std::string text, ir::PrintModel(model.graph()));
    BURIN_RETURN_IF_ERROR(WriteFileAtomically(given.Text("full_text"), text));
  }
  if (given.Has("dot")) {
    BURIN_ASSIGN_OR_RETURN(std::string dot, DrawDot(model.graph()));
    BURIN_RETURN_IF_ERROR(WriteFileAtomically(given.Text("dot"), dot));
  }
  if (given.Has("svg")) {
    BURIN_ASSIGN_OR_RETURN(std::string svg, DrawSvg(model.graph()));
    BURIN_RETURN_IF_ERROR(WriteFileAtomically(given.Text("svg"), svg));
  }
  return absl::OkStatus();
}

int Main(const std::vector<std::string>& arguments) {
  absl::StatusOr<options::Options> given = options::Options::Parse(kOptions, arguments);
  if (given.ok() && given->help()) {
    std::fputs(options::HelpText("inspect -m MODEL [-text] [-dot FILE] [-svg FILE]", kOptions).c_str(), stdout);
    return 0;
  }
  const absl::Status status = given.ok() ? Inspect(*given) : given.status();
  if (!status.ok()) {
    std::fprintf(stderr, "inspect: %s\n", status.ToString().c_str());
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace burin::inspect

int main(int argc, char** argv) { return burin::inspect::Main(std::vector<std::string>(argv + 1, argv + argc)); }

#include "tools/query/command.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "nlohmann/json.hpp"
#include "runtime/api/model.h"
#include "runtime/dev/model_support.h"
#include "tools/options/options.h"
#include "tools/query/device_report.h"
#include "tools/query/model_report.h"

namespace burin::query {
namespace {

constexpr options::Option kOptions[] = {
    {"d", "DEVICE", "The device to ask. Default: the preferred one."},
    {"m", "FILE", "Also tells which operations of this model the device supports, and why not the others."},
    {"json", "FILE", "Writes the same as JSON."},
};

}  // namespace

absl::StatusOr<int> RunCommand(const std::vector<std::string>& arguments, const Core& core, std::string* output) {
  BURIN_ASSIGN_OR_RETURN(const options::Options given, options::Options::Parse(kOptions, arguments));
  if (given.help()) {
    absl::StrAppend(output, options::HelpText("query [-d DEVICE] [-m MODEL] [-json FILE]", kOptions));
    return 0;
  }
  BURIN_ASSIGN_OR_RETURN(const DeviceReport device, QueryDevice(core, given.Text("d")));
  absl::StrAppend(output, ToText(device));
  nlohmann::ordered_json json = {{"device", ToJson(device)}};
  int code = 0;
  if (given.Has("m")) {
    BURIN_ASSIGN_OR_RETURN(const Model model, core.ReadModel(given.Text("m")));
    BURIN_ASSIGN_OR_RETURN(const ModelSupport support, core.QueryModelSupport(model, device.name));
    const ModelReport report = JudgeModel(model.graph(), support);
    absl::StrAppend(output, ToText(report));
    json["model"] = ToJson(report);
    if (report.refused_count() != 0) code = 1;
  }
  if (given.Has("json")) {
    // A model's names need not be UTF-8.
    const std::string text = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
    BURIN_RETURN_IF_ERROR(WriteFileAtomically(given.Text("json"), absl::StrCat(text, "\n")));
  }
  return code;
}

}  // namespace burin::query

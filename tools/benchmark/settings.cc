#include "tools/benchmark/settings.h"

#include <map>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "tools/models/builtin.h"
#include "tools/options/options.h"

namespace burin::benchmark {

namespace {

constexpr char kUsage[] = "benchmark [-m MODEL] [-d DEVICE] [-api sync|async] [-niter N] [-t SECONDS] ...";

constexpr char kDefaultModel[] = "builtin:mobilenet_v2(image=96)";

// What benchmark_app measures for on a CPU.
constexpr double kDefaultSeconds = 60;

constexpr options::Option kOptions[] = {
    {"m", "MODEL",
     "The model: a file, or builtin:NAME or builtin:NAME(key=value,...) for a network with made-up weights. "
     "Default: builtin:mobilenet_v2(image=96)."},
    {"d", "DEVICE", "The device. Default: CPU where there is one, else REFERENCE."},
    {"api", "sync|async",
     "sync runs one request again and again; async keeps as many running as keep the device busy. Default: async."},
    {"niter", "N",
     "Ends after that many inferences; with -api async they are rounded up to a multiple of the number of requests."},
    {"t", "SECONDS", "Ends after that time. With -niter too, whichever comes first. Default without either: 60."},
    {"shape", "SHAPES",
     "Reshapes inputs: \"in1[1,3,224,224],in2[1,?]\", or \"[1,3,224,224]\" for every input. A dimension may be ?, -1 "
     "or a range such as 1..10."},
    {"data_shape", "SHAPES",
     "The shapes of the data for a model with dynamic inputs, several per input being taken in turn: "
     "\"in1[1,128][1,256],in2[1,128][1,256]\"."},
    {"i", "FILES",
     "Data for inputs: \"in1:a.npy,b.npy,in2:c.bin\", several per input being taken in turn; without names for a model "
     "with one input. A .bin holds the elements alone. Inputs without files get seeded random data."},
    {"pc", nullptr, "Prints the time of each node, slowest first."},
    {"json_stats", "FILE", "Writes settings and results as JSON."},
};

// benchmark_app's other options.
const std::map<std::string, std::string>& Refused() {
  static const auto* const refused = [] {
    auto* map = new std::map<std::string, std::string>;
    for (const char* name : {"b",
                             "c",
                             "cache_dir",
                             "dump_config",
                             "exec_graph_path",
                             "extensions",
                             "hint",
                             "infer_precision",
                             "inference_only",
                             "iop",
                             "ip",
                             "latency_percentile",
                             "layout",
                             "load_config",
                             "load_from_file",
                             "max_irate",
                             "mean_values",
                             "nireq",
                             "no_warmup",
                             "nstreams",
                             "nthreads",
                             "op",
                             "pcseq",
                             "pcsort",
                             "pin",
                             "report_folder",
                             "report_type",
                             "scale_values",
                             "use_device_mem"}) {
      map->emplace(name, "benchmark_app has it, this tool does not support it");
    }
    return map;
  }();
  return *refused;
}

}  // namespace

absl::StatusOr<Settings> ParseSettings(const std::vector<std::string>& arguments) {
  BURIN_ASSIGN_OR_RETURN(options::Options given, options::Options::Parse(kOptions, arguments, Refused()));
  Settings settings;
  settings.help = given.help();
  settings.is_default_model = !given.Has("m");
  settings.model = given.Text("m", kDefaultModel);
  settings.device = given.Text("d");
  const std::string api = given.Text("api", "async");
  if (api != "sync" && api != "async") {
    return absl::InvalidArgumentError(absl::StrCat("Option -api: expected sync or async, found \"", api, "\""));
  }
  settings.api = api == "sync" ? Api::kSync : Api::kAsync;
  BURIN_ASSIGN_OR_RETURN(settings.iterations, given.Integer("niter", 0, 0, int64_t{1} << 40));
  BURIN_ASSIGN_OR_RETURN(settings.seconds, given.Real("t", 0, 0, 1e9));
  if (settings.iterations == 0 && settings.seconds == 0) settings.seconds = kDefaultSeconds;
  settings.shape = given.Text("shape");
  settings.data_shape = given.Text("data_shape");
  settings.input = given.Text("i");
  settings.counters = given.Has("pc");
  settings.json_path = given.Text("json_stats");
  for (const char* name : {"m", "shape", "data_shape", "i", "json_stats"}) {
    if (given.Has(name) && given.Text(name).empty()) {
      return absl::InvalidArgumentError(absl::StrCat("Option -", name, " has an empty value"));
    }
  }
  return settings;
}

std::string SettingsHelp() {
  return absl::StrCat(options::HelpText(kUsage, kOptions), "\nBuilt-in networks with their defaults:\n",
                      models::ListBuiltins());
}

}  // namespace burin::benchmark

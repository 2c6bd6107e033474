#include "tools/benchmark/settings.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "tools/models/builtin.h"
#include "tools/options/options.h"

namespace burin::benchmark {

namespace {

constexpr char kUsage[] = "benchmark [-m MODEL] [-d DEVICE] [-hint HINT] [-niter N] [-t SECONDS] ...";

constexpr char kDefaultModel[] = "builtin:mobilenet_v2(image=96)";

// What benchmark_app measures for on a CPU.
constexpr double kDefaultSeconds = 60;

// A request holds the memory of a whole inference.
constexpr int64_t kMaxRequests = 4096;

constexpr options::Option kOptions[] = {
    {"m", "MODEL",
     "The model: a file, or builtin:NAME or builtin:NAME(key=value,...) for a network with made-up weights. "
     "Default: builtin:mobilenet_v2(image=96)."},
    {"load_from_file", nullptr,
     "Compiles the file itself instead of the model read from it; no option may then change the model."},
    {"d", "DEVICE", "The device. Default: CPU where there is one, else REFERENCE."},
    {"hint", "HINT",
     "What the device optimises: throughput (tput), latency, cumulative_throughput (ctput), or none to set nothing. "
     "Default: throughput, or latency with -api sync, where the device has the property PERFORMANCE_HINT."},
    {"api", "sync|async",
     "sync runs one request again and again; async keeps as many running as keep the device busy. Default: async; sync "
     "for the latency hint."},
    {"nireq", "N", "How many requests -api async keeps running. Default: the compiled model's optimal number."},
    {"niter", "N",
     "Ends after that many inferences; with -api async they are rounded up to a multiple of the number of requests."},
    {"t", "SECONDS", "Ends after that time. With -niter too, whichever comes first. Default without either: 60."},
    {"max_irate", "RATE", "Starts inferences so that at most that many frames per second are processed."},
    {"inference_only", "true|false",
     "false copies the data into each request before every inference, within the measured time; true hands it over "
     "once. Default: true for a static model, false for one with dynamic inputs."},
    {"no_warmup", nullptr, "Measures from the very first inference on."},
    {"nstreams", "N", "The property NUM_STREAMS: N, or DEVICE:N,... Wants -hint none."},
    {"nthreads", "N", "The property INFERENCE_NUM_THREADS. Wants -hint none."},
    {"pin", "YES|NO", "The property ENABLE_CPU_PINNING. Wants -hint none."},
    {"infer_precision", "TYPE", "The property INFERENCE_PRECISION_HINT: TYPE, or DEVICE:TYPE,..."},
    {"load_config", "FILE",
     "Sets the properties in a JSON file, {\"DEVICE\": {\"NAME\": \"VALUE\"}}; options win over it."},
    {"dump_config", "FILE", "Writes the properties that were set, in the form of -load_config."},
    {"shape", "SHAPES",
     "Reshapes inputs: \"in1[1,3,224,224],in2[1,?]\", or \"[1,3,224,224]\" for every input. A dimension may be ?, -1 "
     "or a range such as 1..10."},
    {"layout", "LAYOUTS",
     "What the dimensions of inputs mean: \"in1[NCHW],in2[NC]\", or \"[NCHW]\" for every input. For -b and pictures."},
    {"b", "N", "Gives the inputs that batch size: dimension N of their layout."},
    {"ip", "TYPE", "The element type in which all inputs are given: f32, u8, ... The model converts."},
    {"op", "TYPE", "The element type in which all outputs are returned."},
    {"iop", "TYPES", "The same by name, \"in1:u8,out1:f16\"; wins over -ip and -op."},
    {"data_shape", "SHAPES",
     "The shapes of the data for a model with dynamic inputs, several per input being taken in turn: "
     "\"in1[1,128][1,256],in2[1,128][1,256]\"."},
    {"i", "FILES",
     "Data for inputs: \"in1:a.npy,b.npy,in2:c.bin\", several per input being taken in turn; without names for a model "
     "with one input. A .bin holds the elements alone. A .png or .bmp is resized to an input whose layout has H, W and "
     "1, 3 or 4 channels, and fills one item of its batch. The word random, as for inputs without files, makes seeded "
     "data; image_info gives height, width and scale of the model's picture."},
    {"latency_percentile", "P", "Reports that percentile of the latencies, 1 to 100. Default: 50, the median."},
    {"pc", nullptr, "Prints what each node ran and took, slowest first, and how near that is to the machine's limit."},
    {"pcsort", "ORDER",
     "As -pc: sort prints the slowest node first, no_sort in order of execution, simple_sort those that ran."},
    {"pcseq", nullptr, "Reports the latencies of each of several data shapes too."},
    {"report_type", "TYPE",
     "Writes benchmark_report.csv and .json (no_counters); and benchmark_average_counters_report.csv, or "
     "benchmark_detailed_counters_report.csv with the nodes of each request (average_counters, detailed_counters)."},
    {"report_folder", "FOLDER", "Where -report_type writes. Default: the working directory."},
    {"json_stats", "FILE", "Writes settings and results as JSON."},
    {"exec_graph_path", "FILE",
     "Writes what was executed, with times: as text (.txt), JSON (.json), for Graphviz (.dot) or as a picture (.svg)."},
    {"trace", "FILE",
     "Writes when each node ran in the last inference of each request, for chrome://tracing or Perfetto."},
    {"worker", nullptr,
     "Measures nothing by itself: compiles the file of -m and infers as a program asks, which writes to the standard "
     "input and reads from the standard output, a line of JSON each (tools/benchmark/worker/worker.h). Only options of "
     "the device go with it."},
};

// Those that -worker goes with.
constexpr const char* kWorkerOptions[] = {"worker",          "m",          "d", "hint", "nstreams", "nthreads", "pin",
                                          "infer_precision", "load_config"};

// benchmark_app's other options.
const std::map<std::string, std::string>& Refused() {
  static const auto* const refused = [] {
    auto* map = new std::map<std::string, std::string>;
    for (const char* name : {"c", "cache_dir", "extensions", "mean_values", "scale_values", "use_device_mem"}) {
      map->emplace(name, "benchmark_app has it, this tool does not support it");
    }
    return map;
  }();
  return *refused;
}

// What an option's word stands for.
template <class T>
struct Word {
  const char* text;
  T value;
};

constexpr Word<Api> kApis[] = {{"sync", Api::kSync}, {"async", Api::kAsync}};
constexpr Word<bool> kBooleans[] = {{"true", true}, {"false", false}};
constexpr Word<bool> kYesOrNo[] = {{"YES", true}, {"NO", false}};
constexpr Word<const char*> kHints[] = {
    {"throughput", "THROUGHPUT"},
    {"tput", "THROUGHPUT"},
    {"latency", "LATENCY"},
    {"cumulative_throughput", "CUMULATIVE_THROUGHPUT"},
    {"ctput", "CUMULATIVE_THROUGHPUT"},
    {"none", ""},
};
constexpr Word<CounterOrder> kOrders[] = {
    {"sort", CounterOrder::kByTime},
    {"no_sort", CounterOrder::kAsExecuted},
    {"simple_sort", CounterOrder::kAsExecutedRunOnly},
};
constexpr Word<ReportType> kReportTypes[] = {
    {"no_counters", ReportType::kNoCounters},
    {"average_counters", ReportType::kAverageCounters},
    {"detailed_counters", ReportType::kDetailedCounters},
};

// Reads an option whose value is one of `words`; `*value` stays as it is where the option is not given.
template <class T, size_t kCount, class Target>
absl::Status ReadWord(const options::Options& given, const char* name, const Word<T> (&words)[kCount], Target* value) {
  if (!given.Has(name)) return absl::OkStatus();
  const std::string text = given.Text(name);
  for (const Word<T>& word : words) {
    if (text != word.text) continue;
    *value = word.value;
    return absl::OkStatus();
  }
  const auto append = [](std::string* out, const Word<T>& word) { absl::StrAppend(out, word.text); };
  return absl::InvalidArgumentError(absl::StrCat("Option -", name, ": expected ",
                                                 absl::StrJoin(absl::MakeConstSpan(words), " or ", append),
                                                 ", found \"", text, "\""));
}

absl::Status Contradiction(const char* option, const char* why) {
  return absl::InvalidArgumentError(absl::StrCat("Option -", option, " ", why));
}

absl::Status ReadModelOptions(const options::Options& given, Settings* settings) {
  settings->is_default_model = !given.Has("m");
  settings->model = given.Text("m", kDefaultModel);
  settings->load_from_file = given.Has("load_from_file");
  settings->shape = given.Text("shape");
  settings->data_shape = given.Text("data_shape");
  settings->layout = given.Text("layout");
  BURIN_ASSIGN_OR_RETURN(settings->batch, given.Integer("b", 0, 1, int64_t{1} << 31));
  settings->input_type = given.Text("ip");
  settings->output_type = given.Text("op");
  settings->port_types = given.Text("iop");
  settings->input = given.Text("i");
  if (!settings->load_from_file) return absl::OkStatus();
  if (models::IsBuiltin(settings->model)) return Contradiction("load_from_file", "wants a file in -m");
  for (const char* name : {"shape", "b", "ip", "op", "iop"}) {
    if (given.Has(name)) return Contradiction(name, "changes the model, which -load_from_file leaves as it is");
  }
  return absl::OkStatus();
}

absl::Status ReadDeviceOptions(const options::Options& given, Settings* settings) {
  settings->device = given.Text("d");
  BURIN_RETURN_IF_ERROR(ReadWord(given, "hint", kHints, &settings->hint));
  BURIN_RETURN_IF_ERROR(ReadWord(given, "api", kApis, &settings->api));
  settings->streams = given.Text("nstreams");
  settings->threads = given.Text("nthreads");
  settings->pinning = given.Text("pin");
  bool pinning = false;
  BURIN_RETURN_IF_ERROR(ReadWord(given, "pin", kYesOrNo, &pinning));
  settings->precision = given.Text("infer_precision");
  settings->load_config = given.Text("load_config");
  settings->dump_config = given.Text("dump_config");
  if (settings->hint == "") return absl::OkStatus();
  for (const char* name : {"nstreams", "nthreads", "pin"}) {
    if (given.Has(name)) return Contradiction(name, "decides what a hint would decide: it wants -hint none");
  }
  return absl::OkStatus();
}

absl::Status ReadMeasurementOptions(const options::Options& given, Settings* settings) {
  BURIN_ASSIGN_OR_RETURN(settings->iterations, given.Integer("niter", 0, 0, int64_t{1} << 40));
  BURIN_ASSIGN_OR_RETURN(settings->seconds, given.Real("t", 0, 0, 1e9));
  if (settings->iterations == 0 && settings->seconds == 0) settings->seconds = kDefaultSeconds;
  BURIN_ASSIGN_OR_RETURN(settings->requests, given.Integer("nireq", 0, 1, kMaxRequests));
  BURIN_ASSIGN_OR_RETURN(settings->max_rate, given.Real("max_irate", 0, 1e-6, 1e9));
  settings->warm_up = !given.Has("no_warmup");
  return ReadWord(given, "inference_only", kBooleans, &settings->inference_only);
}

absl::Status ReadReportOptions(const options::Options& given, Settings* settings) {
  BURIN_ASSIGN_OR_RETURN(settings->percentile, given.Integer("latency_percentile", 50, 1, 100));
  settings->counters = given.Has("pc") || given.Has("pcsort");
  BURIN_RETURN_IF_ERROR(ReadWord(given, "pcsort", kOrders, &settings->counter_order));
  settings->latency_by_shape = given.Has("pcseq");
  BURIN_RETURN_IF_ERROR(ReadWord(given, "report_type", kReportTypes, &settings->report_type));
  settings->report_folder = given.Text("report_folder", ".");
  if (given.Has("report_folder") && settings->report_type == ReportType::kNone) {
    return Contradiction("report_folder", "says where -report_type writes, which is not given");
  }
  settings->json_path = given.Text("json_stats");
  settings->graph_path = given.Text("exec_graph_path");
  settings->trace_path = given.Text("trace");
  return absl::OkStatus();
}

absl::Status CheckWorker(const Settings& settings) {
  if (!settings.worker) return absl::OkStatus();
  if (settings.is_default_model || models::IsBuiltin(settings.model)) {
    return Contradiction("worker", "wants a file in -m");
  }
  for (const auto& [name, text] : settings.given) {
    if (std::find(std::begin(kWorkerOptions), std::end(kWorkerOptions), name) == std::end(kWorkerOptions)) {
      return Contradiction(name.c_str(), "has no effect with -worker");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Settings> ParseSettings(const std::vector<std::string>& arguments) {
  BURIN_ASSIGN_OR_RETURN(options::Options given, options::Options::Parse(kOptions, arguments, Refused()));
  Settings settings;
  settings.help = given.help();
  settings.worker = given.Has("worker");
  for (const options::Option& option : kOptions) {
    if (!given.Has(option.name)) continue;
    const std::string text = given.Text(option.name);
    if (option.value_name != nullptr && text.empty() && option.name != absl::string_view("d")) {
      return absl::InvalidArgumentError(absl::StrCat("Option -", option.name, " has an empty value"));
    }
    settings.given.emplace_back(option.name, text);
  }
  BURIN_RETURN_IF_ERROR(ReadModelOptions(given, &settings));
  BURIN_RETURN_IF_ERROR(ReadDeviceOptions(given, &settings));
  BURIN_RETURN_IF_ERROR(ReadMeasurementOptions(given, &settings));
  BURIN_RETURN_IF_ERROR(ReadReportOptions(given, &settings));
  BURIN_RETURN_IF_ERROR(CheckWorker(settings));
  return settings;
}

std::string SettingsHelp() {
  return absl::StrCat(options::HelpText(kUsage, kOptions), "\nBuilt-in networks with their defaults:\n",
                      models::ListBuiltins());
}

}  // namespace burin::benchmark

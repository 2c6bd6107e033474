// //tools:benchmark: how fast does a device run a model? Steps, options and figures are those of benchmark_app.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/element_type.h"
#include "base/file.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/layout.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "jit/limits/core_sharing.h"
#include "runtime/api/compiled_model.h"
#include "runtime/api/core.h"
#include "runtime/api/infer_request.h"
#include "runtime/api/model.h"
#include "runtime/api/properties.h"
#include "runtime/dev/port.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/property_map.h"
#include "tools/benchmark/counters.h"
#include "tools/benchmark/data/inputs.h"
#include "tools/benchmark/data/shapes.h"
#include "tools/benchmark/device_config.h"
#include "tools/benchmark/device_setup.h"
#include "tools/benchmark/exec_graph.h"
#include "tools/benchmark/measurement.h"
#include "tools/benchmark/port_types.h"
#include "tools/benchmark/progress.h"
#include "tools/benchmark/report.h"
#include "tools/benchmark/roofline.h"
#include "tools/benchmark/settings.h"
#include "tools/benchmark/statistics.h"
#include "tools/benchmark/trace.h"
#include "tools/benchmark/worker/worker.h"
#include "tools/models/builtin.h"

namespace burin::benchmark {
namespace {

// Of the data that is made up for inputs.
constexpr uint64_t kSeed = 1;

class Stopwatch {
 public:
  double Milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void Info(const std::string& text) {
  std::printf("[ INFO ] %s\n", text.c_str());
  std::fflush(stdout);
}

void PrintPorts(const char* title, const std::vector<Port>& ports) {
  Info(title);
  for (const Port& port : ports) {
    const bool has_layout = !(port.layout == ir::Layout());
    Info(absl::StrCat("    ", ToString(port), has_layout ? absl::StrCat(" ", port.layout.ToString()) : ""));
  }
}

std::string Fixed(double milliseconds) { return absl::StrFormat("%.2f", milliseconds); }

// Prints the shapes of a set of inputs: `data: [1,3,224,224], ids: [1,8]`.
std::string ShapesOf(const std::vector<Port>& inputs, const InputSet& set) {
  std::vector<std::string> shapes;
  for (const Port& port : inputs) {
    shapes.push_back(absl::StrCat(port.name(), ": ", ir::ToString(set.tensors[port.index].shape())));
  }
  return absl::StrJoin(shapes, ", ");
}

absl::Status WriteReport(const std::string& what, const std::string& path, const std::string& text) {
  BURIN_RETURN_IF_ERROR(WriteFileAtomically(path, text));
  Info(absl::StrCat(what, " is written to ", path));
  return absl::OkStatus();
}

// One run of the tool, step by step.
class Benchmark {
 public:
  explicit Benchmark(const Settings& settings) : settings_(settings) { report_.settings = settings; }

  absl::Status Run() {
    Step("Parsing and validating input arguments");
    if (settings_.is_default_model) {
      Info(absl::StrCat("No model is given with -m: measuring ", settings_.model, ", a network with made-up weights"));
    }
    if (!settings_.graph_path.empty()) BURIN_RETURN_IF_ERROR(CheckGraphPath(settings_.graph_path));
    BURIN_RETURN_IF_ERROR(LoadRuntime());
    BURIN_RETURN_IF_ERROR(ConfigureDevice());
    if (settings_.load_from_file) {
      for (int i = 0; i < 3; ++i) Step("Skipped: the file is compiled as it is");
      BURIN_RETURN_IF_ERROR(Compile());
      BURIN_RETURN_IF_ERROR(MakeInputs(compiled_->inputs()));
    } else {
      BURIN_RETURN_IF_ERROR(ReadModel());
      BURIN_RETURN_IF_ERROR(ReshapeModel());
      // Before the model is compiled, which may take long.
      BURIN_RETURN_IF_ERROR(MakeInputs(model_->inputs()));
      BURIN_RETURN_IF_ERROR(Compile());
    }
    BURIN_RETURN_IF_ERROR(CreateRequests());
    BURIN_RETURN_IF_ERROR(Measure());
    return ReportResults();
  }

 private:
  void Step(const std::string& title) {
    std::printf("[Step %d/11] %s\n", ++step_, title.c_str());
    std::fflush(stdout);
  }

  bool is_sync() const { return report_.api == Api::kSync; }

  absl::Status LoadRuntime() {
    Step("Loading Burin Runtime");
    BURIN_ASSIGN_OR_RETURN(FoundDevices found, FindDevices(core_, settings_.device));
    for (const auto& [device, version] : found.versions) {
      Info(absl::StrCat("Device ", device, ": ", version.description, ", build ", version.build));
    }
    facts_ = std::move(found.facts);
    return absl::OkStatus();
  }

  absl::Status ConfigureDevice() {
    Step("Setting device configuration");
    BURIN_ASSIGN_OR_RETURN(ChosenConfig chosen, ReadConfig(settings_, facts_));
    if (!chosen.default_hint.empty()) {
      Info(absl::StrCat("No -hint is given: device ", facts_.name, " gets ", chosen.default_hint));
    }
    report_.api = chosen.api;
    report_.config = chosen.config;
    if (is_sync() && settings_.requests > 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("Option -nireq: one request runs synchronously, found ", settings_.requests));
    }
    for (const auto& [device, properties] : chosen.config) {
      for (const auto& [name, value] : properties) Info(absl::StrCat(device, ": ", name, ": ", value));
    }
    BURIN_ASSIGN_OR_RETURN(compile_properties_, ApplyConfig(settings_, facts_, chosen.config, &core_));
    if (settings_.dump_config.empty()) return absl::OkStatus();
    return WriteReport("Configuration", settings_.dump_config, DeviceConfigToJson(chosen.config));
  }

  absl::Status ReadModel() {
    Step("Reading model files");
    const Stopwatch stopwatch;
    if (models::IsBuiltin(settings_.model)) {
      BURIN_ASSIGN_OR_RETURN(std::unique_ptr<ir::Model> graph, models::BuildBuiltinModel(settings_.model));
      model_.emplace(std::shared_ptr<ir::Model>(std::move(graph)));
    } else {
      BURIN_ASSIGN_OR_RETURN(model_, core_.ReadModel(settings_.model));
    }
    report_.read_model_ms = stopwatch.Milliseconds();
    Info(absl::StrCat("Read model took ", Fixed(*report_.read_model_ms), " ms"));
    Info(absl::StrCat("Model name: ", model_->name(), ", operations: ", model_->operation_count()));
    PrintPorts("Model inputs:", model_->inputs());
    PrintPorts("Model outputs:", model_->outputs());
    return absl::OkStatus();
  }

  absl::Status ReshapeModel() {
    Step("Resizing model to the given shapes and batch");
    const Stopwatch stopwatch;
    if (!settings_.shape.empty()) {
      BURIN_ASSIGN_OR_RETURN(auto shapes, ParseShapes(settings_.shape, model_->inputs()));
      BURIN_RETURN_IF_ERROR(model_->Reshape(std::map<size_t, PartialShape>(shapes.begin(), shapes.end())));
    }
    if (!settings_.layout.empty()) {
      std::vector<Port> inputs = model_->inputs();
      BURIN_RETURN_IF_ERROR(ParseLayouts(settings_.layout, &inputs));
      for (const Port& port : inputs) BURIN_RETURN_IF_ERROR(model_->SetLayout(port, port.layout.ToString()));
    }
    if (settings_.batch > 0) {
      const absl::Status status = model_->SetBatch(settings_.batch);
      if (!status.ok()) return WithContext(status, "Option -b");
    }
    if (settings_.shape.empty() && settings_.batch == 0) {
      Info("Neither -shape nor -b is given: the model keeps its shapes");
    } else {
      Info(absl::StrCat("Reshape model took ", Fixed(stopwatch.Milliseconds()), " ms"));
    }

    Step("Configuring input of the model");
    const PortTypes types = {settings_.input_type, settings_.output_type, settings_.port_types};
    BURIN_ASSIGN_OR_RETURN(model_, ConvertPorts(*model_, types));
    PrintPorts("Model inputs:", model_->inputs());
    PrintPorts("Model outputs:", model_->outputs());
    return absl::OkStatus();
  }

  absl::Status MakeInputs(std::vector<Port> inputs) {
    if (!settings_.layout.empty()) BURIN_RETURN_IF_ERROR(ParseLayouts(settings_.layout, &inputs));
    BURIN_ASSIGN_OR_RETURN(sets_, MakeInputSets(inputs, settings_.input, settings_.data_shape, kSeed));
    report_.input_sets = static_cast<int64_t>(sets_.size());
    const bool is_sequence = !settings_.data_shape.empty() && sets_.size() > 1;
    if (settings_.latency_by_shape && !is_sequence) {
      return absl::InvalidArgumentError("Option -pcseq: it tells several data shapes apart, which -data_shape gives");
    }
    if (settings_.inference_only == true && is_sequence) {
      return absl::InvalidArgumentError(
          "Option -inference_only: with several data shapes every inference gets its inputs anew");
    }
    bool is_static = true;
    for (const Port& port : inputs) is_static = is_static && port.shape.is_static();
    plan_.fills_inputs = !settings_.inference_only.value_or(is_static);
    return absl::OkStatus();
  }

  absl::Status Compile() {
    Step("Loading the model to the device");
    const Stopwatch stopwatch;
    if (settings_.load_from_file) {
      BURIN_ASSIGN_OR_RETURN(compiled_, core_.CompileModel(settings_.model, settings_.device, compile_properties_));
    } else {
      BURIN_ASSIGN_OR_RETURN(compiled_, core_.CompileModel(*model_, settings_.device, compile_properties_));
    }
    report_.load_model_ms = stopwatch.Milliseconds();
    Info(absl::StrCat("Load model took ", Fixed(report_.load_model_ms), " ms"));
    if (settings_.load_from_file) {
      PrintPorts("Model inputs:", compiled_->inputs());
      PrintPorts("Model outputs:", compiled_->outputs());
    }
    return absl::OkStatus();
  }

  // Prints every property of the compiled model and returns how many requests keep the device busy.
  absl::StatusOr<int64_t> QueryProperties() {
    BURIN_ASSIGN_OR_RETURN(std::vector<std::string> names, compiled_->GetProperty(supported_properties));
    Info("Model properties:");
    for (const std::string& entry : names) {
      const std::string name = entry.substr(0, entry.find(':'));
      if (name == supported_properties.name) continue;
      BURIN_ASSIGN_OR_RETURN(std::string value, compiled_->GetProperty(name));
      Info(absl::StrCat("    ", name, ": ", value));
    }
    BURIN_ASSIGN_OR_RETURN(std::vector<std::string> devices, compiled_->GetProperty(execution_devices));
    report_.execution_devices = absl::StrJoin(devices, " ");
    return compiled_->GetProperty(optimal_number_of_infer_requests);
  }

  absl::Status CreateRequests() {
    Step("Querying optimal runtime parameters");
    BURIN_ASSIGN_OR_RETURN(optimal_requests_, QueryProperties());
    report_.requests = is_sync()                ? 1
                       : settings_.requests > 0 ? settings_.requests
                                                : std::max<int64_t>(1, optimal_requests_);
    plan_.iterations = settings_.iterations;
    plan_.seconds = settings_.seconds;
    plan_.max_rate = settings_.max_rate;
    if (plan_.iterations % report_.requests != 0) {
      plan_.iterations += report_.requests - plan_.iterations % report_.requests;
      Info(absl::StrCat("Number of iterations was aligned by request number from ", settings_.iterations, " to ",
                        plan_.iterations, " using number of requests ", report_.requests));
    }

    Step("Creating infer requests and preparing input tensors");
    for (int64_t i = 0; i < report_.requests; ++i) {
      BURIN_ASSIGN_OR_RETURN(InferRequest request, compiled_->CreateInferRequest());
      requests_.push_back(std::move(request));
    }
    for (const InputSet& set : sets_) {
      Info(absl::StrCat("Input set of ", set.frames, set.frames == 1 ? " frame:" : " frames:"));
      for (size_t i = 0; i < set.tensors.size(); ++i) {
        Info(absl::StrCat("    \"", compiled_->inputs()[i].name(), "\" ", Name(set.tensors[i].element_type()),
                          ir::ToString(set.tensors[i].shape()), ": ", set.sources[i]));
      }
    }
    return absl::OkStatus();
  }

  // Returns what the measurement does, in words.
  std::string DescribePlan() const {
    std::vector<std::string> limits;
    if (plan_.iterations > 0) limits.push_back(absl::StrCat(plan_.iterations, " iterations"));
    if (plan_.seconds > 0) limits.push_back(absl::StrCat(1000 * plan_.seconds, " ms duration"));
    if (plan_.max_rate > 0) limits.push_back(absl::StrCat(plan_.max_rate, " FPS"));
    return absl::StrCat("Start inference ", is_sync() ? "synchronously" : "asynchronously", ", ", requests_.size(),
                        " inference requests", plan_.fills_inputs ? ", filling inputs" : "",
                        ", limits: ", absl::StrJoin(limits, ", "));
  }

  absl::Status Measure() {
    Step(absl::StrCat("Measuring performance (", DescribePlan(), ")"));
    if (settings_.warm_up) {
      BURIN_ASSIGN_OR_RETURN(report_.first_inference_ms, RunOnce(requests_.front(), sets_.front()));
      Info(absl::StrCat("First inference took ", Fixed(*report_.first_inference_ms), " ms"));
    }
    Progress progress(stdout, isatty(STDOUT_FILENO) != 0);
    const auto on_progress = [&progress](double share) { progress.Update(share); };
    BURIN_ASSIGN_OR_RETURN(Measurement measurement, is_sync()
                                                        ? MeasureSync(requests_.front(), sets_, plan_, on_progress)
                                                        : MeasureAsync(requests_, sets_, plan_, on_progress));
    std::vector<double> latencies;
    std::vector<std::vector<double>> by_set(sets_.size());
    for (const Sample& sample : measurement.samples) {
      latencies.push_back(sample.latency_ms);
      by_set[sample.set].push_back(sample.latency_ms);
    }
    report_.statistics =
        Summarize(std::move(latencies), measurement.duration_ms, measurement.frames, settings_.percentile);
    if (!settings_.latency_by_shape) return absl::OkStatus();
    for (size_t set = 0; set < sets_.size(); ++set) {
      if (by_set[set].empty()) continue;  // Time was up before its turn came.
      report_.groups.push_back(LatencyGroup{ShapesOf(compiled_->inputs(), sets_[set]),
                                            SummarizeLatencies(std::move(by_set[set]), settings_.percentile)});
    }
    return absl::OkStatus();
  }

  // Returns how many threads an inference has: its share of those that the device uses, which is one for a device that
  // does not let them be chosen.
  int ThreadsOfInference() const {
    const absl::StatusOr<std::string> text = compiled_->GetProperty("INFERENCE_NUM_THREADS");
    int64_t threads = 0;
    if (!text.ok() || !absl::SimpleAtoi(*text, &threads)) return 1;
    if (threads == 0) threads = static_cast<int64_t>(jit::UsableCpus().size());
    return static_cast<int>(std::max<int64_t>(1, threads / std::max<int64_t>(1, optimal_requests_)));
  }

  absl::Status ReportCounters() {
    std::vector<std::vector<ProfilingInfo>> counters;
    for (const InferRequest& request : requests_) {
      BURIN_ASSIGN_OR_RETURN(std::vector<ProfilingInfo> infos, request.GetProfilingInfo());
      counters.push_back(std::move(infos));
    }
    const std::vector<ProfilingInfo> merged = MergeCounters(counters);
    report_.counters = Ordered(merged, settings_.counter_order);
    if (settings_.counters || !settings_.json_path.empty() || settings_.report_type != ReportType::kNone) {
      BURIN_ASSIGN_OR_RETURN(report_.roofline, Roofline::Measure(ThreadsOfInference()));
    }
    if (settings_.counters) std::fputs(CounterTable(report_.counters, *report_.roofline).c_str(), stdout);
    if (!settings_.trace_path.empty()) {
      BURIN_RETURN_IF_ERROR(WriteReport("Trace", settings_.trace_path, ToTrace(settings_.model, counters)));
    }
    const std::string prefix = settings_.report_folder + "/benchmark_";
    if (settings_.report_type == ReportType::kAverageCounters) {
      return WriteReport("Performance counters report", prefix + "average_counters_report.csv", CounterCsv({merged}));
    }
    if (settings_.report_type == ReportType::kDetailedCounters) {
      return WriteReport("Performance counters report", prefix + "detailed_counters_report.csv", CounterCsv(counters));
    }
    return absl::OkStatus();
  }

  absl::Status ReportResults() {
    Step("Dumping statistics report");
    if (settings_.NeedsCounters()) BURIN_RETURN_IF_ERROR(ReportCounters());
    if (!settings_.graph_path.empty()) {
      BURIN_ASSIGN_OR_RETURN(Model runtime_model, compiled_->GetRuntimeModel());
      BURIN_ASSIGN_OR_RETURN(std::string text, GraphToText(runtime_model, settings_.graph_path));
      BURIN_RETURN_IF_ERROR(WriteReport("Execution graph", settings_.graph_path, text));
    }
    if (!settings_.json_path.empty()) {
      BURIN_RETURN_IF_ERROR(WriteReport("Statistics report", settings_.json_path, ToJson(report_)));
    }
    if (settings_.report_type != ReportType::kNone) {
      const std::string path = settings_.report_folder + "/benchmark_report";
      BURIN_RETURN_IF_ERROR(WriteReport("Statistics report", path + ".csv", ToCsv(report_)));
      BURIN_RETURN_IF_ERROR(WriteReport("Statistics report", path + ".json", ToJson(report_)));
    }
    Info(absl::StrCat("Execution Devices:   ", report_.execution_devices));
    std::fputs(ToString(report_.statistics).c_str(), stdout);
    if (!report_.groups.empty()) Info("Latency for each data shape group:");
    for (size_t i = 0; i < report_.groups.size(); ++i) {
      Info(absl::StrCat(i + 1, ". ", report_.groups[i].shapes));
      std::fputs(ToString(report_.groups[i].latency).c_str(), stdout);
    }
    return absl::OkStatus();
  }

  const Settings settings_;
  int step_ = 0;
  Core core_;
  DeviceFacts facts_;
  PropertyMap compile_properties_;
  std::optional<Model> model_;
  std::vector<InputSet> sets_;
  std::optional<CompiledModel> compiled_;
  int64_t optimal_requests_ = 1;
  Plan plan_;
  std::vector<InferRequest> requests_;
  Report report_;
};

// Answers a program until that asks to quit, or has gone.
absl::Status RunWorker(const Settings& settings) {
  Core core;
  BURIN_ASSIGN_OR_RETURN(const FoundDevices found, FindDevices(core, settings.device));
  BURIN_ASSIGN_OR_RETURN(const ChosenConfig chosen, ReadConfig(settings, found.facts));
  BURIN_ASSIGN_OR_RETURN(PropertyMap properties, ApplyConfig(settings, found.facts, chosen.config, &core));
  Worker worker(&core, settings.model, settings.device, std::move(properties));
  Serve(worker, std::cin, std::cout);
  return absl::OkStatus();
}

absl::Status Run(const Settings& settings) { return settings.worker ? RunWorker(settings) : Benchmark(settings).Run(); }

// Exit codes: 0 measured or answered, 1 not.
int Main(const std::vector<std::string>& arguments) {
  const absl::StatusOr<Settings> settings = ParseSettings(arguments);
  if (settings.ok() && settings->help) {
    std::fputs(SettingsHelp().c_str(), stdout);
    return 0;
  }
  const absl::Status status = settings.ok() ? Run(*settings) : settings.status();
  if (status.ok()) return 0;
  std::fflush(stdout);
  std::fprintf(stderr, "[ ERROR ] %s\n", status.ToString().c_str());
  return 1;
}

}  // namespace
}  // namespace burin::benchmark

int main(int argc, char** argv) { return burin::benchmark::Main(std::vector<std::string>(argv + 1, argv + argc)); }

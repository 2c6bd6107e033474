// //tools:benchmark: how fast does a device run a model? Steps, options and figures are those of benchmark_app.
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/element_type.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "runtime/api/compiled_model.h"
#include "runtime/api/core.h"
#include "runtime/api/infer_request.h"
#include "runtime/api/model.h"
#include "runtime/api/properties.h"
#include "runtime/api/version.h"
#include "runtime/dev/port.h"
#include "runtime/dev/profiling_info.h"
#include "tools/benchmark/counters.h"
#include "tools/benchmark/inputs.h"
#include "tools/benchmark/measurement.h"
#include "tools/benchmark/progress.h"
#include "tools/benchmark/report.h"
#include "tools/benchmark/settings.h"
#include "tools/benchmark/shapes.h"
#include "tools/benchmark/statistics.h"
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
  for (const Port& port : ports) Info(absl::StrCat("    ", ToString(port)));
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
    BURIN_RETURN_IF_ERROR(LoadRuntime());
    BURIN_RETURN_IF_ERROR(ReadModel());
    BURIN_RETURN_IF_ERROR(Reshape());
    BURIN_RETURN_IF_ERROR(Compile());
    BURIN_RETURN_IF_ERROR(CreateRequests());
    BURIN_RETURN_IF_ERROR(Measure());
    return ReportResults();
  }

 private:
  void Step(const std::string& title) {
    std::printf("[Step %d/11] %s\n", ++step_, title.c_str());
    std::fflush(stdout);
  }

  absl::Status LoadRuntime() {
    Step("Loading Burin Runtime");
    BURIN_ASSIGN_OR_RETURN(auto versions, core_.GetVersions(settings_.device));
    for (const auto& [device, version] : versions) {
      Info(absl::StrCat("Device ", device, ": ", version.description, ", build ", version.build));
    }
    Step("Setting device configuration");
    if (settings_.counters) properties_.insert(perf_count(true));
    for (const auto& [name, value] : properties_) Info(absl::StrCat(name, ": ", value));
    return absl::OkStatus();
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
    Info(absl::StrCat("Read model took ", Fixed(report_.read_model_ms), " ms"));
    Info(absl::StrCat("Model name: ", model_->name(), ", operations: ", model_->operation_count()));
    PrintPorts("Model inputs:", model_->inputs());
    PrintPorts("Model outputs:", model_->outputs());
    return absl::OkStatus();
  }

  absl::Status Reshape() {
    Step("Resizing model to the given shapes");
    if (settings_.shape.empty()) {
      Info("No -shape is given: the model keeps its shapes");
    } else {
      BURIN_ASSIGN_OR_RETURN(auto shapes, ParseShapes(settings_.shape, model_->inputs()));
      const Stopwatch stopwatch;
      BURIN_RETURN_IF_ERROR(model_->Reshape(std::map<size_t, PartialShape>(shapes.begin(), shapes.end())));
      Info(absl::StrCat("Reshape model took ", Fixed(stopwatch.Milliseconds()), " ms"));
    }
    Step("Configuring input of the model");
    PrintPorts("Model inputs:", model_->inputs());
    PrintPorts("Model outputs:", model_->outputs());
    // Before the model is compiled, which may take long.
    BURIN_ASSIGN_OR_RETURN(sets_, MakeInputSets(model_->inputs(), settings_.input, settings_.data_shape, kSeed));
    return absl::OkStatus();
  }

  absl::Status Compile() {
    Step("Loading the model to the device");
    const Stopwatch stopwatch;
    BURIN_ASSIGN_OR_RETURN(compiled_, core_.CompileModel(*model_, settings_.device, properties_));
    report_.load_model_ms = stopwatch.Milliseconds();
    Info(absl::StrCat("Load model took ", Fixed(report_.load_model_ms), " ms"));
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
    Step("Setting optimal runtime parameters");
    BURIN_ASSIGN_OR_RETURN(int64_t optimal, QueryProperties());
    const int64_t count = settings_.api == Api::kSync || optimal < 1 ? 1 : optimal;
    limits_ = Limits{settings_.iterations, settings_.seconds};
    if (limits_.iterations % count != 0) {
      limits_.iterations += count - limits_.iterations % count;
      Info(absl::StrCat("Number of iterations was aligned by request number from ", settings_.iterations, " to ",
                        limits_.iterations, " using number of requests ", count));
    }

    Step("Creating infer requests and preparing input tensors");
    for (int64_t i = 0; i < count; ++i) {
      BURIN_ASSIGN_OR_RETURN(InferRequest request, compiled_->CreateInferRequest());
      requests_.push_back(std::move(request));
    }
    report_.requests = count;
    report_.input_sets = static_cast<int64_t>(sets_.size());
    for (const InputSet& set : sets_) {
      Info(absl::StrCat("Input set of ", set.frames, set.frames == 1 ? " frame:" : " frames:"));
      for (size_t i = 0; i < set.tensors.size(); ++i) {
        Info(absl::StrCat("    \"", compiled_->inputs()[i].name(), "\" ", Name(set.tensors[i].element_type()),
                          ir::ToString(set.tensors[i].shape()), ": ", set.sources[i]));
      }
    }
    return absl::OkStatus();
  }

  absl::Status Measure() {
    std::vector<std::string> limits;
    if (limits_.iterations > 0) limits.push_back(absl::StrCat(limits_.iterations, " iterations"));
    if (limits_.seconds > 0) limits.push_back(absl::StrCat(1000 * limits_.seconds, " ms duration"));
    const bool is_sync = settings_.api == Api::kSync;
    Step(absl::StrCat("Measuring performance (Start inference ", is_sync ? "synchronously" : "asynchronously", ", ",
                      requests_.size(), " inference requests, limits: ", absl::StrJoin(limits, ", "), ")"));
    BURIN_ASSIGN_OR_RETURN(report_.first_inference_ms, RunOnce(requests_.front(), sets_.front()));
    Info(absl::StrCat("First inference took ", Fixed(report_.first_inference_ms), " ms"));

    Progress progress(stdout, isatty(STDOUT_FILENO) != 0);
    const auto on_progress = [&progress](double share) { progress.Update(share); };
    BURIN_ASSIGN_OR_RETURN(Measurement measurement, is_sync
                                                        ? MeasureSync(requests_.front(), sets_, limits_, on_progress)
                                                        : MeasureAsync(requests_, sets_, limits_, on_progress));
    report_.statistics = Summarize(std::move(measurement.latencies_ms), measurement.duration_ms, measurement.frames);
    return absl::OkStatus();
  }

  absl::Status ReportResults() {
    Step("Dumping statistics report");
    if (settings_.counters) {
      std::vector<std::vector<ProfilingInfo>> counters;
      for (const InferRequest& request : requests_) {
        BURIN_ASSIGN_OR_RETURN(std::vector<ProfilingInfo> infos, request.GetProfilingInfo());
        counters.push_back(std::move(infos));
      }
      report_.counters = SortedByTime(MergeCounters(counters));
      std::fputs(CounterTable(report_.counters).c_str(), stdout);
    }
    if (!settings_.json_path.empty()) {
      BURIN_RETURN_IF_ERROR(WriteFileAtomically(settings_.json_path, ToJson(report_)));
      Info(absl::StrCat("Statistics are written to ", settings_.json_path));
    }
    Info(absl::StrCat("Execution Devices:   ", report_.execution_devices));
    std::fputs(ToString(report_.statistics).c_str(), stdout);
    return absl::OkStatus();
  }

  static std::string Fixed(double milliseconds) { return absl::StrFormat("%.2f", milliseconds); }

  const Settings settings_;
  int step_ = 0;
  Core core_;
  PropertyMap properties_;
  std::optional<Model> model_;
  std::vector<InputSet> sets_;
  std::optional<CompiledModel> compiled_;
  Limits limits_;
  std::vector<InferRequest> requests_;
  Report report_;
};

// Exit codes: 0 measured, 1 not measured.
int Main(const std::vector<std::string>& arguments) {
  const absl::StatusOr<Settings> settings = ParseSettings(arguments);
  if (settings.ok() && settings->help) {
    std::fputs(SettingsHelp().c_str(), stdout);
    return 0;
  }
  const absl::Status status = settings.ok() ? Benchmark(*settings).Run() : settings.status();
  if (status.ok()) return 0;
  std::fflush(stdout);
  std::fprintf(stderr, "[ ERROR ] %s\n", status.ToString().c_str());
  return 1;
}

}  // namespace
}  // namespace burin::benchmark

int main(int argc, char** argv) { return burin::benchmark::Main(std::vector<std::string>(argv + 1, argv + argc)); }

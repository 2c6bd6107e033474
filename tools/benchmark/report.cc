#include "tools/benchmark/report.h"

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "tools/benchmark/counters.h"

namespace burin::benchmark {

namespace {

using Json = nlohmann::ordered_json;

const char* ApiName(Api api) { return api == Api::kSync ? "sync" : "async"; }

Json OptionsToJson(const Settings& settings) {
  Json json = Json::object();
  json["m"] = settings.model;
  json["d"] = settings.device;
  json["api"] = ApiName(settings.api);
  json["niter"] = settings.iterations;
  json["t"] = settings.seconds;
  json["shape"] = settings.shape;
  json["data_shape"] = settings.data_shape;
  json["i"] = settings.input;
  json["pc"] = settings.counters;
  return json;
}

Json ResultsToJson(const Report& report) {
  const Statistics& statistics = report.statistics;
  Json json = Json::object();
  json["read_model_time"] = report.read_model_ms;
  json["load_model_time"] = report.load_model_ms;
  json["first_inference_time"] = report.first_inference_ms;
  json["execution_time"] = statistics.duration_ms;
  json["iterations_num"] = statistics.count;
  json["latency_median"] = statistics.latency.median;
  json["latency_avg"] = statistics.latency.average;
  json["latency_min"] = statistics.latency.min;
  json["latency_max"] = statistics.latency.max;
  json["throughput"] = statistics.frames_per_second;
  return json;
}

Json CounterToJson(const ProfilingInfo& info) {
  Json json = Json::object();
  json["name"] = info.node_name;
  json["status"] = StatusName(info.status);
  json["type"] = info.op_type;
  json["op_names"] = info.op_names;
  json["kernel"] = info.kernel;
  json["isa"] = info.isa;
  json["layout"] = info.layout;
  json["precision"] = info.precision;
  json["flops"] = info.flops;
  json["bytes"] = info.bytes;
  json["real_time_us"] = static_cast<double>(info.real_time_ns) / 1000;
  json["cpu_time_us"] = static_cast<double>(info.cpu_time_ns) / 1000;
  json["count"] = info.count;
  return json;
}

}  // namespace

std::string ToJson(const Report& report) {
  Json json = Json::object();
  json["cmd_options"] = OptionsToJson(report.settings);
  Json& setup = json["configuration_setup"] = Json::object();
  setup["model"] = report.settings.model;
  setup["execution_devices"] = report.execution_devices;
  setup["api"] = ApiName(report.settings.api);
  setup["requests"] = report.requests;
  setup["input_sets"] = report.input_sets;
  json["execution_results"] = ResultsToJson(report);
  if (report.settings.counters) {
    Json& counters = json["performance_counters"] = Json::array();
    for (const ProfilingInfo& info : report.counters) counters.push_back(CounterToJson(info));
  }
  return absl::StrCat(json.dump(2, ' ', false, Json::error_handler_t::replace), "\n");
}

}  // namespace burin::benchmark

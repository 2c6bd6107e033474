#include "tools/benchmark/report.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"
#include "tools/benchmark/counters.h"
#include "tools/benchmark/csv.h"

namespace burin::benchmark {

namespace {

using Json = nlohmann::ordered_json;

const char* ApiName(Api api) { return api == Api::kSync ? "sync" : "async"; }

Json OptionsToJson(const Settings& settings) {
  Json json = Json::object();
  for (const auto& [name, value] : settings.given) json[name] = value;
  return json;
}

Json SetupToJson(const Report& report) {
  Json json = Json::object();
  json["model"] = report.settings.model;
  json["execution_devices"] = report.execution_devices;
  json["api"] = ApiName(report.api);
  json["requests"] = report.requests;
  json["input_sets"] = report.input_sets;
  Json& properties = json["properties"] = Json::object();
  for (const auto& [device, values] : report.config) properties[device] = values;
  return json;
}

void AddLatency(const Latency& latency, Json* json) {
  (*json)["latency_median"] = latency.median;
  if (latency.percentile != 50) (*json)[absl::StrCat("latency_p", latency.percentile)] = latency.at_percentile;
  (*json)["latency_avg"] = latency.average;
  (*json)["latency_min"] = latency.min;
  (*json)["latency_max"] = latency.max;
}

Json ResultsToJson(const Report& report) {
  const Statistics& statistics = report.statistics;
  Json json = Json::object();
  if (report.read_model_ms.has_value()) json["read_model_time"] = *report.read_model_ms;
  json["load_model_time"] = report.load_model_ms;
  if (report.first_inference_ms.has_value()) json["first_inference_time"] = *report.first_inference_ms;
  json["execution_time"] = statistics.duration_ms;
  json["iterations_num"] = statistics.count;
  AddLatency(statistics.latency, &json);
  json["throughput"] = statistics.frames_per_second;
  return json;
}

Json GroupsToJson(const std::vector<LatencyGroup>& groups) {
  Json json = Json::array();
  for (const LatencyGroup& group : groups) {
    Json entry = Json::object();
    entry["data_shape"] = group.shapes;
    AddLatency(group.latency, &entry);
    json.push_back(std::move(entry));
  }
  return json;
}

Json CounterToJson(const ProfilingInfo& info, const std::optional<Roofline>& roofline) {
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
  if (!roofline.has_value()) return json;
  if (const std::optional<NodeLimit> limit = roofline->LimitOf(info)) {
    json["limit"] = limit->of;
    json["limit_share"] = limit->share;
  }
  return json;
}

std::string FieldOf(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return absl::StrFormat("%.6g", value.get<double>());
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void AppendSection(const char* title, const Json& values, std::string* csv) {
  AppendCsvLine({title}, csv);
  for (const auto& [name, value] : values.items()) AppendCsvLine({name, FieldOf(value)}, csv);
  *csv += '\n';
}

}  // namespace

std::string ToJson(const Report& report) {
  Json json = Json::object();
  json["cmd_options"] = OptionsToJson(report.settings);
  json["configuration_setup"] = SetupToJson(report);
  json["execution_results"] = ResultsToJson(report);
  if (!report.groups.empty()) json["execution_results"]["latency_groups"] = GroupsToJson(report.groups);
  if (!report.counters.empty()) {
    Json& counters = json["performance_counters"] = Json::array();
    for (const ProfilingInfo& info : report.counters) counters.push_back(CounterToJson(info, report.roofline));
    if (report.roofline.has_value()) json["performance_limits"] = report.roofline->ToString();
    json["reference_time_us"] = SumReferenceTime(report.counters).reference_us;
  }
  return absl::StrCat(json.dump(2, ' ', false, Json::error_handler_t::replace), "\n");
}

std::string ToCsv(const Report& report) {
  std::string csv;
  AppendSection("Command line parameters", OptionsToJson(report.settings), &csv);
  AppendSection("Configuration setup", SetupToJson(report), &csv);
  AppendSection("Execution results", ResultsToJson(report), &csv);
  if (report.groups.empty()) return csv;
  AppendCsvLine({"Group Latencies"}, &csv);
  const int64_t percentile = report.statistics.latency.percentile;
  AppendCsvLine(
      {"Data shape", percentile == 50 ? "Median" : absl::StrCat(percentile, " percentile"), "Average", "Min", "Max"},
      &csv);
  for (const LatencyGroup& group : report.groups) {
    std::vector<std::string> fields = {group.shapes};
    for (double value : {group.latency.at_percentile, group.latency.average, group.latency.min, group.latency.max}) {
      fields.push_back(absl::StrFormat("%.2f", value));
    }
    AppendCsvLine(fields, &csv);
  }
  csv += '\n';
  return csv;
}

}  // namespace burin::benchmark

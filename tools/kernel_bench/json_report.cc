#include "tools/kernel_bench/json_report.h"

#include <nlohmann/json.hpp>

#include "base/enum_names.h"
#include "jit/limits/core_sharing.h"
#include "jit/limits/machine_limits.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/comparison.h"

namespace burin::kernel_bench {
namespace {

// Keeps the keys in the order in which they are set.
using Json = nlohmann::ordered_json;

template <class E>
std::string NameOf(E value) {
  return std::string(EnumName(value));
}

Json ToValue(const Machine& machine) {
  Json json;
  json["time"] = machine.time;
  json["processor"] = machine.processor;
  json["hypervisor"] = machine.hypervisor;
  json["class"] = machine.microarch;
  json["parameters"] = machine.parameters;
  json["class_source"] = machine.microarch_source;
  json["level"] = machine.level;
  json["features"] = machine.features;
  json["cap"] = machine.cap;
  json["caches"] = machine.caches;
  json["processors"] = machine.cpus;
  json["clock_ghz"] = {{"min", machine.clock.min}, {"median", machine.clock.median}, {"max", machine.clock.max}};
  json["load_average"] = machine.load;
  return json;
}

Json ToValue(const std::vector<jit::CoreSharing>& pairs) {
  Json json = Json::array();
  for (const jit::CoreSharing& pair : pairs) {
    Json entry;
    entry["processors"] = {pair.cpus[0], pair.cpus[1]};
    entry["shared"] = pair.shared();
    entry["ratio"] = pair.Ratio();
    entry["fma_per_ns_alone"] = {pair.alone[0], pair.alone[1]};
    entry["fma_per_ns_together"] = {pair.together[0], pair.together[1]};
    json.push_back(entry);
  }
  return json;
}

Json ToValue(const LimitsReport& report) {
  Json limits = Json::object();
  for (const auto& [limit, measured] : report.limits.limits) {
    limits[NameOf(limit)] = {{"value", measured.value},
                             {"median", measured.median},
                             {"slow", measured.slow},
                             {"accepted", measured.accepted},
                             {"rejected", measured.rejected}};
  }
  Json json;
  json["clock_ghz"] = report.limits.clock_ghz;
  json["limits"] = limits;
  json["measured_parameters"] = report.measured_parameters;
  json["pairs_before"] = ToValue(report.pairs_before);
  json["pairs_after"] = ToValue(report.pairs_after);
  return json;
}

Json ToValue(const Comparison& comparison) {
  Json json;
  json["ratio"] = comparison.ratio;
  json["low"] = comparison.interval.low;
  json["high"] = comparison.interval.high;
  json["samples"] = comparison.samples;
  json["verdict"] = NameOf(comparison.verdict);
  return json;
}

Json ToValue(const std::vector<std::optional<double>>& values) {
  Json json = Json::array();
  for (const std::optional<double>& value : values) json.push_back(value.has_value() ? Json(*value) : Json());
  return json;
}

Json ToValue(const EntrantResult& entrant) {
  Json json;
  json["name"] = entrant.name;
  json["role"] = NameOf(entrant.role);
  json["implementation"] = entrant.implementation;
  json["timed"] = entrant.timed;
  json["units_per_repeat"] = entrant.samples.units_per_repeat;
  json["bytes_per_repeat"] = entrant.bytes_per_repeat;
  if (entrant.accuracy.has_value()) {
    json["accuracy"] = {{"max_absolute", entrant.accuracy->max_absolute},
                        {"max_relative", entrant.accuracy->max_relative},
                        {"right", entrant.accuracy->right},
                        {"note", entrant.accuracy->note}};
  }
  json["accepted"] = entrant.samples.accepted();
  json["rejected"] = entrant.samples.rejected;
  json["median_seconds"] = entrant.MedianSeconds();
  json["min_seconds"] = entrant.MinSeconds();
  json["units_per_cycle"] = entrant.UnitsPerCycle();
  Json shares = Json::object();
  for (const Share& share : entrant.shares) shares[share.yardstick] = ToValue(share.comparison);
  json["shares"] = shares;
  json["cycles"] = ToValue(entrant.samples.cycles);
  json["seconds"] = ToValue(entrant.samples.seconds);
  return json;
}

Json ToValue(const CaseResult& result) {
  Json json;
  json["family"] = result.family;
  json["name"] = result.name;
  json["unit"] = result.unit;
  json["buffers"] = result.buffers;
  json["contenders"] = Json::array();
  for (const EntrantResult& entrant : result.entrants) json["contenders"].push_back(ToValue(entrant));
  json["pairs"] = Json::array();
  for (const Pair& pair : result.pairs) {
    Json entry = ToValue(pair.comparison);
    entry["first"] = result.entrants[pair.first].name;
    entry["second"] = result.entrants[pair.second].name;
    json["pairs"].push_back(entry);
  }
  if (result.shared.empty()) return json;
  json["shared"] = Json::array();
  for (const SharedResult& shared : result.shared) {
    Json entry = ToValue(shared.run.gain);
    entry["name"] = shared.name;
    entry["threads"] = shared.run.threads;
    entry["alone_seconds"] = shared.run.alone_seconds;
    entry["shared_seconds"] = shared.run.shared_seconds;
    json["shared"].push_back(entry);
  }
  return json;
}

}  // namespace

std::string ToJson(const RunResult& run) {
  Json json;
  json["machine"] = ToValue(run.machine);
  if (run.limits.has_value()) json["limits"] = ToValue(*run.limits);
  json["cold"] = run.cold;
  json["peers"] = Json::array();
  for (const PeerVersion& peer : run.peers) {
    Json entry;
    entry["name"] = peer.name;
    entry["version"] = peer.version;
    json["peers"].push_back(entry);
  }
  json["cases"] = Json::array();
  for (const CaseResult& result : run.cases) json["cases"].push_back(ToValue(result));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace burin::kernel_bench

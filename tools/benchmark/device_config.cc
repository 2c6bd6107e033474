#include "tools/benchmark/device_config.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "nlohmann/json.hpp"
#include "runtime/dev/properties.h"

namespace burin::benchmark {

namespace {

// Of devices that have streams and threads; the others refuse them by name.
constexpr char kStreams[] = "NUM_STREAMS";
constexpr char kThreads[] = "INFERENCE_NUM_THREADS";
constexpr char kPinning[] = "ENABLE_CPU_PINNING";
constexpr char kPrecision[] = "INFERENCE_PRECISION_HINT";

constexpr char kForm[] = "expected {\"DEVICE\": {\"NAME\": \"VALUE\"}}";

absl::Status CheckDevice(const char* option, const std::string& device, const DeviceFacts& facts) {
  const std::vector<std::string>& devices = facts.devices;
  if (std::find(devices.begin(), devices.end(), device) != devices.end()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("Option -", option, ": device ", device,
                                                 " is not measured; these are: ", absl::StrJoin(devices, ", ")));
}

// Reads "VALUE" for the measured device, or "DEVICE:VALUE,...".
absl::Status SetPerDevice(const char* option, const std::string& text, const char* property, const DeviceFacts& facts,
                          DeviceConfig* config) {
  if (text.empty()) return absl::OkStatus();
  for (absl::string_view piece : absl::StrSplit(text, ',')) {
    const std::vector<std::string> parts = absl::StrSplit(piece, ':');
    if (parts.size() > 2 || parts.back().empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("Option -", option, ": expected VALUE or DEVICE:VALUE,..., found \"", text, "\""));
    }
    const std::string& device = parts.size() == 2 ? parts.front() : facts.name;
    BURIN_RETURN_IF_ERROR(CheckDevice(option, device, facts));
    (*config)[device][property] = parts.back();
  }
  return absl::OkStatus();
}

bool CanSet(const DeviceFacts& facts, absl::string_view property) {
  const std::string entry = absl::StrCat(property, ":RW");
  return std::find(facts.supported.begin(), facts.supported.end(), entry) != facts.supported.end();
}

}  // namespace

absl::StatusOr<DeviceConfig> ParseDeviceConfig(const std::string& json) {
  const nlohmann::json parsed = nlohmann::json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_object()) return absl::InvalidArgumentError(absl::StrCat("Text is no JSON object: ", kForm));
  DeviceConfig config;
  for (const auto& [device, properties] : parsed.items()) {
    if (!properties.is_object()) {
      return absl::InvalidArgumentError(absl::StrCat("Device ", device, " has no object of properties: ", kForm));
    }
    for (const auto& [name, value] : properties.items()) {
      if (!value.is_string()) {
        return absl::InvalidArgumentError(
            absl::StrCat("Property ", name, " of device ", device, " has no text as its value: ", kForm));
      }
      config[device][name] = value.get<std::string>();
    }
  }
  return config;
}

std::string DeviceConfigToJson(const DeviceConfig& config) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [device, properties] : config) {
    nlohmann::json& entry = json[device] = nlohmann::json::object();
    for (const auto& [name, value] : properties) entry[name] = value;
  }
  return absl::StrCat(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace), "\n");
}

absl::StatusOr<ChosenConfig> ChooseConfig(const Settings& settings, const DeviceFacts& facts, DeviceConfig loaded) {
  ChosenConfig chosen;
  chosen.config = std::move(loaded);
  for (const auto& [device, properties] : chosen.config) {
    BURIN_RETURN_IF_ERROR(CheckDevice("load_config", device, facts));
  }
  BURIN_RETURN_IF_ERROR(SetPerDevice("nstreams", settings.streams, kStreams, facts, &chosen.config));
  BURIN_RETURN_IF_ERROR(SetPerDevice("infer_precision", settings.precision, kPrecision, facts, &chosen.config));

  PropertyMap& own = chosen.config[facts.name];
  if (!settings.threads.empty()) own[kThreads] = settings.threads;
  if (!settings.pinning.empty()) own[kPinning] = settings.pinning;
  if (settings.NeedsCounters()) own[perf_count.name] = perf_count(true).second;

  if (settings.hint == "") {
    own.erase(performance_hint.name);
  } else if (settings.hint.has_value()) {
    own[performance_hint.name] = *settings.hint;
  } else if (own.count(performance_hint.name) == 0 && CanSet(facts, performance_hint.name)) {
    const bool is_sync = settings.api == Api::kSync;
    chosen.default_hint = PropertyToString(is_sync ? PerformanceMode::kLatency : PerformanceMode::kThroughput);
    own[performance_hint.name] = chosen.default_hint;
  }
  const auto hint = own.find(performance_hint.name);
  const bool is_for_latency = hint != own.end() && hint->second == PropertyToString(PerformanceMode::kLatency);
  chosen.api = settings.api.value_or(is_for_latency ? Api::kSync : Api::kAsync);
  if (own.empty()) chosen.config.erase(facts.name);
  return chosen;
}

}  // namespace burin::benchmark

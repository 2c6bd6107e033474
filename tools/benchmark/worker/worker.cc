#include "tools/benchmark/worker/worker.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/file.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/tensor.h"
#include "jit/isa/target.h"
#include "jit/limits/core_sharing.h"
#include "nlohmann/json.hpp"
#include "runtime/api/version.h"
#include "runtime/dev/port.h"
#include "tools/benchmark/data/npy.h"
#include "tools/benchmark/worker/process_memory.h"

namespace burin::benchmark {

namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

// What one request may ask for: an answer is one line.
constexpr int64_t kMaxInferences = 1'000'000;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Returns what all threads of this process have worked.
double ProcessorMilliseconds() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

Json ToJson(const std::vector<Port>& ports) {
  Json list = Json::array();
  for (const Port& port : ports) {
    Json shape;
    if (port.shape.has_rank()) {
      shape = Json::array();
      for (const ir::Dimension& dim : port.shape.dims()) shape.push_back(dim.is_static() ? dim.value() : -1);
    }
    list.push_back(Json{{"name", port.name()}, {"type", std::string(Name(port.element_type))}, {"shape", shape}});
  }
  return list;
}

// What a request says beside what is to be done.
class Fields {
 public:
  explicit Fields(const Json& json) : json_(json) {}

  absl::StatusOr<std::string> Text(const char* name) const {
    const auto found = json_.find(name);
    if (found == json_.end() || !found->is_string()) return Missing(name, "a text");
    return found->get<std::string>();
  }

  absl::StatusOr<int64_t> Integer(const char* name, int64_t min, int64_t max) const {
    const auto found = json_.find(name);
    if (found == json_.end() || !found->is_number_integer() || found->get<int64_t>() < min ||
        found->get<int64_t>() > max) {
      return Missing(name, absl::StrCat("an integer from ", min, " to ", max));
    }
    return found->get<int64_t>();
  }

  absl::StatusOr<std::map<std::string, std::string>> Texts(const char* name) const {
    const auto found = json_.find(name);
    if (found == json_.end() || !found->is_object()) return Missing(name, "an object of texts");
    std::map<std::string, std::string> texts;
    for (const auto& [key, value] : found->items()) {
      if (!value.is_string()) return Missing(name, "an object of texts");
      texts[key] = value.get<std::string>();
    }
    return texts;
  }

 private:
  static absl::Status Missing(const char* name, const std::string& wanted) {
    return absl::InvalidArgumentError(absl::StrCat("Expected ", wanted, " as \"", name, "\""));
  }

  const Json& json_;
};

absl::StatusOr<Json> MeasureCores() {
  BURIN_ASSIGN_OR_RETURN(const jit::Target target, jit::Target::Host());
  const std::vector<int> cpus = jit::UsableCpus();
  Json pairs = Json::array();
  // One pair tells of a virtual machine what it is asked for; all of them take a second each.
  if (cpus.size() >= 2) {
    BURIN_ASSIGN_OR_RETURN(const jit::CoreSharing sharing, jit::MeasureCoreSharing(target.isa(), cpus[0], cpus[1]));
    pairs.push_back(
        Json{{"cpus", {sharing.cpus[0], sharing.cpus[1]}}, {"ratio", sharing.Ratio()}, {"shared", sharing.shared()}});
  }
  return Json{{"pairs", pairs}};
}

absl::Status Feed(const std::map<std::string, std::string>& files, InferRequest* request) {
  for (const auto& [name, file] : files) {
    BURIN_ASSIGN_OR_RETURN(const ir::Tensor tensor, ReadNpy(file));
    BURIN_RETURN_IF_ERROR(request->SetTensor(name, tensor));
  }
  return absl::OkStatus();
}

}  // namespace

// Keeps the type of JSON out of the header.
struct Worker::Reply {
  Json json = Json::object();
};

Worker::Worker(Core* core, std::string model_path, std::string device, PropertyMap properties)
    : core_(core), model_path_(std::move(model_path)), device_(std::move(device)), properties_(std::move(properties)) {}

std::string Worker::Answer(const std::string& line) {
  absl::StatusOr<Reply> reply = Do(line);
  const Json json = reply.ok() ? std::move(reply->json) : Json{{"error", reply.status().ToString()}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

absl::StatusOr<Worker::Reply> Worker::Do(const std::string& line) {
  const Json request = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!request.is_object()) return absl::InvalidArgumentError("Expected a JSON object on one line");
  const Fields fields(request);
  BURIN_ASSIGN_OR_RETURN(const std::string task, fields.Text("do"));
  if (task == "compile") return Compile();
  if (task == "memory") return ReadMemory();
  if (task == "version") return TellVersion();
  if (task == "quit") {
    quits_ = true;
    return Reply();
  }
  if (task == "cores") {
    BURIN_ASSIGN_OR_RETURN(Json json, MeasureCores());
    return Reply{std::move(json)};
  }
  if (task == "feed") {
    BURIN_RETURN_IF_ERROR(CheckCompiled());
    BURIN_ASSIGN_OR_RETURN(auto files, fields.Texts("inputs"));
    BURIN_RETURN_IF_ERROR(Feed(files, &*request_));
    return Reply();
  }
  if (task == "infer") {
    BURIN_ASSIGN_OR_RETURN(const int64_t count, fields.Integer("count", 1, kMaxInferences));
    return Infer(count);
  }
  if (task == "outputs") {
    BURIN_ASSIGN_OR_RETURN(const std::string folder, fields.Text("folder"));
    return WriteOutputs(folder);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "Expected compile, feed, infer, outputs, memory, cores, version or quit as \"do\", found \"", task, "\""));
}

absl::Status Worker::CheckCompiled() const {
  if (compiled_.has_value()) return absl::OkStatus();
  return absl::FailedPreconditionError("The model is not compiled yet");
}

absl::StatusOr<Worker::Reply> Worker::Compile() {
  request_.reset();
  compiled_.reset();
  // Where the peak cannot be reset it is that of the whole process, in which nothing larger has happened.
  ProcessMemory::ResetPeak().IgnoreError();
  BURIN_ASSIGN_OR_RETURN(const ProcessMemory memory, ProcessMemory::Read());
  bytes_before_ = memory.resident;
  const double processor_before = ProcessorMilliseconds();
  const Clock::time_point start = Clock::now();
  BURIN_ASSIGN_OR_RETURN(CompiledModel compiled, core_->CompileModel(model_path_, device_, properties_));
  Reply reply;
  reply.json["milliseconds"] = MillisecondsSince(start);
  reply.json["processor_milliseconds"] = ProcessorMilliseconds() - processor_before;
  BURIN_ASSIGN_OR_RETURN(request_, compiled.CreateInferRequest());
  compiled_ = std::move(compiled);
  reply.json["inputs"] = ToJson(compiled_->inputs());
  reply.json["outputs"] = ToJson(compiled_->outputs());
  return reply;
}

absl::StatusOr<Worker::Reply> Worker::Infer(int64_t count) {
  BURIN_RETURN_IF_ERROR(CheckCompiled());
  std::vector<double> milliseconds;
  milliseconds.reserve(static_cast<size_t>(count));
  const double processor_before = ProcessorMilliseconds();
  for (int64_t i = 0; i < count; ++i) {
    const Clock::time_point start = Clock::now();
    BURIN_RETURN_IF_ERROR(request_->Infer());
    milliseconds.push_back(MillisecondsSince(start));
  }
  Reply reply;
  reply.json["processor_milliseconds"] = ProcessorMilliseconds() - processor_before;
  reply.json["milliseconds"] = std::move(milliseconds);
  return reply;
}

absl::StatusOr<Worker::Reply> Worker::WriteOutputs(const std::string& folder) {
  BURIN_RETURN_IF_ERROR(CheckCompiled());
  Json list = Json::array();
  for (size_t i = 0; i < compiled_->outputs().size(); ++i) {
    const std::string& name = compiled_->outputs()[i].name();
    BURIN_ASSIGN_OR_RETURN(const ir::Tensor tensor, request_->GetOutputTensor(i));
    absl::StatusOr<std::string> bytes = SerializeNpy(tensor);
    if (!bytes.ok()) return WithContext(bytes.status(), absl::StrCat("Output \"", name, "\""));
    const std::string path = absl::StrCat(folder, "/output_", i, ".npy");
    BURIN_RETURN_IF_ERROR(WriteFileAtomically(path, *bytes));
    list.push_back(Json{{"name", name}, {"file", path}});
  }
  Reply reply;
  reply.json["outputs"] = std::move(list);
  return reply;
}

absl::StatusOr<Worker::Reply> Worker::ReadMemory() const {
  BURIN_RETURN_IF_ERROR(CheckCompiled());
  BURIN_ASSIGN_OR_RETURN(const ProcessMemory memory, ProcessMemory::Read());
  Reply reply;
  reply.json["before"] = bytes_before_;
  reply.json["peak"] = memory.peak;
  return reply;
}

absl::StatusOr<Worker::Reply> Worker::TellVersion() const {
  BURIN_ASSIGN_OR_RETURN(const auto versions, core_->GetVersions(device_));
  Reply reply;
  reply.json["version"] = versions.begin()->second.build;
  return reply;
}

void Serve(Worker& worker, std::istream& in, std::ostream& out) {
  std::string line;
  while (!worker.quits() && std::getline(in, line)) {
    out << worker.Answer(line) << '\n' << std::flush;
  }
}

}  // namespace burin::benchmark

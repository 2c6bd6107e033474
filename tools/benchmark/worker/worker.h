// The mode of -worker: a program asks, this process compiles, infers and answers.
//
// Use it to measure the runtime beside others, each in a process of its own, in turns (tools/peers/compare). Not for
// serving a model. Each request is a JSON object on one line, and so is each answer:
//
//   {"do": "compile"}           compiles the file of -m. {"milliseconds": from the path to the compiled model,
//                               "processor_milliseconds": what all threads of the process worked meanwhile, added up,
//                               "inputs": [{"name", "type": "f32", "shape": [1, -1]}], "outputs": [likewise]}; in a
//                               shape -1 is a dimension that is not known, in the place of one null a rank that is not.
//   {"do": "feed", "inputs": {"NAME": "FILE.npy"}}
//                               Gives inputs their data, for all inferences that follow. {}
//   {"do": "infer", "count": N} runs N inferences in turn. {"milliseconds": [of each], "processor_milliseconds":
//                               likewise}
//   {"do": "outputs", "folder": "FOLDER"}
//                               writes what the last inference returned. {"outputs": [{"name", "file"}]}, by index
//   {"do": "memory"}            {"before": bytes that were resident when compilation began, "peak": at most since then}
//   {"do": "cores"}             {"pairs": [{"cpus": [a, b], "ratio": what both do at once as a share of what they do
//                               alone, "shared": whether that is less than two cores would}]}
//   {"do": "version"}           {"version": of the device}
//   {"do": "quit"}              {}, and the process ends, as it does where its input ends.
//
// What goes wrong is answered as {"error": "..."} and changes nothing. Used by one thread.
#ifndef BURIN_TOOLS_BENCHMARK_WORKER_WORKER_H_
#define BURIN_TOOLS_BENCHMARK_WORKER_WORKER_H_

#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/api/compiled_model.h"
#include "runtime/api/core.h"
#include "runtime/api/infer_request.h"
#include "runtime/dev/property_map.h"

namespace burin::benchmark {

class Worker {
 public:
  // `core` has the configuration of `device` and outlives the worker; `properties` belong to the compilation.
  Worker(Core* core, std::string model_path, std::string device, PropertyMap properties);

  // Returns the answer to one line, without its end.
  std::string Answer(const std::string& line);

  // Returns whether the last line asked to quit.
  bool quits() const { return quits_; }

 private:
  struct Reply;

  absl::StatusOr<Reply> Do(const std::string& line);
  absl::StatusOr<Reply> Compile();
  absl::StatusOr<Reply> Infer(int64_t count);
  absl::StatusOr<Reply> WriteOutputs(const std::string& folder);
  absl::StatusOr<Reply> ReadMemory() const;
  absl::StatusOr<Reply> TellVersion() const;

  // FailedPrecondition before the model was compiled.
  absl::Status CheckCompiled() const;

  Core* const core_;
  const std::string model_path_;
  const std::string device_;
  const PropertyMap properties_;
  std::optional<CompiledModel> compiled_;
  std::optional<InferRequest> request_;
  int64_t bytes_before_ = 0;
  bool quits_ = false;
};

// Answers each line of `in` on `out` until one asks to quit or there is none.
void Serve(Worker& worker, std::istream& in, std::ostream& out);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_WORKER_WORKER_H_

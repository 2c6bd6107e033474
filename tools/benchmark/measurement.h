// Runs inferences and times them: one request after the other, or several at a time.
//
// Each call owns the requests it is given until it returns.
#ifndef BURIN_TOOLS_BENCHMARK_MEASUREMENT_H_
#define BURIN_TOOLS_BENCHMARK_MEASUREMENT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/api/infer_request.h"
#include "tools/benchmark/data/inputs.h"

namespace burin::benchmark {

// How to run the inferences.
struct Plan {
  // When to stop starting inferences: at whichever comes first, but not before the first. At least one is not 0, which
  // stands for no limit.
  int64_t iterations = 0;
  double seconds = 0;
  // Each inference waits for its turn, which its predecessors' frames decide. Frames per second; 0: nobody waits.
  double max_rate = 0;
  // Whether data is copied into a request's own memory before each inference, within its latency. Otherwise the request
  // is handed the set's tensors when it gets another set, outside of it.
  bool fills_inputs = false;
};

struct Sample {
  double latency_ms = 0;
  size_t set = 0;  // Index of the inputs that it had.
};

struct Measurement {
  std::vector<Sample> samples;  // In order of completion.
  double duration_ms = 0;       // From the start of the first inference to the end of the last.
  int64_t frames = 0;
};

// Is told the share that is done, in [0, 1].
using OnProgress = std::function<void(double share)>;

// Runs one inference and returns its time in milliseconds. Errors as the request's.
absl::StatusOr<double> RunOnce(InferRequest& request, const InputSet& inputs);

// Runs one request again and again, on the calling thread, with the sets in turn.
absl::StatusOr<Measurement> MeasureSync(InferRequest& request, const std::vector<InputSet>& sets, const Plan& plan,
                                        const OnProgress& on_progress);

// Keeps all requests running; each takes the next set. The first error ends it, once the others have finished.
absl::StatusOr<Measurement> MeasureAsync(std::vector<InferRequest>& requests, const std::vector<InputSet>& sets,
                                         const Plan& plan, const OnProgress& on_progress);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_MEASUREMENT_H_

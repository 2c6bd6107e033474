// What a configuration asks of the streams of a compiled model.
//
// From properties, which are text of users, to what runtime/executor/streams_table.h calculates with. Stateless, hence
// thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_STREAMS_STREAMS_REQUEST_H_
#define BURIN_RUNTIME_PLUGINS_CPU_STREAMS_STREAMS_REQUEST_H_

#include "absl/status/statusor.h"
#include "runtime/dev/configuration.h"
#include "runtime/executor/streams_table.h"

namespace burin::cpu {

// Returns the request of `configuration`, whose rows are those of runtime/dev/properties.inc that the CPU device reads.
// What nobody set is absent, so that the machine and the model decide. The model's memory-bound share and the current
// node are the caller's to add. InvalidArgument where NUM_STREAMS is none of AUTO, NUMA and a number from 1 to
// executor::kMaxStreams.
absl::StatusOr<executor::StreamsRequest> MakeStreamsRequest(const Configuration& configuration);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_STREAMS_STREAMS_REQUEST_H_

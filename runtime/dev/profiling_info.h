// What one node of a compiled model did during inference.
//
// Value type. This header is part of the public interface and speaks std types only.
#ifndef BURIN_RUNTIME_DEV_PROFILING_INFO_H_
#define BURIN_RUNTIME_DEV_PROFILING_INFO_H_

#include <cstdint>
#include <string>
#include <vector>

namespace burin {

struct ProfilingInfo {
  enum class Status {
    kNotRun,        // Part of the compiled model, not reached (an untaken branch).
    kOptimizedOut,  // Runs in place or as a view: costs nothing.
    kExecuted,
  };

  Status status = Status::kNotRun;
  // The node of the compiled model.
  std::string node_name;
  // Its operation ("Convolution").
  std::string op_type;
  // The user's operations that it stands for, as their file names them.
  std::vector<std::string> op_names;
  // What ran: a generated kernel's name, or "reference".
  std::string kernel;
  // The instruction set of the kernel ("avx2", "avx512", ...), or "none" for reference code.
  std::string isa;
  // The layout of the first output ("row-major", "nChw16c", ...).
  std::string layout;
  // The element type in which the node computes ("f32").
  std::string precision;
  // Per execution, from the op's cost function.
  double flops = 0;
  double bytes = 0;
  // Wall time and the calling thread's processor time of all executions since the request was created, in nanoseconds.
  int64_t real_time_ns = 0;
  int64_t cpu_time_ns = 0;
  // Number of executions.
  int64_t count = 0;
  // When the last execution began, in nanoseconds of the steady clock, and its wall time.
  int64_t last_start_ns = 0;
  int64_t last_real_time_ns = 0;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_PROFILING_INFO_H_

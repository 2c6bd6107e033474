// The facts that a node of a runtime model carries: one place that turns a profile into runtime info.
//
// A device's GetRuntimeModel() returns its executed graph with these on each node. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_DEV_PROFILING_EXECUTION_INFO_H_
#define BURIN_RUNTIME_DEV_PROFILING_EXECUTION_INFO_H_

#include <cstdint>

#include "ir/runtime_info.h"
#include "runtime/dev/profiling_info.h"

namespace burin {

// Microseconds of wall time per execution, or "not_executed".
inline constexpr char kExecTimeKey[] = "execTimeMcs";
// What runs: a generated kernel's name, or "reference".
inline constexpr char kPrimitiveTypeKey[] = "primitiveType";
// The element type in which the node computes.
inline constexpr char kRuntimePrecisionKey[] = "runtimePrecision";
// The layout of the first output.
inline constexpr char kOutputLayoutsKey[] = "outputLayouts";
// The user's operations that the node stands for, separated by commas.
inline constexpr char kOriginalLayersNamesKey[] = "originalLayersNames";
// The node's place in the order of execution, from 0.
inline constexpr char kExecOrderKey[] = "execOrder";
// The instruction set of what runs, or "none".
inline constexpr char kIsaKey[] = "isa";
// Operations and bytes of memory traffic of one execution, by the op's cost function; absent where the shapes that
// decide them are not known yet.
inline constexpr char kFlopsKey[] = "flops";
inline constexpr char kBytesKey[] = "bytes";

// Returns the runtime info of a node that runs as the `exec_order`-th.
ir::RuntimeInfo ExecutionInfo(const ProfilingInfo& node, int64_t exec_order);

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_PROFILING_EXECUTION_INFO_H_

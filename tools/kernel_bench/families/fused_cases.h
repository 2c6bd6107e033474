// Lists the bodies that the family `fused` measures, each with what ONNX Runtime has for it.
//
// A new case is a line in fused_cases.cc. Stateless, thread-safe.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_FUSED_CASES_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_FUSED_CASES_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {

// Is a body for certain shapes.
struct FusedCase {
  // Such as "softmax/128x128".
  std::string name;
  // As ir/text.h reads it.
  std::string text;
  // The same computation on as few rows as the first cache holds with their results; "" where not even one fits.
  std::string small_text;
  // The same as operators of ONNX, named as the body's parameters and results, in each way that may be the fastest.
  std::vector<PeerGraph> graphs;

  // Returns the body.
  absl::StatusOr<std::unique_ptr<ir::Model>> Body() const;
};

// Returns all cases, in the order of the report.
std::vector<FusedCase> FusedCases();

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_FUSED_CASES_H_

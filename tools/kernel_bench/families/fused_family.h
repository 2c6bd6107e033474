// Makes the benchmark family `fused`: bodies of Subgraphs, each in one kernel.
//
// One thread makes cases.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_FUSED_FAMILY_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_FUSED_FAMILY_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tools/kernel_bench/family.h"

namespace burin::kernel_bench {

// Returns the family, for AllFamilies(): the cases of fused_cases.h, and where `body_text` is not "", the case "body",
// which is that text (ir/text.h). The text is read when the case is made.
std::unique_ptr<Family> FusedFamily(const std::string& body_text = "");

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_FUSED_FAMILY_H_

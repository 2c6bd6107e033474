// Lists every family of cases.
//
// Thread-safe.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_FAMILIES_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_FAMILIES_H_

#include <memory>
#include <string>
#include <vector>

#include "tools/kernel_bench/family.h"

namespace burin::kernel_bench {

// Returns them in the order of the report. Where `body_text` is not "", the family `fused` has the case "body", of that
// text.
std::vector<std::unique_ptr<Family>> AllFamilies(const std::string& body_text = "");

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_FAMILIES_H_

// Optimises a case's model and compares what it computes before and after.
//
// The same verdict for the same case and options. Stateless.
#ifndef BURIN_TRANSFORMATIONS_FUZZ_CASE_CHECK_H_
#define BURIN_TRANSFORMATIONS_FUZZ_CASE_CHECK_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "transformations/driver.h"
#include "transformations/fuzz/fuzz_case.h"
#include "transformations/pass.h"
#include "transformations/report.h"

namespace burin::transformations {

struct CheckOptions {
  // Run before the first stage, and after it, besides all passes of the table that no stage has.
  std::vector<PassGroup> first_groups;
  std::vector<PassGroup> extra_groups;
  int64_t stop_after_rewrite = -1;
  std::function<void(const RewriteEvent& event)> observer;
};

enum class Verdict : uint8_t {
  kSame,
  // Refused before and after the passes alike, on all inputs.
  kRefused,
  // Outputs differ, by no more than they do where rounding is disturbed.
  kSensitive,
  // A pass failed, or what the model computes changed.
  kWrong,
};

struct CheckResult {
  Verdict verdict = Verdict::kSame;
  std::string what;     // Of kWrong and kSensitive: what happened.
  int64_t sample = -1;  // Of kWrong and kSensitive: on which inputs; -1 where no inputs were needed.
  int64_t compared = 0;
  CompileReport report;
};

// Runs all stages with verification of each rewrite, then compares on the samples up to the first that is wrong.
CheckResult CheckCase(const FuzzCase& fuzz_case, const CheckOptions& options = {});

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_FUZZ_CASE_CHECK_H_

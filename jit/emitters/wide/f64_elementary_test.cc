#include "jit/emitters/wide/f64_elementary.h"

#include <gtest/gtest.h>

#include <cmath>

#include "absl/types/span.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/emitters/wide/wide_testlib.h"

namespace burin::jit {
namespace {

using Inputs = absl::Span<const VecGroup>;

// Of the documented bound.
constexpr double kUlps = 2;

TEST(F64ElementaryTest, Exp) {
  ExpectWithinUlps(
      WideFunction::Of("Exp", {true}, true, [](auto& v, const VecGroup& to, Inputs in) { EmitExpF64(v, to, in[0]); }),
      [](long double x) { return std::exp(x); }, kUlps);
  // Where results are denormal, or infinite soon.
  ExpectWithinUlps(
      WideFunction::Of("ExpOfLarge", {true}, true,
                       [](auto& v, const VecGroup& to, Inputs in) {
                         const VecRegs scaled = v.New("scaled", to.size());
                         for (int i = 0; i < to.size(); ++i) {
                           v.code().vaddpd(scaled[i], in[0][i], in[0][i]);
                           v.code().vmulpd(scaled[i], scaled[i], scaled[i]);
                           v.code().vmulpd(scaled[i], scaled[i], in[0][i]);
                         }
                         EmitExpF64(v, to, scaled);
                       }),
      [](long double wide) {
        const auto x = static_cast<double>(wide);
        return std::exp(static_cast<long double>((x + x) * (x + x) * x));
      },
      kUlps);
}

TEST(F64ElementaryTest, Log) {
  ExpectWithinUlps(
      WideFunction::Of("Log", {true}, true, [](auto& v, const VecGroup& to, Inputs in) { EmitLogF64(v, to, in[0]); }),
      [](long double x) { return std::log(x); }, kUlps);
}

}  // namespace
}  // namespace burin::jit

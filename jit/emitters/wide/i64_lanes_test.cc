#include "jit/emitters/wide/i64_lanes.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "absl/types/span.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/emitters/wide/wide_testlib.h"

namespace burin::jit {
namespace {

using Inputs = absl::Span<const VecGroup>;

TEST(I64LanesTest, DestinationsMayBeSources) {
  ExpectWideI64(WideFunction::Of("Square", {true}, true,
                                 [](auto& v, const VecGroup& to, Inputs in) {
                                   v.Copy(to, in[0]);
                                   for (int i = 0; i < to.size(); ++i) MultiplyI64(v, to[i], to[i], to[i]);
                                 }),
                [](absl::Span<const uint64_t> in) { return in[0] * in[0]; });
  ExpectWideI64(WideFunction::Of("Magnitude", {true}, true,
                                 [](auto& v, const VecGroup& to, Inputs in) {
                                   v.Copy(to, in[0]);
                                   for (int i = 0; i < to.size(); ++i) MagnitudeI64(v, to[i], to[i]);
                                 }),
                [](absl::Span<const uint64_t> in) { return AsI64(in[0]) < 0 ? 0 - in[0] : in[0]; });
  ExpectWideI64(WideFunction::Of("ToF64", {true}, true,
                                 [](auto& v, const VecGroup& to, Inputs in) {
                                   v.Copy(to, in[0]);
                                   for (int i = 0; i < to.size(); ++i) I64ToF64(v, to[i], to[i]);
                                 }),
                [](absl::Span<const uint64_t> in) { return Bits64(static_cast<double>(AsI64(in[0]))); });
}

TEST(I64LanesTest, SignsAreAllBits) {
  ExpectWideI64(WideFunction::Of("Signs", {true}, true,
                                 [](auto& v, const VecGroup& to, Inputs in) {
                                   for (int i = 0; i < to.size(); ++i) SignsOfI64(v, to[i], in[0][i]);
                                 }),
                [](absl::Span<const uint64_t> in) { return AsI64(in[0]) < 0 ? ~uint64_t{0} : 0; });
}

TEST(I64LanesTest, WhatDoesNotFitIntoADoubleIsRoundedToOdd) {
  ExpectWideI64(WideFunction::Of("RoundToOdd", {true}, true,
                                 [](auto& v, const VecGroup& to, Inputs in) {
                                   v.Copy(to, in[0]);
                                   for (int i = 0; i < to.size(); ++i) RoundI64ToOdd(v, to[i]);
                                 }),
                [](absl::Span<const uint64_t> in) {
                  const int64_t x = AsI64(in[0]);
                  if (x >= -(int64_t{1} << 53) && x < int64_t{1} << 53) return in[0];
                  return (in[0] | ((in[0] & 0x7FF) != 0 ? uint64_t{0x800} : 0)) & ~uint64_t{0x7FF};
                });
}

}  // namespace
}  // namespace burin::jit

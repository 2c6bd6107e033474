#include "jit/emitters/wide/wide_masks.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/emitters/wide/wide_testlib.h"

namespace burin::jit {
namespace {

using Inputs = absl::Span<const VecGroup>;

TEST(WideMasksTest, KeepsWhereTheMaskIsSet) {
  ExpectWideI64(WideFunction::Of("KeepWhere", {true, true}, true,
                                 [](auto& v, const VecGroup& to, Inputs in) {
                                   const auto mask = v.NewMask("mask");
                                   v.Copy(to, in[0]);
                                   for (int i = 0; i < to.size(); ++i) {
                                     CompareI64(v, mask, in[0][i], in[1][i], VecCompareI32::kLess);
                                     KeepWideWhere(v, mask, to[i]);
                                   }
                                 }),
                [](absl::Span<const uint64_t> in) { return AsI64(in[0]) < AsI64(in[1]) ? in[0] : 0; });
}

TEST(WideMasksTest, TruthValuesAndMasksAreEachOthers) {
  std::vector<std::vector<uint64_t>> truth(1);
  for (size_t i = 0; i < 1000; ++i) truth[0].push_back(i * i / 5 % 2);
  ExpectWide(WideFunction::Of("RoundTrip", {false}, false,
                              [](auto& v, const VecGroup& to, Inputs in) {
                                const auto low = v.NewMask("low");
                                const auto high = v.NewMask("high");
                                for (int i = 0; i < to.size(); ++i) {
                                  MasksOfTruth(v, low, high, in[0][i]);
                                  TruthOfMasks(v, to[i], low, high);
                                }
                              }),
             truth, [](absl::Span<const uint64_t> in) { return in[0]; });
}

}  // namespace
}  // namespace burin::jit

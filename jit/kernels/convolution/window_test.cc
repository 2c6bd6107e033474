#include "jit/kernels/convolution/window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "base/hash.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

TEST(WindowTest, TapsInsideAreThoseWhoseIndexIs) {
  for (const int64_t input : {0, 1, 2, 7}) {
    for (const int64_t kernel : {1, 2, 3, 5}) {
      for (const int64_t stride : {1, 2, 3}) {
        for (const int64_t dilation : {1, 2, 4}) {
          for (const int64_t pad : {-2, 0, 1, 4, 9}) {
            const WindowAxis axis = {input, 8, kernel, stride, dilation, pad};
            for (int64_t output = 0; output < 8; ++output) {
              const TapRange range = TapsInside(axis, output);
              for (int64_t tap = 0; tap < kernel; ++tap) {
                const int64_t index = output * stride - pad + tap * dilation;
                const bool inside = index >= 0 && index < input;
                EXPECT_EQ(tap >= range.begin && tap < range.end, inside);
                EXPECT_EQ(OutputsInside(axis, output, 1, tap), inside ? 1u : 0u);
              }
            }
          }
        }
      }
    }
  }
}

TEST(WindowTest, OutputsAreBitsFromTheFirstOn) {
  const WindowAxis axis = {7, 7, 3, 1, 1, 1};
  EXPECT_EQ(OutputsInside(axis, 0, 7, 0), 0x7eu);
  EXPECT_EQ(OutputsInside(axis, 0, 7, 1), 0x7fu);
  EXPECT_EQ(OutputsInside(axis, 0, 7, 2), 0x3fu);
  EXPECT_EQ(OutputsInside(axis, 4, 3, 2), 0x3u);
  EXPECT_EQ(TapsInside(axis, 0), (TapRange{1, 3}));
  EXPECT_EQ(TapsInside(axis, 6), (TapRange{0, 2}));
}

TEST(WindowTest, BadFieldsAreNamed) {
  EXPECT_OK((WindowAxis{0, 0, 1, 1, 1, 0}).Check("width"));
  const int64_t huge = int64_t{1} << 31;
  const struct {
    WindowAxis axis;
    const char* text;
  } cases[] = {{{-1, 1, 1, 1, 1, 0}, "width.input"},    {{1, -1, 1, 1, 1, 0}, "width.output"},
               {{1, 1, 0, 1, 1, 0}, "width.kernel"},    {{1, 1, 1, 0, 1, 0}, "width.stride"},
               {{1, 1, 1, 1, 0, 0}, "width.dilation"},  {{1, 1, 1, 1, 1, huge}, "width.pad_before"},
               {{1, 1, 1, huge, 1, 0}, "width.stride"}, {{1, 1, 1, 1, 1, -huge}, "width.pad_before"}};
  for (const auto& [axis, text] : cases) {
    EXPECT_THAT(axis.Check("width"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)));
  }
}

TEST(WindowTest, EveryFieldIsPartOfTheFingerprint) {
  const auto key = [](const WindowAxis& axis) {
    Hasher hasher;
    axis.AppendTo(hasher);
    return hasher.Finish();
  };
  const WindowAxis base = {5, 6, 7, 8, 9, 10};
  for (int64_t WindowAxis::*const field : {&WindowAxis::input, &WindowAxis::output, &WindowAxis::kernel,
                                           &WindowAxis::stride, &WindowAxis::dilation, &WindowAxis::pad_before}) {
    WindowAxis other = base;
    other.*field += 1;
    EXPECT_NE(key(other), key(base));
  }
}

}  // namespace
}  // namespace burin::jit

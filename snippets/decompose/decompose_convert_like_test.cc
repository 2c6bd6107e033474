#include <gtest/gtest.h>

#include "snippets/decompose/decompose_testlib.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

TEST(DecomposeConvertLikeTest, ConvertsToTheTypeOfTheOther) {
  ExpectRewrites(&DecomposeConvertLike,
                 R"(model "" {
  %0 "x" = Parameter() {element_type = u8, shape = [n,4]}
  %1 "y" = Parameter() {element_type = f16, shape = [7]}
  %2 = ConvertLike(%0, %1)
  %3 = Result(%2)
})",
                 R"(model "" {
  %0 "x" = Parameter() {element_type = u8, shape = [n,4]}
  %1 "y" = Parameter() {element_type = f16, shape = [7]}
  %2 = Convert(%0) {destination_type = f16}
  %3 = Result(%2)
})");
}

TEST(DecomposeConvertLikeTest, LeavesOtherOperations) {
  ExpectUnchanged(&DecomposeConvertLike, R"(model "" {
  %0 "x" = Parameter() {element_type = u8, shape = [n,4]}
  %1 = Convert(%0) {destination_type = f16}
  %2 = Result(%1)
})");
}

}  // namespace
}  // namespace burin::snippets

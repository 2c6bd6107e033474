#include "tools/jit_dump/fused.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit_dump {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kSoftmax[] = R"(model "softmax" {
  %0 "x" = Parameter() {element_type = f32, shape = [7,300]}
  %1 = Softmax(%0) {axis = 1}
  %2 "out" = Result(%1)
})";

TEST(FusedTest, ShowsEachForm) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::ForTesting(jit::IsaSet::From(jit::IsaLevel::kAvx2)));
  ASSERT_OK_AND_ASSIGN(const FusedForms forms, FormsOfBody(kSoftmax, target));
  EXPECT_THAT(forms.body, HasSubstr("ReduceMax"));
  EXPECT_THAT(forms.body, Not(HasSubstr("= Softmax(")));
  EXPECT_THAT(forms.linear_ir, HasSubstr("Begin(maximum a1)"));
  EXPECT_EQ(forms.code.name, "fused_softmax");
  EXPECT_GT(forms.code.code_bytes, 0u);
}

TEST(FusedTest, TheLoopsAreTheKernel) {
  for (const jit::IsaLevel level : {jit::IsaLevel::kAvx2, jit::IsaLevel::kAvx512}) {
    ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::ForTesting(jit::IsaSet::From(level)));
    ASSERT_OK_AND_ASSIGN(const FusedForms of_body, FormsOfBody(kSoftmax, target));
    ASSERT_OK_AND_ASSIGN(const FusedForms of_loops, FormsOfLinearIr(of_body.linear_ir, target));
    EXPECT_EQ(of_loops.body, "");
    EXPECT_EQ(of_loops.linear_ir, of_body.linear_ir);
    EXPECT_EQ(of_loops.code.bytes, of_body.code.bytes);
  }
}

TEST(FusedTest, ErrorsAreThoseOfTheText) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::ForTesting(jit::IsaSet::From(jit::IsaLevel::kAvx2)));
  EXPECT_THAT(FormsOfBody("model", target), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("line 1")));
  EXPECT_THAT(FormsOfLinearIr("loop", target), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("line 1")));
}

// Returns where the line begins that position `at` lies in.
size_t LineOf(const std::string& text, size_t at) {
  const size_t end = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  return end == std::string::npos ? 0 : end + 1;
}

// Loops that somebody changed are an error or code, whatever they say.
TEST(FusedTest, AnyLoopsAreAnErrorOrCode) {
  constexpr uint64_t kSeed = 7;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::ForTesting(jit::IsaSet::From(jit::IsaLevel::kAvx2)));
  ASSERT_OK_AND_ASSIGN(const FusedForms forms, FormsOfBody(kSoftmax, target));
  int kernels = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = forms.linear_ir;
    for (int changes = 1 + static_cast<int>(random() % 3); changes > 0; --changes) {
      const size_t at = random() % text.size();
      if (absl::ascii_isdigit(static_cast<unsigned char>(text[at]))) {
        text[at] = static_cast<char>('0' + random() % 10);
      } else {
        // A line more.
        const size_t from = LineOf(text, random() % text.size());
        text.insert(LineOf(text, at), text.substr(from, text.find('\n', from) + 1 - from));
      }
    }
    if (FormsOfLinearIr(text, target).ok()) ++kernels;
  }
  EXPECT_GT(kernels, 50);
}

}  // namespace
}  // namespace burin::jit_dump

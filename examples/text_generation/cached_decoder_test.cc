#include "examples/text_generation/cached_decoder.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "burin/core.h"
#include "examples/text_generation/summing_decoder_testlib.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin::text_generation {
namespace {

using ::testing::HasSubstr;

class CachedDecoderTest : public ::testing::TestWithParam<std::string> {
 protected:
  absl::StatusOr<CachedDecoder> Make(ElementType type) {
    return CachedDecoder::Create(core_.CompileModel(*SummingDecoder(type), GetParam()).value());
  }

  Core core_;
};

TEST_P(CachedDecoderTest, TokensDependOnAllBeforeThem) {
  for (const ElementType type : {ElementType::kF32, ElementType::kF16, ElementType::kBf16}) {
    ASSERT_OK_AND_ASSIGN(CachedDecoder decoder, Make(type));
    EXPECT_EQ(decoder.length(), 0);
    const std::vector<int64_t> prompt = {4, 9, 1};
    const std::vector<int64_t> expected = SummedTokens(prompt, 12);
    EXPECT_EQ(*decoder.Append(prompt), expected[0]);
    EXPECT_EQ(decoder.length(), 3);
    for (size_t i = 1; i < expected.size(); ++i) {
      EXPECT_EQ(*decoder.Append({expected[i - 1]}), expected[i]) << i;
    }
    EXPECT_EQ(decoder.length(), 14);
  }
}

TEST_P(CachedDecoderTest, PartsOfAPromptAreThePrompt) {
  ASSERT_OK_AND_ASSIGN(CachedDecoder decoder, Make(ElementType::kF32));
  EXPECT_EQ(*decoder.Append({7, 7}), SummedTokens({7, 7}, 1)[0]);
  EXPECT_EQ(*decoder.Append({3, 5, 2, 8}), SummedTokens({7, 7, 3, 5, 2, 8}, 1)[0]);
  EXPECT_EQ(*decoder.Append({10}), SummedTokens({7, 7, 3, 5, 2, 8, 10}, 1)[0]);
}

TEST_P(CachedDecoderTest, AnErrorLeavesTheText) {
  ASSERT_OK_AND_ASSIGN(CachedDecoder decoder, Make(ElementType::kF32));
  EXPECT_THAT(decoder.Scores(), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_OK(decoder.Append({1, 2}));
  ASSERT_OK_AND_ASSIGN(const Tensor scores, decoder.Scores());
  EXPECT_EQ(*LargestOfLast(scores, 11), SummedTokens({1, 2}, 1)[0]);
  EXPECT_THAT(decoder.Append({}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("No tokens")));
  EXPECT_EQ(decoder.length(), 2);
  EXPECT_EQ(*decoder.Append({3}), SummedTokens({1, 2, 3}, 1)[0]);
}

TEST_P(CachedDecoderTest, RefusesAModelThatIsNoDecoder) {
  ASSERT_OK_AND_ASSIGN(const Model model, Model::FromText(R"(model "m" {
    %0 "x" = Parameter() {shape = [6]}
    %1 = Relu(%0)
    %2 "y" = Result(%1)
  })"));
  ASSERT_OK_AND_ASSIGN(const CompiledModel compiled, core_.CompileModel(model, GetParam()));
  EXPECT_THAT(CachedDecoder::Create(compiled), StatusIs(absl::StatusCode::kInvalidArgument));
}

INSTANTIATE_TEST_SUITE_P(Devices, CachedDecoderTest, ::testing::Values("CPU", "REFERENCE"));

Tensor Halves(ElementType type, std::vector<uint16_t>* bits) {
  return Tensor::View(type, {static_cast<int64_t>(bits->size())}, bits->data()).value();
}

TEST(LargestOfLastTest, TheFirstOfTheLargestThatIsANumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> values = {9, -2, nan, 1, 3, 3};
  const Tensor tensor = Tensor::View(ElementType::kF32, {6}, values.data()).value();
  EXPECT_EQ(*LargestOfLast(tensor, 6), 0);
  EXPECT_EQ(*LargestOfLast(tensor, 5), 3);
  EXPECT_EQ(*LargestOfLast(tensor, 1), 0);
  EXPECT_THAT(LargestOfLast(tensor, 7), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(LargestOfLast(tensor, 0), StatusIs(absl::StatusCode::kInvalidArgument));
  values.assign(6, nan);
  EXPECT_THAT(LargestOfLast(tensor, 6), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("number")));
}

TEST(LargestOfLastTest, HalvesAreOrderedByTheirBits) {
  // -2, -1, -0, 0.5, a NaN of each sign, 0.25.
  std::vector<uint16_t> f16 = {0xc000, 0xbc00, 0x8000, 0x3800, 0x7e00, 0xfe00, 0x3400};
  EXPECT_EQ(*LargestOfLast(Halves(ElementType::kF16, &f16), 7), 3);
  std::vector<uint16_t> negative = {0xc000, 0xbc00, 0xfc00};
  EXPECT_EQ(*LargestOfLast(Halves(ElementType::kF16, &negative), 3), 1);
  // The bits that are a NaN of f16 are a number of bf16.
  std::vector<uint16_t> bf16 = {0x3f80, 0x7e00, 0xffc0};
  EXPECT_EQ(*LargestOfLast(Halves(ElementType::kBf16, &bf16), 3), 1);
  std::vector<uint16_t> nans = {0x7fc0, 0xffc0};
  EXPECT_THAT(LargestOfLast(Halves(ElementType::kBf16, &nans), 2), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::text_generation

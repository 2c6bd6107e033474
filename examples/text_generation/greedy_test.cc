#include "examples/text_generation/greedy.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "burin/core.h"
#include "examples/text_generation/summing_decoder_testlib.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin::text_generation {
namespace {

class GreedyTest : public ::testing::Test {
 protected:
  absl::StatusOr<CachedDecoder> Make() {
    return CachedDecoder::Create(core_.CompileModel(*SummingDecoder(ElementType::kF32), "CPU").value());
  }
  absl::Status Tell(int64_t token) {
    told_.push_back(token);
    return absl::OkStatus();
  }

  Core core_;
  std::vector<int64_t> told_;
};

TEST_F(GreedyTest, GivesAsManyTokensAsWanted) {
  ASSERT_OK_AND_ASSIGN(CachedDecoder decoder, Make());
  ASSERT_OK_AND_ASSIGN(const Generated generated,
                       GenerateGreedily(decoder, {5, 6}, 9, {}, [this](int64_t token) { return Tell(token); }));
  EXPECT_EQ(generated.tokens, SummedTokens({5, 6}, 9));
  EXPECT_EQ(told_, generated.tokens);
  EXPECT_GT(generated.prompt_seconds, 0);
  EXPECT_GT(generated.tokens_per_second(), 0);
  // A second call goes on with the same text, behind the last token that the decoder has read.
  EXPECT_EQ(decoder.length(), 2 + 8);
}

TEST_F(GreedyTest, ATokenCanEndTheText) {
  const std::vector<int64_t> whole = SummedTokens({5, 6}, 20);
  const int64_t end = whole[4];
  std::vector<int64_t> expected;
  for (const int64_t token : whole) {
    expected.push_back(token);
    if (token == end) break;
  }
  ASSERT_OK_AND_ASSIGN(CachedDecoder decoder, Make());
  ASSERT_OK_AND_ASSIGN(const Generated generated,
                       GenerateGreedily(decoder, {5, 6}, 20, {99, end}, [this](int64_t token) { return Tell(token); }));
  EXPECT_EQ(generated.tokens, expected);
  EXPECT_LT(generated.tokens.size(), 20u);
}

TEST_F(GreedyTest, NothingWantedNothingGiven) {
  ASSERT_OK_AND_ASSIGN(CachedDecoder decoder, Make());
  ASSERT_OK_AND_ASSIGN(const Generated generated,
                       GenerateGreedily(decoder, {5}, 0, {}, [this](int64_t token) { return Tell(token); }));
  EXPECT_TRUE(generated.tokens.empty());
  EXPECT_EQ(generated.tokens_per_second(), 0);
}

TEST_F(GreedyTest, AnErrorOfTheListenerEndsIt) {
  ASSERT_OK_AND_ASSIGN(CachedDecoder decoder, Make());
  EXPECT_THAT(GenerateGreedily(decoder, {5}, 4, {}, [](int64_t) { return absl::CancelledError("enough"); }),
              StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(GreedyTest, AnErrorOfTheDecoderEndsIt) {
  ASSERT_OK_AND_ASSIGN(CachedDecoder decoder, Make());
  EXPECT_THAT(GenerateGreedily(decoder, {}, 4, {}, [this](int64_t token) { return Tell(token); }),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::text_generation

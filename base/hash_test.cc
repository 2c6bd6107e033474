#include "base/hash.h"

#include <cstdint>
#include <set>
#include <string>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

Hash128 HashText(absl::string_view text) { return HashBytes(text.data(), text.size()); }

std::string CountingBytes(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 7 + 3);
  return bytes;
}

// These values are in files: a change of any of them breaks every stored cache.
TEST(HashTest, ValuesAreFrozen) {
  EXPECT_EQ(HashBytes(nullptr, 0).ToHex(), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(HashText("burin").ToHex(), "276fa1a60036a5ebefe1483319b50234");
  EXPECT_EQ(HashText(CountingBytes(100)).ToHex(), "2207ed96998d91f20cc97f05750182b2");
  EXPECT_EQ(HashText(CountingBytes(200)).ToHex(), "32200a52a918beaf380142cdd5843bbd");
  EXPECT_EQ(HashText(CountingBytes(5000)).ToHex(), "c98ae385d09887cc799aaddd7339581d");
  Hasher hasher;
  hasher.UpdateString("name");
  hasher.UpdateInt(-2);
  hasher.UpdateDouble(0.5);
  hasher.Update(Hash128{1, 2});
  EXPECT_EQ(hasher.Finish().ToHex(), "9d4eb857875da6b43a5dfed279bfe59b");
}

TEST(HashTest, StreamingEqualsOneShotForAnySplit) {
  const std::string bytes = CountingBytes(1500);
  for (size_t size : {0, 1, 16, 17, 128, 240, 241, 1024, 1500}) {
    for (size_t split : {0, 1, 63, 64, 255, 256, 257, 1000}) {
      if (split > size) continue;
      Hasher hasher;
      hasher.Update(bytes.data(), split);
      hasher.Update(bytes.data() + split, size - split);
      EXPECT_EQ(hasher.Finish(), HashBytes(bytes.data(), size)) << size << " " << split;
    }
  }
}

TEST(HashTest, FinishLeavesTheStreamOpenAndCopiesFork) {
  const std::string bytes = CountingBytes(700);
  Hasher hasher;
  hasher.Update(bytes.data(), 300);
  EXPECT_EQ(hasher.Finish(), HashBytes(bytes.data(), 300));
  Hasher fork = hasher;
  hasher.Update(bytes.data() + 300, 400);
  EXPECT_EQ(fork.Finish(), HashBytes(bytes.data(), 300));
  EXPECT_EQ(hasher.Finish(), HashBytes(bytes.data(), 700));
}

template <class... Fields>
Hash128 HashStrings(const Fields&... fields) {
  Hasher hasher;
  (hasher.UpdateString(fields), ...);
  return hasher.Finish();
}

TEST(HashTest, StringsDoNotRunTogether) {
  const std::set<Hash128> all = {HashStrings("ab", "c"), HashStrings("a", "bc"), HashStrings("abc"),
                                 HashStrings("abc", ""), HashStrings("", "abc")};
  EXPECT_EQ(all.size(), 5u);
}

template <class T>
Hash128 HashInt(T value) {
  Hasher hasher;
  hasher.UpdateInt(value);
  return hasher.Finish();
}

TEST(HashTest, IntegersOfEqualValueAgree) {
  EXPECT_EQ(HashInt(int8_t{-1}), HashInt(int64_t{-1}));
  EXPECT_EQ(HashInt(uint8_t{200}), HashInt(int32_t{200}));
  EXPECT_EQ(HashInt(true), HashInt(1));
  EXPECT_NE(HashInt(1), HashInt(2));
  EXPECT_NE(HashInt(uint32_t{0xFFFFFFFF}), HashInt(int32_t{-1}));
}

TEST(HashTest, DoublesHashTheirBits) {
  Hasher plus;
  plus.UpdateDouble(0.0);
  Hasher minus;
  minus.UpdateDouble(-0.0);
  EXPECT_NE(plus.Finish(), minus.Finish());
}

TEST(HashTest, HexRoundTrips) {
  const Hash128 hash = {0x0123456789ABCDEF, 0x00000000000000F0};
  EXPECT_EQ(hash.ToHex(), "0123456789abcdef00000000000000f0");
  EXPECT_THAT(Hash128::FromHex(hash.ToHex()), IsOkAndHolds(hash));
  EXPECT_THAT(Hash128::FromHex("0123456789ABCDEF00000000000000F0"), IsOkAndHolds(hash));
}

TEST(HashTest, FromHexRefusesOtherTexts) {
  EXPECT_THAT(Hash128::FromHex(""), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Hash128::FromHex("0123456789abcdef00000000000000f"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Hash128::FromHex("0123456789abcdef00000000000000f00"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Hash128::FromHex("0123456789abcdeg00000000000000f0"), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(HashTest, OrdersByHighThenLow) {
  EXPECT_LT((Hash128{0, 9}), (Hash128{1, 0}));
  EXPECT_LT((Hash128{1, 0}), (Hash128{1, 1}));
  EXPECT_FALSE((Hash128{1, 1}) < (Hash128{1, 1}));
}

TEST(HashTest, WorksAsTableKey) {
  const absl::Hash<Hash128> hash;
  EXPECT_EQ(hash(Hash128{1, 2}), hash(Hash128{1, 2}));
  EXPECT_NE(hash(Hash128{1, 2}), hash(Hash128{2, 1}));
  EXPECT_NE(hash(Hash128{1, 2}), hash(Hash128{1, 3}));
}

}  // namespace
}  // namespace burin

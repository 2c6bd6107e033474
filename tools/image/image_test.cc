#include "tools/image/image.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"
#include "tools/image/image_testlib.h"

namespace burin::image {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// 8x8 pixels (16 x, 16 y, x xor y), compressed, with each of the five filters.
constexpr char kCompressed[] =
    "89504e470d0a1a0a0000000d49484452000000080000000808020000004b6d29dc0000006c4944415478da658ec109c33010"
    "04e74eb2ace795a0125c824bd8125482dbcfc3288a434270601906ee601720b0866fa49d2c964e39588db06004e9469f0722"
    "1127317e3dd1bcd6512b17f3d7f3eb0b07bbf2f8c88c96506e5a37955d26d1950eb9d1cb5c159c37becbc73f9fa6011d403b"
    "f4597a0000000049454e44ae426082";
// One grey pixel of 16 bits, 0xabcd.
constexpr char kSixteenBits[] =
    "89504e470d0a1a0a0000000d49484452000000010000000110000000006aee47160000000b4944415478da63587d1600022601797ded9d0b00"
    "00000049454e44ae426082";

Image Pixels(int64_t height, int64_t width, int64_t channels) {
  Image image;
  image.height = height;
  image.width = width;
  image.channels = channels;
  for (int64_t i = 0; i < height * width * channels; ++i) image.samples.push_back(static_cast<uint8_t>(7 * i + 3));
  return image;
}

std::string WithBytes(std::string bytes, size_t offset, const std::string& replacement) {
  return bytes.replace(offset, replacement.size(), replacement);
}

TEST(ImageTest, ReadsWhatWasWritten) {
  for (int64_t channels : {1, 3, 4}) {
    const Image written = Pixels(3, 5, channels);
    ASSERT_OK_AND_ASSIGN(Image read, Decode(EncodePng(written), channels));
    EXPECT_EQ(read.height, 3);
    EXPECT_EQ(read.width, 5);
    EXPECT_EQ(read.channels, channels);
    EXPECT_EQ(read.samples, written.samples);
  }
  const Image written = Pixels(3, 5, 3);
  ASSERT_OK_AND_ASSIGN(Image read, Decode(EncodeBmp(written), 3));
  EXPECT_EQ(read.height, 3);
  EXPECT_EQ(read.samples, written.samples);
}

TEST(ImageTest, ReadsCompressedPictures) {
  ASSERT_OK_AND_ASSIGN(Image image, Decode(absl::HexStringToBytes(kCompressed), 3));
  ASSERT_EQ(image.samples.size(), 8 * 8 * 3);
  for (size_t y = 0; y < 8; ++y) {
    for (size_t x = 0; x < 8; ++x) {
      EXPECT_THAT(
          std::vector<uint8_t>(image.samples.begin() + (y * 8 + x) * 3, image.samples.begin() + (y * 8 + x) * 3 + 3),
          ElementsAre(16 * x, 16 * y, x ^ y));
    }
  }
}

TEST(ImageTest, ConvertsChannelsAndDepth) {
  Image grey = Pixels(1, 1, 1);
  grey.samples = {100};
  EXPECT_THAT(Decode(EncodePng(grey), 3)->samples, ElementsAre(100, 100, 100));
  EXPECT_THAT(Decode(EncodePng(grey), 4)->samples, ElementsAre(100, 100, 100, 255));
  Image green = Pixels(1, 1, 3);
  green.samples = {0, 255, 0};
  EXPECT_THAT(Decode(EncodePng(green), 1)->samples, ElementsAre(149));  // 150/256 of it.
  EXPECT_THAT(Decode(absl::HexStringToBytes(kSixteenBits), 1)->samples, ElementsAre(0xab));
  EXPECT_THAT(Decode(EncodePng(grey), 2), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("1, 3 or 4")));
}

TEST(ImageTest, FilesOfOtherFormatsAreRefused) {
  EXPECT_TRUE(IsImage(EncodePng(Pixels(1, 1, 1))));
  EXPECT_TRUE(IsImage("BM"));
  for (absl::string_view bytes : {"", "B", "\xff\xd8\xff\xe0 JFIF", "GIF89a"}) {
    EXPECT_FALSE(IsImage(bytes));
    EXPECT_THAT(Decode(bytes, 3), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("no PNG or BMP")));
  }
}

TEST(ImageTest, DamagedFilesAreRefused) {
  const std::string png = EncodePng(Pixels(4, 4, 3));
  const std::string bmp = EncodeBmp(Pixels(4, 4, 3));
  for (const std::string& bytes :
       {png.substr(0, 20), png.substr(0, png.size() / 2), WithBytes(png, 16, std::string(4, '\0')),
        WithBytes(png, 24, "\x07"), bmp.substr(0, 20), bmp.substr(0, bmp.size() - 1), WithBytes(bmp, 28, "\x05"),
        WithBytes(bmp, 18, std::string(4, '\0'))}) {
    EXPECT_THAT(Decode(bytes, 3), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Picture is damaged")));
  }
}

TEST(ImageTest, LargePicturesAreRefused) {
  const std::string png = EncodePng(Pixels(1, 1, 3));
  // 16384 x 16384, of which the file holds one.
  EXPECT_THAT(Decode(WithBytes(png, 16, std::string("\0\0\x40\0\0\0\x40\0", 8)), 3),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("16384x16384 pixels")));
  EXPECT_THAT(Decode("BM" + std::string(kMaxFileBytes, '\0'), 3), StatusIs(absl::StatusCode::kResourceExhausted));
}

// Returns a PNG of one grey pixel whose data inflate to `count` times 258 bytes (RFC 1951: a fixed code, one literal 0,
// and copies of it).
std::string Bomb(int64_t count) {
  std::string data = "\x78\x01";
  int64_t bits = 0;
  const auto append = [&](const std::string& text) {
    for (char bit : text) {
      if (bits % 8 == 0) data += '\0';
      if (bit == '1') data.back() = static_cast<char>(data.back() | 1 << (bits % 8));
      ++bits;
    }
  };
  append(
      "1"
      "10"
      "00110000");
  for (int64_t i = 0; i < count; ++i)
    append(
        "11000101"
        "00000");
  append("0000000");
  data += "sums";  // Which nobody checks.
  const std::string png = EncodePng(Pixels(1, 1, 1));
  const size_t header = 8 + 25;
  std::string length;
  for (int shift = 24; shift >= 0; shift -= 8) length += static_cast<char>(data.size() >> shift & 0xff);
  return png.substr(0, header) + length + "IDAT" + data + "sums" + png.substr(png.size() - 12);
}

TEST(ImageTest, InflatingIsBounded) {
  EXPECT_OK(Decode(Bomb(1), 1));
  // 8 MiB for one pixel.
  EXPECT_THAT(Decode(Bomb(1 << 15), 1), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("damaged: outofmem")));
}

// No damage does more than give a Status: run under the address sanitizer, this finds any read beyond the bytes.
TEST(ImageTest, NoDamageCrashes) {
  constexpr uint32_t kSeed = 20260;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const std::vector<std::string> files = {absl::HexStringToBytes(kCompressed), absl::HexStringToBytes(kSixteenBits),
                                          EncodePng(Pixels(4, 4, 4)), EncodeBmp(Pixels(4, 5, 3))};
  int decoded = 0;
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = files[static_cast<size_t>(i) % files.size()];
    const size_t changes = 1 + random() % 4;
    for (size_t change = 0; change < changes; ++change) {
      bytes[2 + random() % (bytes.size() - 2)] = static_cast<char>(random());
    }
    if (random() % 4 == 0) bytes.resize(2 + random() % bytes.size());
    // A copy without spare capacity, whose end the sanitizer guards.
    const std::vector<char> exact(bytes.begin(), bytes.end());
    const auto image = Decode(absl::string_view(exact.data(), exact.size()), 3);
    ++(image.ok() ? decoded : refused);
    if (!image.ok()) continue;
    EXPECT_EQ(image->samples.size(), static_cast<size_t>(image->height * image->width * 3));
  }
  EXPECT_GT(decoded, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(ImageTest, ErrorsNameTheFile) {
  const std::string path = ::testing::TempDir() + "/damaged.png";
  ASSERT_OK(WriteFileAtomically(path, EncodePng(Pixels(4, 4, 3)).substr(0, 50)));
  EXPECT_THAT(Read(path, 3), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(path)));
  EXPECT_THAT(Read("/none/a.png", 3), StatusIs(absl::StatusCode::kNotFound));
  ASSERT_OK(WriteFileAtomically(path, EncodePng(Pixels(4, 4, 3))));
  EXPECT_EQ(Read(path, 3)->width, 4);
}

}  // namespace
}  // namespace burin::image

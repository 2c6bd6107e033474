#include "tools/image/image_testlib.h"

#include <cstddef>
#include <cstdint>

#include "base/check.h"

namespace burin::image {

namespace {

void AppendBigEndian(uint32_t value, std::string* bytes) {
  for (int shift = 24; shift >= 0; shift -= 8) *bytes += static_cast<char>(value >> shift & 0xff);
}

void AppendLittleEndian(uint64_t value, int size, std::string* bytes) {
  for (int i = 0; i < size; ++i) *bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

// The checksum of PNG chunks (ISO 3309).
uint32_t Crc32(const std::string& bytes) {
  uint32_t crc = 0xffffffff;
  for (char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

// The checksum of zlib streams (RFC 1950).
uint32_t Adler32(const std::string& bytes) {
  uint32_t a = 1;
  uint32_t b = 0;
  for (char byte : bytes) {
    a = (a + static_cast<unsigned char>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

std::string Chunk(const std::string& type, const std::string& data) {
  std::string chunk;
  AppendBigEndian(static_cast<uint32_t>(data.size()), &chunk);
  chunk += type + data;
  AppendBigEndian(Crc32(type + data), &chunk);
  return chunk;
}

// Returns a zlib stream with one stored block.
std::string Stored(const std::string& data) {
  BURIN_CHECK_LT(data.size(), size_t{1} << 16);
  std::string stream = "\x78\x01\x01";
  AppendLittleEndian(data.size(), 2, &stream);
  AppendLittleEndian(~data.size(), 2, &stream);
  stream += data;
  AppendBigEndian(Adler32(data), &stream);
  return stream;
}

}  // namespace

std::string EncodePng(const Image& image) {
  std::string header;
  AppendBigEndian(static_cast<uint32_t>(image.width), &header);
  AppendBigEndian(static_cast<uint32_t>(image.height), &header);
  const char color_type = image.channels == 1 ? 0 : image.channels == 3 ? 2 : 6;
  header += std::string({8, color_type, 0, 0, 0});
  std::string rows;
  const int64_t row_size = image.width * image.channels;
  for (int64_t y = 0; y < image.height; ++y) {
    rows += '\0';  // No filter.
    for (int64_t x = 0; x < row_size; ++x) {
      rows += static_cast<char>(image.samples[static_cast<size_t>(y * row_size + x)]);
    }
  }
  return std::string("\x89PNG\r\n\x1a\n", 8) + Chunk("IHDR", header) + Chunk("IDAT", Stored(rows)) + Chunk("IEND", "");
}

std::string EncodeBmp(const Image& image) {
  constexpr uint64_t kHeader = 14 + 40;
  const uint64_t row_size = (static_cast<uint64_t>(image.width) * 3 + 3) / 4 * 4;
  const uint64_t data_size = row_size * static_cast<uint64_t>(image.height);
  std::string bytes = "BM";
  AppendLittleEndian(kHeader + data_size, 4, &bytes);
  AppendLittleEndian(0, 4, &bytes);
  AppendLittleEndian(kHeader, 4, &bytes);
  AppendLittleEndian(40, 4, &bytes);
  AppendLittleEndian(static_cast<uint64_t>(image.width), 4, &bytes);
  AppendLittleEndian(static_cast<uint64_t>(image.height), 4, &bytes);
  AppendLittleEndian(1, 2, &bytes);
  AppendLittleEndian(24, 2, &bytes);
  AppendLittleEndian(0, 4, &bytes);
  AppendLittleEndian(data_size, 4, &bytes);
  bytes += std::string(16, '\0');
  for (int64_t y = image.height - 1; y >= 0; --y) {  // Rows from the bottom, samples blue, green, red.
    const size_t row_start = bytes.size();
    for (int64_t x = 0; x < image.width; ++x) {
      for (int64_t c = 2; c >= 0; --c) {
        bytes += static_cast<char>(image.samples[static_cast<size_t>((y * image.width + x) * 3 + c)]);
      }
    }
    bytes.resize(row_start + row_size, '\0');
  }
  return bytes;
}

}  // namespace burin::image

#include "tools/image/image.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_context.h"
#include "base/status_macros.h"

namespace burin::image {

namespace {

// The largest block that a decoder may ask for.
thread_local size_t max_block = 0;

void* Allocate(size_t size) { return size > max_block ? nullptr : std::malloc(size); }
void* Reallocate(void* block, size_t size) { return size > max_block ? nullptr : std::realloc(block, size); }

}  // namespace

}  // namespace burin::image

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_BMP
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_MALLOC(size) burin::image::Allocate(size)
#define STBI_REALLOC(block, size) burin::image::Reallocate(block, size)
#define STBI_FREE(block) std::free(block)
#include "stb/stb_image.h"

namespace burin::image {

namespace {

constexpr absl::string_view kPngSignature("\x89PNG\r\n\x1a\n", 8);
constexpr absl::string_view kBmpSignature("BM", 2);

// Enough for the decoders' own structures.
constexpr size_t kSmallBlock = size_t{1} << 16;

// Reads two or four bytes, little-endian; 0 beyond the end.
uint64_t Field(absl::string_view bytes, size_t offset, size_t size) {
  uint64_t value = 0;
  if (offset + size > bytes.size()) return 0;
  for (size_t i = size; i > 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[offset + i - 1]);
  return value;
}

// stb_image reads zeros behind the end of a BMP file. Fields: [MS-WMF] 2.2.2.1 and 2.2.2.2, behind a header of 14 bytes
// whose last field says where the rows, padded to 4 bytes, begin.
absl::Status CheckBmpIsWhole(absl::string_view bytes, uint64_t width, uint64_t height) {
  const uint64_t rows = Field(bytes, 10, 4);
  const bool is_core_header = Field(bytes, 14, 4) == 12;
  const uint64_t bits = Field(bytes, is_core_header ? 24 : 28, 2);
  const uint64_t wanted = rows + (width * bits + 31) / 32 * 4 * height;
  if (wanted <= bytes.size()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("Picture is damaged: its header asks for ", wanted, " bytes; the file has ", bytes.size()));
}

absl::Status Damaged() {
  const char* reason = stbi_failure_reason();
  return absl::InvalidArgumentError(absl::StrCat("Picture is damaged: ", reason == nullptr ? "no reason" : reason));
}

}  // namespace

bool IsImage(absl::string_view bytes) {
  return absl::StartsWith(bytes, kPngSignature) || absl::StartsWith(bytes, kBmpSignature);
}

absl::StatusOr<Image> Decode(absl::string_view bytes, int64_t channels) {
  if (channels != 1 && channels != 3 && channels != 4) {
    return absl::InvalidArgumentError(
        absl::StrCat("A picture is decoded with 1, 3 or 4 channels; asked for: ", channels));
  }
  if (!IsImage(bytes)) return absl::UnimplementedError("File is no PNG or BMP picture: other formats are not read");
  if (bytes.size() > kMaxFileBytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("Picture file has ", bytes.size(), " bytes; at most ", kMaxFileBytes, " are read"));
  }
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  int width = 0;
  int height = 0;
  int in_file = 0;
  max_block = kSmallBlock;
  if (stbi_info_from_memory(data, size, &width, &height, &in_file) == 0) return Damaged();
  if (width <= 0 || height <= 0) return absl::InvalidArgumentError("Picture is damaged: it has no pixels");
  if (int64_t{width} * height > kMaxPixels) {
    return absl::ResourceExhaustedError(
        absl::StrCat("Picture has ", width, "x", height, " pixels; at most ", kMaxPixels, " are decoded"));
  }
  // Buffers grow by doubling: up to 4 channels of 16 bits, or what the file itself holds. A file that inflates to more
  // than its pixels is refused on the way there.
  max_block = kSmallBlock + 2 * std::max(8 * static_cast<size_t>(width) * static_cast<size_t>(height), bytes.size());
  if (absl::StartsWith(bytes, kBmpSignature)) {
    BURIN_RETURN_IF_ERROR(CheckBmpIsWhole(bytes, static_cast<uint64_t>(width), static_cast<uint64_t>(height)));
  }
  const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(
      stbi_load_from_memory(data, size, &width, &height, &in_file, static_cast<int>(channels)), &stbi_image_free);
  if (pixels == nullptr) return Damaged();
  Image image;
  image.height = height;
  image.width = width;
  image.channels = channels;
  image.samples.assign(pixels.get(), pixels.get() + int64_t{width} * height * channels);
  return image;
}

absl::StatusOr<Image> Read(const std::string& path, int64_t channels) {
  BURIN_ASSIGN_OR_RETURN(std::string bytes, ReadFile(path));
  absl::StatusOr<Image> image = Decode(bytes, channels);
  if (!image.ok()) return WithContext(image.status(), path);
  return image;
}

}  // namespace burin::image

// Decodes pictures: PNG and BMP, from a file or from its bytes.
//
// For the inputs of tools. Not for JPEG: the packaged stb_image writes beyond its tables where such a file is damaged.
// Whatever the bytes are, the answer is pixels or a Status, and memory is bounded by the picture's size; checksums are
// not checked. Calls need outside order: stb_image keeps the text of its last error.
#ifndef BURIN_TOOLS_IMAGE_IMAGE_H_
#define BURIN_TOOLS_IMAGE_IMAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace burin::image {

// The largest picture that is decoded (8K video has 33.2 million pixels), and the largest file.
inline constexpr int64_t kMaxPixels = int64_t{1} << 25;
inline constexpr size_t kMaxFileBytes = size_t{1} << 28;

struct Image {
  int64_t height = 0;
  int64_t width = 0;
  int64_t channels = 0;
  // 8 bits per sample; rows from the top, pixels from the left, each with its samples side by side: grey, or red,
  // green, blue, or red, green, blue, alpha.
  std::vector<uint8_t> samples;
};

// Returns whether the bytes begin as a PNG or BMP file does.
bool IsImage(absl::string_view bytes);

// Returns the picture with 1, 3 or 4 channels (anything else is InvalidArgument), converted where the file has another
// number: colour becomes grey by luminance, alpha is dropped or opaque. 16-bit samples keep their upper 8 bits.
// InvalidArgument for a damaged file, Unimplemented for one of another format, ResourceExhausted beyond the limits.
absl::StatusOr<Image> Decode(absl::string_view bytes, int64_t channels);

// Reads and decodes the file at `path`. Errors as above, naming the file, and those of reading files.
absl::StatusOr<Image> Read(const std::string& path, int64_t channels);

}  // namespace burin::image

#endif  // BURIN_TOOLS_IMAGE_IMAGE_H_

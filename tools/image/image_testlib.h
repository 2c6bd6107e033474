// Encodes pictures, so that tests have files to decode.
//
// For tests only: PNG without compression. Stateless, thread-safe.
#ifndef BURIN_TOOLS_IMAGE_IMAGE_TESTLIB_H_
#define BURIN_TOOLS_IMAGE_IMAGE_TESTLIB_H_

#include <string>

#include "tools/image/image.h"

namespace burin::image {

// Returns a file with the image's 1, 3 or 4 channels of 8 bits. The pixels take less than 64 KiB.
std::string EncodePng(const Image& image);
// Returns a file with 24 bits per pixel; the image has 3 channels.
std::string EncodeBmp(const Image& image);

}  // namespace burin::image

#endif  // BURIN_TOOLS_IMAGE_IMAGE_TESTLIB_H_

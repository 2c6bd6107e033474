#include <gtest/gtest.h>

// This file alone is no library for others: the implementation stays inside it.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_BMP
#include <stb/stb_image.h>

namespace burin {
namespace {

TEST(StbTest, ReadsOnePixel) {
  const unsigned char bitmap[] = {'B', 'M', 58, 0, 0, 0, 0, 0, 0,  0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0,
                                  0,   0,   1,  0, 0, 0, 1, 0, 24, 0, 0,  0, 0, 0, 4,  0, 0, 0, 0, 0,
                                  0,   0,   0,  0, 0, 0, 0, 0, 0,  0, 0,  0, 0, 0, 3,  2, 1, 0};
  int width = 0;
  int height = 0;
  int channels = 0;
  unsigned char* pixels = stbi_load_from_memory(bitmap, sizeof(bitmap), &width, &height, &channels, 3);
  ASSERT_NE(pixels, nullptr) << stbi_failure_reason();
  EXPECT_EQ(width, 1);
  EXPECT_EQ(height, 1);
  EXPECT_EQ(pixels[0], 1);
  EXPECT_EQ(pixels[2], 3);
  stbi_image_free(pixels);
}

}  // namespace
}  // namespace burin

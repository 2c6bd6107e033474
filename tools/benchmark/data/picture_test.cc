#include "tools/benchmark/data/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "base/file.h"
#include "ir/dimension.h"
#include "ir/layout.h"
#include "testing/gtest/status_matchers.h"
#include "tools/image/image.h"
#include "tools/image/image_testlib.h"

namespace burin::benchmark {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

Port MakePort(const ir::PartialShape& shape, const std::string& layout = "", ElementType type = ElementType::kF32) {
  Port port;
  port.names = {"data"};
  port.element_type = type;
  port.shape = shape;
  if (!layout.empty()) port.layout = ir::Layout::Parse(layout).value();
  return port;
}

std::string WritePng(const std::string& name, int64_t height, int64_t width, std::vector<uint8_t> samples) {
  image::Image image;
  image.height = height;
  image.width = width;
  image.channels = 3;
  image.samples = std::move(samples);
  const std::string path = ::testing::TempDir() + "/" + name;
  EXPECT_OK(WriteFileAtomically(path, image::EncodePng(image)));
  return path;
}

// Two rows of one pixel: (1, 2, 3) above (4, 5, 6).
std::string SixSamples() { return WritePng("six.png", 2, 1, {1, 2, 3, 4, 5, 6}); }

std::vector<float> Floats(const ir::Tensor& tensor) {
  return std::vector<float>(tensor.data_as<float>(), tensor.data_as<float>() + tensor.element_count());
}

TEST(PictureTest, LayoutSaysWhereSamplesGo) {
  const std::string path = SixSamples();
  ASSERT_OK_AND_ASSIGN(ir::Tensor planes, ReadPictures({path}, MakePort({1, 3, 2, 1}, "NCHW")));
  EXPECT_THAT(Floats(planes), ElementsAre(1, 4, 2, 5, 3, 6));
  ASSERT_OK_AND_ASSIGN(ir::Tensor pixels, ReadPictures({path}, MakePort({1, 2, 1, 3}, "NHWC", ElementType::kU8)));
  EXPECT_EQ(pixels.element_type(), ElementType::kU8);
  EXPECT_EQ(pixels.data_as<uint8_t>()[1], 2);
  EXPECT_EQ(pixels.data_as<uint8_t>()[5], 6);
  ASSERT_OK_AND_ASSIGN(ir::Tensor turned, ReadPictures({path}, MakePort({1, 1, 2, 3}, "NWHC")));
  EXPECT_THAT(Floats(turned), ElementsAre(1, 2, 3, 4, 5, 6));
  ASSERT_OK_AND_ASSIGN(ir::Tensor deep, ReadPictures({path}, MakePort({1, 3, 1, 2, 1}, "NCDHW")));
  EXPECT_THAT(Floats(deep), ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(PictureTest, TheChannelsTellTheLayoutWhereNothingElseDoes) {
  ASSERT_OK_AND_ASSIGN(PictureAxes first, FindPictureAxes(MakePort({2, 3, 8, 9})));
  EXPECT_EQ(first.batch, 0);
  EXPECT_EQ(first.channels, 1);
  EXPECT_EQ(first.height, 2);
  EXPECT_EQ(first.width, 3);
  ASSERT_OK_AND_ASSIGN(PictureAxes last, FindPictureAxes(MakePort({8, 9, 4})));
  EXPECT_FALSE(last.batch.has_value());
  EXPECT_EQ(last.channels, 2);
  EXPECT_EQ(last.height, 0);
  EXPECT_EQ(last.width, 1);
  for (const ir::PartialShape& shape : {ir::PartialShape{1, 3, 8, 3}, ir::PartialShape{1, 8, 8, 8}, ir::PartialShape{8},
                                        ir::PartialShape::DynamicRank()}) {
    EXPECT_THAT(FindPictureAxes(MakePort(shape)),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("takes no pictures")));
  }
}

TEST(PictureTest, ResizesBilinearly) {
  // Two rows become four: the outer ones keep their samples, the inner ones lie at a quarter and three quarters.
  ASSERT_OK_AND_ASSIGN(ir::Tensor tensor,
                       ReadPictures({WritePng("ramp.png", 2, 1, {0, 40, 200, 100, 80, 200})}, MakePort({1, 3, 4, 2})));
  EXPECT_THAT(Floats(tensor), ElementsAreArray({0,   0,   25,  25,  75,  75,  100, 100,  //
                                                40,  40,  50,  50,  70,  70,  80,  80,   //
                                                200, 200, 200, 200, 200, 200, 200, 200}));
}

TEST(PictureTest, EachItemOfTheBatchTakesTheNextPicture) {
  const std::string other = WritePng("other.png", 2, 1, {7, 8, 9, 10, 11, 12});
  const Port port = MakePort({3, 3, 2, 1}, "NCHW");
  EXPECT_EQ(PicturesPerTensor(port).value(), 3);
  ASSERT_OK_AND_ASSIGN(ir::Tensor tensor, ReadPictures({SixSamples(), other}, port));
  EXPECT_THAT(Floats(tensor), ElementsAre(1, 4, 2, 5, 3, 6, 7, 10, 8, 11, 9, 12, 1, 4, 2, 5, 3, 6));
  EXPECT_EQ(PicturesPerTensor(MakePort({ir::Dimension(), 3, 2, 2})).value(), 1);
  EXPECT_EQ(PicturesPerTensor(MakePort({3, 2, 1}, "CHW")).value(), 1);
  EXPECT_THAT(PicturesPerTensor(MakePort({0, 3, 2, 2})), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(PictureTest, DynamicSizesAreThePictures) {
  ASSERT_OK_AND_ASSIGN(
      ir::Tensor tensor,
      ReadPictures({SixSamples()}, MakePort({ir::Dimension(), 3, ir::Dimension(1, 4), ir::Dimension()})));
  EXPECT_EQ(tensor.shape(), (ir::Shape{1, 3, 2, 1}));
  EXPECT_THAT(ReadPictures({SixSamples()}, MakePort({1, 3, ir::Dimension(4, 8), 1}, "NCHW")),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("2x1 does not satisfy it")));
  EXPECT_THAT(ReadPictures({SixSamples()}, MakePort({1, ir::Dimension(), 2, 1}, "NCHW")),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("has not 1, 3 or 4 channels")));
}

TEST(PictureTest, OtherInputsAreRefused) {
  const auto refused = [](const char* text) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)); };
  EXPECT_THAT(ReadPictures({SixSamples()}, MakePort({1, 2, 2, 1}, "NCHW")), refused("has not 1, 3 or 4 channels"));
  EXPECT_THAT(ReadPictures({SixSamples()}, MakePort({1, 3}, "NC")), refused("layout [N,C] has no H"));
  EXPECT_THAT(ReadPictures({SixSamples()}, MakePort({1, 3, 2, 2, 1}, "NCDHW")), refused("pictures have not"));
  EXPECT_THAT(ReadPictures({SixSamples()}, MakePort({1, 3, 2, 1}, "NCHW", ElementType::kI8)),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("cannot be given as i8")));
  EXPECT_THAT(ReadPictures({"/none.png"}, MakePort({1, 3, 2, 1}, "NCHW")), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_TRUE(HasPictureName("a.PNG"));
  EXPECT_FALSE(HasPictureName("a.jpeg"));
}

}  // namespace
}  // namespace burin::benchmark

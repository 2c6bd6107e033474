#include "tools/benchmark/data/inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/element_type.h"
#include "base/file.h"
#include "ir/dimension.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "testing/gtest/status_matchers.h"
#include "tools/benchmark/data/shapes.h"
#include "tools/image/image.h"
#include "tools/image/image_testlib.h"

namespace burin::benchmark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Port MakePort(size_t index, const std::string& name, const ir::PartialShape& shape,
              ElementType type = ElementType::kF32) {
  Port port;
  port.index = index;
  port.names = {name};
  port.element_type = type;
  port.shape = shape;
  return port;
}

// "image" f32[2,3] and "ids" i64[2,?]
std::vector<Port> Mixed() {
  return {MakePort(0, "image", ir::PartialShape{2, 3}),
          MakePort(1, "ids", ir::PartialShape{2, ir::Dimension()}, ElementType::kI64)};
}

std::vector<Port> Single() { return {MakePort(0, "x", ir::PartialShape{2})}; }

std::string WriteTemp(const std::string& name, const std::string& bytes) {
  const std::string path = ::testing::TempDir() + "/" + name;
  EXPECT_OK(WriteFileAtomically(path, bytes));
  return path;
}

std::string FloatsNpy() {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}";
  return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) + '\0' + header +
         std::string("\0\0\x80\x3f\0\0\0\xc0", 8);
}

TEST(InputsTest, RandomDataHasASeed) {
  ASSERT_OK_AND_ASSIGN(std::vector<InputSet> one, MakeInputSets(Single(), "", "", 1));
  ASSERT_OK_AND_ASSIGN(std::vector<InputSet> again, MakeInputSets(Single(), "", "", 1));
  ASSERT_OK_AND_ASSIGN(std::vector<InputSet> other, MakeInputSets(Single(), "", "", 2));
  ASSERT_EQ(one.size(), 1);
  EXPECT_EQ(one[0].frames, 2);
  EXPECT_EQ(one[0].sources[0], "random, seed 1");
  EXPECT_TRUE(ir::BitwiseEqual(one[0].tensors[0], again[0].tensors[0]));
  EXPECT_FALSE(ir::BitwiseEqual(one[0].tensors[0], other[0].tensors[0]));
}

TEST(InputsTest, DataShapesMakeOneSetEach) {
  ASSERT_OK_AND_ASSIGN(std::vector<InputSet> sets, MakeInputSets(Mixed(), "", "ids[2,4][2,7]", 1));
  ASSERT_EQ(sets.size(), 2);
  EXPECT_EQ(sets[0].tensors[1].shape(), (ir::Shape{2, 4}));
  EXPECT_EQ(sets[1].tensors[1].shape(), (ir::Shape{2, 7}));
  EXPECT_EQ(sets[1].tensors[0].shape(), (ir::Shape{2, 3}));
  EXPECT_EQ(sets[1].frames, 2);
}

TEST(InputsTest, FilesAreTakenInTurn) {
  const std::string raw = WriteTemp("two.bin", std::string("\0\0\0\x40\0\0\0\x40", 8));  // 2, 2
  const std::string npy = WriteTemp("two.npy", FloatsNpy());
  ASSERT_OK_AND_ASSIGN(std::vector<InputSet> sets, MakeInputSets(Single(), "x:" + raw + "," + npy, "", 1));
  ASSERT_EQ(sets.size(), 2);
  EXPECT_EQ(sets[0].tensors[0].data_as<float>()[0], 2);
  EXPECT_EQ(sets[1].tensors[0].data_as<float>()[1], -2);
  EXPECT_EQ(sets[1].sources[0], npy);
  ASSERT_OK_AND_ASSIGN(std::vector<InputSet> unnamed, MakeInputSets(Single(), npy, "", 1));
  EXPECT_EQ(unnamed[0].tensors[0].data_as<float>()[0], 1);
}

TEST(InputsTest, FilesThatDoNotFitAreRefused) {
  const std::string raw = WriteTemp("short.bin", "123");
  const std::string npy = WriteTemp("floats.npy", FloatsNpy());
  EXPECT_THAT(MakeInputSets(Single(), raw, "", 1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("8 bytes as [2]; the file has 3")));
  EXPECT_THAT(MakeInputSets(Mixed(), "image:" + npy, "ids[2,1]", 1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("the file holds f32[2]")));
  EXPECT_THAT(MakeInputSets(Mixed(), "ids:" + npy, "", 1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"ids\" i64[2,?]")));
  EXPECT_THAT(MakeInputSets(Mixed(), "ids:" + raw, "", 1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-data_shape says")));
  EXPECT_THAT(MakeInputSets(Single(), "picture.jpg", "", 1),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("picture.jpg")));
  EXPECT_THAT(MakeInputSets(Single(), "/none/x.npy", "", 1), StatusIs(absl::StatusCode::kNotFound));
}

TEST(InputsTest, TextThatDoesNotFitIsRefused) {
  EXPECT_THAT(MakeInputSets(Mixed(), "a.npy", "ids[2,1]", 1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"image\", \"ids\"")));
  EXPECT_THAT(MakeInputSets(Single(), "x:a.bin,x:b.bin", "", 1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("named twice")));
  EXPECT_THAT(MakeInputSets(Single(), "a.bin,,b.bin", "", 1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("expected NAME:FILE")));
  EXPECT_THAT(MakeInputSets(Single(), "", "[2]", 1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("models with dynamic inputs")));
  EXPECT_THAT(MakeInputSets(Mixed(), "", "", 1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-data_shape says")));
  EXPECT_THAT(MakeInputSets(Mixed(), "image:a.bin,b.bin,c.bin", "ids[2,1][2,2]", 1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("different numbers")));
}

// A picture of one pixel of that grey.
std::string WritePicture(const std::string& name, uint8_t grey) {
  image::Image pixel;
  pixel.height = 1;
  pixel.width = 1;
  pixel.channels = 1;
  pixel.samples = {grey};
  return WriteTemp(name, image::EncodePng(pixel));
}

TEST(InputsTest, PicturesFillBatches) {
  const std::string files =
      WritePicture("one.png", 1) + "," + WritePicture("two.png", 2) + "," + WritePicture("3.png", 3);
  std::vector<Port> ports = {MakePort(0, "x", ir::PartialShape{2, 1, 1, 2})};
  ASSERT_OK(ParseLayouts("[NCHW]", &ports));
  ASSERT_OK_AND_ASSIGN(std::vector<InputSet> sets, MakeInputSets(ports, files, "", 1));
  ASSERT_EQ(sets.size(), 2);
  const auto values = [&](size_t set) {
    const float* data = sets[set].tensors[0].data_as<float>();
    return std::vector<float>(data, data + 4);
  };
  EXPECT_THAT(values(0), ElementsAre(1, 1, 2, 2));
  EXPECT_THAT(values(1), ElementsAre(3, 3, 1, 1));
  EXPECT_EQ(sets[1].frames, 2);
  EXPECT_THAT(sets[0].sources[0], HasSubstr("one.png, "));
}

TEST(InputsTest, ImageInfoDescribesThePicture) {
  std::vector<Port> ports = {MakePort(0, "info", ir::PartialShape{2, 4}, ElementType::kI32),
                             MakePort(1, "image", ir::PartialShape{2, 3, 5, 7})};
  ASSERT_OK_AND_ASSIGN(std::vector<InputSet> sets, MakeInputSets(ports, "info:image_info,image:random", "", 1));
  const int32_t* data = sets[0].tensors[0].data_as<int32_t>();
  EXPECT_THAT(std::vector<int32_t>(data, data + 8), ElementsAre(5, 7, 1, 1, 5, 7, 1, 1));
  EXPECT_EQ(sets[0].sources[0], "image_info");
  EXPECT_EQ(sets[0].sources[1], "random, seed 1");
  ports[1].shape = ir::PartialShape{2, 3, 5, 3};
  EXPECT_THAT(MakeInputSets(ports, "info:image_info", "", 1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no input takes pictures")));
  EXPECT_THAT(MakeInputSets(ports, "image:image_info", "", 1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("rank 2")));
}

TEST(InputsTest, FramesAreTheBatchOfTheLayouts) {
  std::vector<Port> ports = {MakePort(0, "a", ir::PartialShape{5, 2}), MakePort(1, "b", ir::PartialShape{2, 7})};
  const auto frames = [&ports] { return MakeInputSets(ports, "", "", 1)->front().frames; };
  EXPECT_EQ(frames(), 1);
  ASSERT_OK(ParseLayouts("a[CN],b[NC]", &ports));
  EXPECT_EQ(frames(), 2);
  ASSERT_OK(ParseLayouts("a[NC],b[NC]", &ports));
  EXPECT_EQ(frames(), 1);
  ASSERT_OK(ParseLayouts("a[??],b[NC]", &ports));
  EXPECT_EQ(frames(), 2);
}

TEST(InputsTest, FramesAreTheSharedFirstDimension) {
  const auto frames = [](const std::vector<Port>& ports) {
    absl::StatusOr<std::vector<InputSet>> sets = MakeInputSets(ports, "", "", 1);
    EXPECT_OK(sets);
    return sets->front().frames;
  };
  EXPECT_EQ(frames({MakePort(0, "a", ir::PartialShape{4, 2}), MakePort(1, "b", ir::PartialShape{4})}), 4);
  EXPECT_EQ(frames({MakePort(0, "a", ir::PartialShape{4, 2}), MakePort(1, "b", ir::PartialShape{})}), 4);
  EXPECT_EQ(frames({MakePort(0, "a", ir::PartialShape{4, 2}), MakePort(1, "b", ir::PartialShape{3})}), 1);
  EXPECT_EQ(frames({MakePort(0, "a", ir::PartialShape{})}), 1);
}

}  // namespace
}  // namespace burin::benchmark

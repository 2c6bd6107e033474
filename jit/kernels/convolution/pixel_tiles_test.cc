#include "jit/kernels/convolution/pixel_tiles.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "jit/kernels/brgemm/brgemm_spec.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_testlib.h"
#include "jit/kernels/convolution/window.h"

namespace burin::jit {
namespace {

TEST(PixelTilesTest, CutsWidthsEvenlyOrWholeRows) {
  const PixelCut wide = PixelCut::Of(10, 20, 7);
  EXPECT_FALSE(wide.whole_rows);
  EXPECT_EQ(wide.split.tiles, 3);
  EXPECT_EQ(wide.split.rows, 6);
  EXPECT_EQ(wide.split.taller, 2);
  EXPECT_EQ(wide.TilesOfPlane(10), 30);
  const PixelCut narrow = PixelCut::Of(10, 3, 7);
  EXPECT_TRUE(narrow.whole_rows);
  EXPECT_EQ(narrow.split.tiles, 5);
  EXPECT_EQ(narrow.TilesOfPlane(10), 5);
  // Less than two rows would be one.
  EXPECT_FALSE(PixelCut::Of(10, 4, 7).whole_rows);
  EXPECT_EQ(PixelCut::Of(10, 4, 7).TilesOfPlane(10), 10);
  EXPECT_EQ(PixelCut::Of(0, 4, 7).TilesOfPlane(0), 0);
  EXPECT_EQ(PixelCut::Of(4, 0, 7).TilesOfPlane(4), 0);
}

// Checks, for each tile, that it has the taps that its pixels have one by one.
void CheckTiles(const ConvolutionSpec& spec, int most) {
  const PixelTiles tiles(spec, PixelCut::Of(spec.height.output, spec.width.output, most));
  std::vector<int> pixels(static_cast<size_t>(spec.depth.output * spec.height.output * spec.width.output));
  for (const PixelTile& tile : tiles.tiles()) {
    const PixelTileKind& kind = tiles.kinds()[static_cast<size_t>(tile.kind)];
    ASSERT_LE(kind.pixels(), most);
    for (int i = 0; i < kind.pixels(); ++i) {
      const int64_t pixel = tile.first + i;
      ++pixels[static_cast<size_t>(pixel)];
      const int64_t w = pixel % spec.width.output;
      const int64_t h = pixel / spec.width.output % spec.height.output;
      const int64_t d = pixel / spec.width.output / spec.height.output;
      EXPECT_EQ(tile.output + kind.output_rows[static_cast<size_t>(i)],
                (d * spec.output.plane + h * spec.output.row + w * spec.output.pixel) * 4);
      std::set<int64_t> expected;
      for (int64_t j = 0; j < spec.taps(); ++j) {
        const int64_t z = spec.depth.At(d, j / spec.width.kernel / spec.height.kernel);
        const int64_t y = spec.height.At(h, j / spec.width.kernel % spec.height.kernel);
        const int64_t x = spec.width.At(w, j % spec.width.kernel);
        if (z < 0 || z >= spec.depth.input || y < 0 || y >= spec.height.input || x < 0 || x >= spec.width.input) {
          continue;
        }
        expected.insert(j);
        const int64_t place = (z * spec.input.plane + y * spec.input.row + x * spec.input.pixel) * 4;
        for (const BrgemmTap& tap : kind.taps) {
          if (tap.b_offset != j * spec.input_channels_of_group() * 256) continue;
          EXPECT_EQ(tile.input + kind.input_rows[static_cast<size_t>(i)] + tap.a_offset, place);
        }
      }
      std::set<int64_t> taps;
      for (const BrgemmTap& tap : kind.taps) {
        EXPECT_EQ(tap.depth, spec.input_channels_of_group());
        if ((tap.rows >> i & 1) != 0) taps.insert(tap.b_offset / spec.input_channels_of_group() / 256);
      }
      EXPECT_EQ(taps, expected);
    }
  }
  for (const int count : pixels) EXPECT_EQ(count, 1);
}

TEST(PixelTilesTest, EveryPixelHasItsTaps) {
  const WindowAxis none;
  for (const int most : {1, 6, 7, 14, 28}) {
    CheckTiles(MakeConvolution(1, 5, 8, 1, none, PaddedAxis(9, 3, 1, 1, 1, 1), PaddedAxis(20, 3, 1, 1, 1, 1)), most);
    CheckTiles(MakeConvolution(1, 5, 8, 1, none, PaddedAxis(9, 5, 2, 2, 3, 1), PaddedAxis(5, 3, 1, 2, 2, 2), 3), most);
    CheckTiles(MakeConvolution(1, 6, 8, 2, PaddedAxis(3, 3, 1, 1, 1, 1), PaddedAxis(4, 2, 1, 1, 0, 1),
                               PaddedAxis(3, 3, 1, 1, 1, 1)),
               most);
  }
}

TEST(PixelTilesTest, TilesOfTheInsideAreOfOneKind) {
  const WindowAxis axis = PaddedAxis(56, 3, 1, 1, 1, 1);
  const PixelTiles tiles(MakeConvolution(1, 64, 64, 1, WindowAxis(), axis, axis), PixelCut::Of(56, 56, 7));
  EXPECT_EQ(tiles.tiles().size(), 56u * 8);
  // Left, inside and right, of the top row, the inside and the bottom row.
  EXPECT_EQ(tiles.kinds().size(), 9u);
}

TEST(PixelTilesTest, TapsThatFollowEachOtherAreOne) {
  const WindowAxis axis = PaddedAxis(21, 7, 1, 1, 3, 3);
  const ConvolutionSpec spec = MakeConvolution(1, 3, 64, 1, WindowAxis(), axis, axis);
  const PixelTiles tiles(spec, PixelCut::Of(21, 21, 7));
  // The middle: 7 rows of the window, of 21 channels each.
  const PixelTile& middle = tiles.tiles()[10 * 3 + 1];
  const std::vector<BrgemmTap>& all = tiles.kinds()[static_cast<size_t>(middle.kind)].taps;
  EXPECT_EQ(all.size(), 49u);
  const std::vector<BrgemmTap> merged = TapsOfSteps(all, 0, spec.steps());
  ASSERT_EQ(merged.size(), 7u);
  EXPECT_EQ(merged[1].depth, 21);
  EXPECT_EQ(merged[1].a_offset, 21 * 3 * 4);
  EXPECT_EQ(merged[1].b_offset, 21 * 256);
  // At the left, the pixels that a tap has change.
  const std::vector<BrgemmTap>& left = tiles.kinds()[static_cast<size_t>(tiles.tiles()[10 * 3].kind)].taps;
  EXPECT_EQ(TapsOfSteps(left, 0, spec.steps()).size(), 4u * 7);
}

TEST(PixelTilesTest, StepsAreCutAnywhere) {
  const std::vector<BrgemmTap> taps = {{100, 0, 7, 8}, {1000, 8 * 256, 3, 8}, {2000, 24 * 256, 3, 8}};
  const std::vector<BrgemmTap> parts = TapsOfSteps(taps, 5, 26);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].a_offset, 120);
  EXPECT_EQ(parts[0].b_offset, 0);
  EXPECT_EQ(parts[0].depth, 3);
  EXPECT_EQ(parts[0].rows, 7u);
  EXPECT_EQ(parts[1].a_offset, 1000);
  EXPECT_EQ(parts[1].b_offset, 3 * 256);
  EXPECT_EQ(parts[1].depth, 8);
  EXPECT_EQ(parts[2].b_offset, 19 * 256);
  EXPECT_EQ(parts[2].depth, 2);
  EXPECT_TRUE(TapsOfSteps(taps, 16, 24).empty());
}

}  // namespace
}  // namespace burin::jit

// Cuts the output of a convolution into tiles of pixels, and says which taps each pixel of a tile has.
//
// Use it in plans and kernels of convolutions. A tile is a run of pixels in the order of rows and pixels: a part of a
// row, all parts being as even as can be, or whole rows where those are short. Tiles of one kind have the same pixels
// inside the input at each tap, so that one kernel computes them all. Pure functions and values, hence thread-safe.
#ifndef BURIN_JIT_KERNELS_CONVOLUTION_PIXEL_TILES_H_
#define BURIN_JIT_KERNELS_CONVOLUTION_PIXEL_TILES_H_

#include <cstdint>
#include <vector>

#include "jit/kernels/brgemm/brgemm_spec.h"
#include "jit/kernels/brgemm/brgemm_tile.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/window.h"

namespace burin::jit {

// Says how a plane is cut: by its width where a tile is part of a row, else by its height.
struct PixelCut {
  bool whole_rows = false;
  RowSplit split;

  // Cuts planes of `height` x `width` pixels into tiles of at most `most` >= 1 pixels.
  static PixelCut Of(int64_t height, int64_t width, int most);

  // Returns the tiles of a plane, and the pixels of the largest.
  int64_t TilesOfPlane(int64_t height) const { return whole_rows ? split.tiles : height * split.tiles; }
};

// Is a tile. Distances are in bytes, from the first element of the image.
struct PixelTile {
  int64_t kind = 0;
  // Of tap 0 of the first pixel, where there may be no memory.
  int64_t input = 0;
  // Of the first pixel in the output.
  int64_t output = 0;
  // The first pixel, counted through the image.
  int64_t first = 0;
};

// Describes the tiles of a kind.
struct PixelTileKind {
  // Of each pixel, in bytes from the tile's.
  std::vector<int64_t> input_rows;
  std::vector<int64_t> output_rows;
  // What each output sums, cut where the pixels that have it change, and in the order of taps and channels. Offsets are
  // in bytes: in the input from the tile's, in the weights of a panel from its start (256 bytes a product).
  std::vector<BrgemmTap> taps;

  int pixels() const { return static_cast<int>(input_rows.size()); }
};

// Holds the tiles of an image.
class PixelTiles {
 public:
  // Cuts the images of `spec`.
  PixelTiles(const ConvolutionSpec& spec, const PixelCut& cut);

  // Return the tiles of an image, in the order of planes, rows and pixels, and their kinds.
  const std::vector<PixelTile>& tiles() const { return tiles_; }
  const std::vector<PixelTileKind>& kinds() const { return kinds_; }

 private:
  // Is a part of a plane's rows, or of a row's pixels: `count` from `first` on.
  struct Part {
    int64_t first = 0;
    int count = 0;
    // Of parts that have the same pixels, or taps, inside.
    int64_t part_class = 0;
  };

  void CutPlane(const PixelCut& cut);
  // Gives the parts their classes: the same where all of their outputs, at all taps, are inside or outside alike.
  // Returns the first part of each class.
  static std::vector<Part> Classify(const WindowAxis& axis, std::vector<Part>& parts);
  PixelTileKind MakeKind(int64_t depth, const Part& rows, const Part& pixels) const;

  const ConvolutionSpec spec_;
  std::vector<Part> rows_;
  std::vector<Part> pixels_;
  std::vector<PixelTile> tiles_;
  std::vector<PixelTileKind> kinds_;
};

// Returns the taps' parts that lie in the steps from `begin` up to `end` of the sum, those that follow each other in
// input and weights, with the same pixels, being one.
std::vector<BrgemmTap> TapsOfSteps(const std::vector<BrgemmTap>& taps, int64_t begin, int64_t end);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_CONVOLUTION_PIXEL_TILES_H_

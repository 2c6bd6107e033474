// Says which convolutions Winograd's F(4 x 4, 3 x 3) computes, and cuts their outputs into tiles.
//
// Use it with jit/kernels/winograd/winograd_kernel.h. A tile is 4 x 4 outputs, which see 6 x 6 inputs; at the end of an
// axis it may have fewer outputs, and parts of its inputs may lie in the padding. Pure functions of values, hence
// thread-safe.
#ifndef BURIN_JIT_KERNELS_WINOGRAD_WINOGRAD_SPEC_H_
#define BURIN_JIT_KERNELS_WINOGRAD_WINOGRAD_SPEC_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/window.h"

namespace burin::jit {

// Outputs of a tile along an axis, and the inputs that they see; tiles are squares.
inline constexpr int kWinogradOutputs = 4;
inline constexpr int kWinogradInputs = 6;

// The products that a channel of a tile takes: one for each element of the transformed tile.
inline constexpr int kWinogradProducts = 36;

// Returns OK; errors as of ConvolutionSpec::Check(); Unimplemented, naming the field, for what is no window of 3 x 3
// with stride 1, dilation 1 and one group over two axes.
absl::Status CheckWinograd(const ConvolutionSpec& spec);

// Returns the tiles along an axis.
inline int64_t WinogradTilesOf(const WindowAxis& axis) {
  return (axis.output + kWinogradOutputs - 1) / kWinogradOutputs;
}

// Returns the tiles of all images.
inline int64_t WinogradTiles(const ConvolutionSpec& spec) {
  return spec.images * WinogradTilesOf(spec.height) * WinogradTilesOf(spec.width);
}

// Is what tiles along an axis have in common.
struct WinogradTileKind {
  // Of the 6 inputs, those that lie inside.
  TapRange inside;
  // How many of the 4 outputs there are.
  int outputs = kWinogradOutputs;

  friend bool operator==(const WinogradTileKind& a, const WinogradTileKind& b) {
    return a.inside == b.inside && a.outputs == b.outputs;
  }
};

// Holds the tiles along an axis: of each, the number of its kind.
struct WinogradAxis {
  std::vector<WinogradTileKind> kinds;
  std::vector<int64_t> kind_of_tile;

  // Cuts an axis whose kernel is 3.
  static WinogradAxis Of(const WindowAxis& axis);
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_WINOGRAD_WINOGRAD_SPEC_H_

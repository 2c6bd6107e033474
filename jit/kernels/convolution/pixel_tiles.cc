#include "jit/kernels/convolution/pixel_tiles.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include "jit/kernels/panels/panel_layout.h"

namespace burin::jit {
namespace {

constexpr int64_t kFloatBytes = 4;

}  // namespace

PixelCut PixelCut::Of(int64_t height, int64_t width, int most) {
  PixelCut cut;
  cut.whole_rows = width > 0 && 2 * width <= most;
  cut.split = cut.whole_rows ? RowSplit::Of(height, static_cast<int>(most / width)) : RowSplit::Of(width, most);
  return cut;
}

PixelTiles::PixelTiles(const ConvolutionSpec& spec, const PixelCut& cut) : spec_(spec) {
  CutPlane(cut);
  std::vector<Part> planes;
  for (int64_t depth = 0; depth < spec.depth.output; ++depth) planes.push_back({depth, 1, 0});
  Classify(spec.depth, planes);
  Classify(spec.height, rows_);
  Classify(spec.width, pixels_);
  std::map<std::tuple<int64_t, int64_t, int64_t>, int64_t> kinds;
  for (const Part& plane : planes) {
    for (const Part& row : rows_) {
      for (const Part& pixel : pixels_) {
        const auto [kind, is_new] =
            kinds.try_emplace({plane.part_class, row.part_class, pixel.part_class}, static_cast<int64_t>(kinds.size()));
        if (is_new) kinds_.push_back(MakeKind(plane.first, row, pixel));
        const int64_t input = spec.depth.At(plane.first, 0) * spec.input.plane +
                              spec.height.At(row.first, 0) * spec.input.row +
                              spec.width.At(pixel.first, 0) * spec.input.pixel;
        const int64_t output =
            plane.first * spec.output.plane + row.first * spec.output.row + pixel.first * spec.output.pixel;
        const int64_t first = (plane.first * spec.height.output + row.first) * spec.width.output + pixel.first;
        tiles_.push_back({kind->second, input * kFloatBytes, output * kFloatBytes, first});
      }
    }
  }
}

void PixelTiles::CutPlane(const PixelCut& cut) {
  const int64_t height = spec_.height.output;
  const int64_t width = spec_.width.output;
  for (int64_t i = 0; i < cut.split.tiles; ++i) {
    (cut.whole_rows ? rows_ : pixels_).push_back({cut.split.First(i), cut.split.RowsOf(i), 0});
  }
  if (cut.whole_rows) {
    if (width > 0) pixels_.push_back({0, static_cast<int>(width), 0});
  } else {
    for (int64_t row = 0; row < height; ++row) rows_.push_back({row, 1, 0});
  }
}

std::vector<PixelTiles::Part> PixelTiles::Classify(const WindowAxis& axis, std::vector<Part>& parts) {
  std::vector<Part> firsts;
  std::map<std::vector<int64_t>, int64_t> classes;
  for (Part& part : parts) {
    std::vector<int64_t> key;
    for (int i = 0; i < part.count; ++i) {
      const TapRange range = TapsInside(axis, part.first + i);
      key.push_back(range.begin);
      key.push_back(range.end);
    }
    const auto [place, is_new] = classes.try_emplace(std::move(key), static_cast<int64_t>(firsts.size()));
    if (is_new) firsts.push_back(part);
    part.part_class = place->second;
  }
  return firsts;
}

PixelTileKind PixelTiles::MakeKind(int64_t depth, const Part& rows, const Part& pixels) const {
  PixelTileKind kind;
  for (int row = 0; row < rows.count; ++row) {
    for (int pixel = 0; pixel < pixels.count; ++pixel) {
      kind.input_rows.push_back(
          (row * spec_.height.stride * spec_.input.row + pixel * spec_.width.stride * spec_.input.pixel) * kFloatBytes);
      kind.output_rows.push_back((row * spec_.output.row + pixel * spec_.output.pixel) * kFloatBytes);
    }
  }
  const int64_t channels = spec_.input_channels_of_group();
  const TapRange planes = TapsInside(spec_.depth, depth);
  int64_t step = 0;
  for (int64_t i = 0; i < spec_.depth.kernel; ++i) {
    for (int64_t j = 0; j < spec_.height.kernel; ++j) {
      const uint64_t rows_inside = OutputsInside(spec_.height, rows.first, rows.count, j);
      for (int64_t k = 0; k < spec_.width.kernel; ++k, step += channels) {
        if (i < planes.begin || i >= planes.end) continue;
        const uint64_t pixels_inside = OutputsInside(spec_.width, pixels.first, pixels.count, k);
        BrgemmTap tap;
        tap.rows = 0;
        for (int row = 0; row < rows.count; ++row) {
          if ((rows_inside >> row & 1) != 0) tap.rows |= static_cast<uint32_t>(pixels_inside << (row * pixels.count));
        }
        if (tap.rows == 0) continue;
        tap.a_offset = (i * spec_.depth.dilation * spec_.input.plane + j * spec_.height.dilation * spec_.input.row +
                        k * spec_.width.dilation * spec_.input.pixel) *
                       kFloatBytes;
        tap.b_offset = step * PanelLayout::kStepBytes;
        tap.depth = channels;
        kind.taps.push_back(tap);
      }
    }
  }
  return kind;
}

std::vector<BrgemmTap> TapsOfSteps(const std::vector<BrgemmTap>& taps, int64_t begin, int64_t end) {
  std::vector<BrgemmTap> parts;
  for (const BrgemmTap& tap : taps) {
    const int64_t first = tap.b_offset / PanelLayout::kStepBytes;
    const int64_t from = std::max(begin, first);
    const int64_t to = std::min(end, first + *tap.depth);
    if (from >= to) continue;
    BrgemmTap part = tap;
    part.a_offset += (from - first) * kFloatBytes;
    part.b_offset = (from - begin) * PanelLayout::kStepBytes;
    part.depth = to - from;
    if (!parts.empty()) {
      BrgemmTap& last = parts.back();
      if (last.rows == part.rows && last.a_offset + *last.depth * kFloatBytes == part.a_offset &&
          last.b_offset + *last.depth * PanelLayout::kStepBytes == part.b_offset) {
        last.depth = *last.depth + *part.depth;
        continue;
      }
    }
    parts.push_back(part);
  }
  return parts;
}

}  // namespace burin::jit

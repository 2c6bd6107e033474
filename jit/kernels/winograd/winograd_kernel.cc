#include "jit/kernels/winograd/winograd_kernel.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/check.h"
#include "base/status_macros.h"
#include "jit/code_key.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/kernels/brgemm/brgemm_args.h"
#include "jit/kernels/brgemm/brgemm_spec.h"
#include "jit/kernels/panels/panel_layout.h"
#include "jit/kernels/winograd/input_transform.h"
#include "jit/kernels/winograd/output_transform.h"
#include "jit/kernels/winograd/winograd_weights.h"

namespace burin::jit {
namespace {

constexpr int64_t kFloatBytes = 4;

constexpr int64_t kLineBytes = 64;

// The most lines that a pass of a product's loop fetches.
constexpr int64_t kMostLines = 16;

int64_t Pieces(int64_t extent, int64_t step) { return (extent + step - 1) / step; }

// Returns an address that need not be inside of the same memory.
const void* Offset(const void* address, int64_t bytes) {
  return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(address) + static_cast<uintptr_t>(bytes));
}

void* Offset(void* address, int64_t bytes) {
  return const_cast<void*>(Offset(static_cast<const void*>(address), bytes));
}

absl::Status SpansTooMuch() {
  return absl::UnimplementedError("Winograd of tensors whose tiles, or blocks of tiles, span more than 2 GiB");
}

}  // namespace

absl::StatusOr<WinogradKernel> WinogradKernel::Create(const ConvolutionSpec& spec, const Target& target,
                                                      CodeCache& cache, const EpilogueEmitter* epilogue) {
  BURIN_RETURN_IF_ERROR(CheckWinograd(spec));
  WinogradKernel kernel(spec, PlanWinograd(spec, target));
  const WinogradPlan& plan = kernel.plan_;
  kernel.lanes_ = target.Supports(IsaLevel::kAvx512) ? VecAvx512::kLanes : VecAvx2::kLanes;
  kernel.panels_ = Pieces(spec.output_channels, PanelLayout::kColumns);
  kernel.blocks_ = Pieces(WinogradTiles(spec), plan.block_tiles);
  kernel.groups_ = Pieces(kernel.panels_, plan.group_panels);
  if (kernel.work_items() == 0) return kernel;
  kernel.rows_ = WinogradAxis::Of(spec.height);
  kernel.columns_ = WinogradAxis::Of(spec.width);
  BURIN_RETURN_IF_ERROR(kernel.GenerateInputs(target, cache));
  BURIN_RETURN_IF_ERROR(kernel.GenerateOutputs(epilogue, target, cache));
  if (spec.output_channels >= PanelLayout::kColumns) {
    BURIN_RETURN_IF_ERROR(kernel.GenerateStrips(PanelLayout::kColumns, target, cache, kernel.whole_strips_));
  }
  const int64_t rest = spec.output_channels % PanelLayout::kColumns;
  if (rest > 0) BURIN_RETURN_IF_ERROR(kernel.GenerateStrips(rest, target, cache, kernel.rest_strips_));
  return kernel;
}

absl::Status WinogradKernel::GenerateInputs(const Target& target, CodeCache& cache) {
  for (const WinogradTileKind& row : rows_.kinds) {
    for (const WinogradTileKind& column : columns_.kinds) {
      InputTransformSpec transform;
      transform.channels = spec_.input_channels;
      transform.rows = row.inside;
      transform.columns = column.inside;
      transform.row_step = spec_.input.row * kFloatBytes;
      transform.pixel_step = spec_.input.pixel * kFloatBytes;
      transform.plane_step = plan_.input_plane;
      transform.fetches = plan_.fetches_pixels;
      // No distance counts along an axis of one element.
      if (spec_.height.input <= 1) transform.row_step = 0;
      if (spec_.width.input <= 1) transform.pixel_step = 0;
      if (!transform.Fits()) return SpansTooMuch();
      const CodeKey key = CodeKey::Of("winograd_input", target.isa(), transform.ContentKey());
      BURIN_ASSIGN_OR_RETURN(CachedCode code,
                             cache.GetOrGenerate(key, [&] { return GenerateInputTransform(transform, target.isa()); }));
      input_code_.push_back(std::move(code));
    }
  }
  return absl::OkStatus();
}

absl::Status WinogradKernel::GenerateOutputs(const EpilogueEmitter* epilogue, const Target& target, CodeCache& cache) {
  for (size_t last = 0; last < output_code_.size(); ++last) {
    for (const WinogradTileKind& row : rows_.kinds) {
      for (const WinogradTileKind& column : columns_.kinds) {
        OutputTransformSpec transform;
        transform.rows = row.outputs;
        transform.columns = column.outputs;
        transform.tail = last == 1 ? static_cast<int>(spec_.output_channels % lanes_) : 0;
        transform.plane_step = plan_.sum_plane;
        if (epilogue == nullptr) {
          transform.row_step = spec_.height.output > 1 ? spec_.output.row * kFloatBytes : 0;
          transform.pixel_step = spec_.width.output > 1 ? spec_.output.pixel * kFloatBytes : 0;
        } else {
          transform.row_pixels = spec_.height.output > 1 ? spec_.width.output : 0;
        }
        if (!transform.Fits()) return SpansTooMuch();
        const CodeKey key = CodeKey::Of("winograd_output", target.isa(), transform.ContentKey(epilogue));
        BURIN_ASSIGN_OR_RETURN(CachedCode code, cache.GetOrGenerate(key, [&] {
          return GenerateOutputTransform(transform, target.isa(), epilogue);
        }));
        output_code_[last].push_back(std::move(code));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status WinogradKernel::GenerateStrips(int64_t columns, const Target& target, CodeCache& cache,
                                            std::vector<Strip>& strips) {
  // The tiles of whole blocks and of the last one, by their numbers of rows.
  std::vector<int64_t> heights;
  for (const int64_t tiles : {TilesOf(0), TilesOf(blocks_ - 1)}) {
    const RowSplit split = RowSplit::Of(tiles, plan_.tile.rows);
    heights.push_back(split.rows);
    if (split.taller > 0) heights.push_back(split.rows + 1);
  }
  const int64_t vectors = Pieces(columns, lanes_);
  for (int64_t first = 0; first < vectors; first += plan_.tile.vectors) {
    Strip strip;
    strip.first_column = first * lanes_;
    strip.vectors = static_cast<int>(std::min<int64_t>(plan_.tile.vectors, vectors - first));
    strip.code.resize(static_cast<size_t>(plan_.tile.rows) + 1);
    const int64_t passes = spec_.input_channels / BrgemmSpec().unroll;
    if (plan_.fetches_weights && passes > 0) {
      const int64_t lines = WinogradWeights::PlaneBytes(spec_.input_channels) / kLineBytes;
      const int64_t calls =
          RowSplit::Of(plan_.block_tiles, plan_.tile.rows).tiles * Pieces(vectors, plan_.tile.vectors);
      strip.pass_fetch = std::min(kMostLines, Pieces(lines, calls * passes)) * kLineBytes;
      strip.call_fetch = strip.pass_fetch * passes;
    }
    for (const int64_t rows : heights) {
      BrgemmSpec product;
      product.rows = static_cast<int>(rows);
      product.vectors = strip.vectors;
      product.depth = spec_.input_channels;
      for (int64_t row = 0; row < rows; ++row) {
        product.a_rows.push_back(row * plan_.input_row);
        product.c_rows.push_back(row * plan_.sum_row);
      }
      product.broadcast = plan_.tile.broadcast;
      product.prefetch_lines = static_cast<int>(strip.pass_fetch / kLineBytes);
      BURIN_ASSIGN_OR_RETURN(strip.code[static_cast<size_t>(rows)],
                             Brgemm::Create(product, nullptr, target.isa(), cache));
    }
    strips.push_back(std::move(strip));
  }
  return absl::OkStatus();
}

int64_t WinogradKernel::TilesOf(int64_t block) const {
  return std::min(plan_.block_tiles, WinogradTiles(spec_) - block * plan_.block_tiles);
}

WinogradKernel::Place WinogradKernel::PlaceOf(int64_t tile) const {
  const auto columns = static_cast<int64_t>(columns_.kind_of_tile.size());
  const auto rows = static_cast<int64_t>(rows_.kind_of_tile.size());
  return {tile / columns / rows, tile / columns % rows, tile % columns};
}

void WinogradKernel::Run(const WinogradArgs& args, int64_t begin, int64_t end) const {
  BURIN_DCHECK(0 <= begin && begin <= end && end <= work_items()) << "items out of range: " << begin << " to " << end;
  int64_t transformed = -1;
  for (int64_t item = begin; item < end; ++item) {
    const int64_t block = item / groups_;
    const int64_t group = item % groups_;
    if (block != transformed) TransformInputs(args, block);
    transformed = block;
    Multiply(args, block, group);
    TransformOutputs(args, block, group);
  }
}

void WinogradKernel::TransformInputs(const WinogradArgs& args, int64_t block) const {
  const int64_t tiles = TilesOf(block);
  InputTransformArgs call = {};
  for (int64_t i = 0; i < tiles; ++i) {
    const Place place = PlaceOf(block * plan_.block_tiles + i);
    const int64_t kind =
        rows_.kind_of_tile[static_cast<size_t>(place.row)] * static_cast<int64_t>(columns_.kinds.size()) +
        columns_.kind_of_tile[static_cast<size_t>(place.column)];
    const int64_t row = spec_.height.At(place.row * kWinogradOutputs, 0);
    const int64_t column = spec_.width.At(place.column * kWinogradOutputs, 0);
    const int64_t row_step = spec_.height.input > 1 ? spec_.input.row : 0;
    const int64_t pixel_step = spec_.width.input > 1 ? spec_.input.pixel : 0;
    call.input =
        Offset(args.input, (place.image * spec_.input.image + row * row_step + column * pixel_step) * kFloatBytes);
    call.output = Offset(args.scratch, i * plan_.input_row);
    input_code_[static_cast<size_t>(kind)]->entry<void (*)(const InputTransformArgs*)>()(&call);
  }
}

void WinogradKernel::Multiply(const WinogradArgs& args, int64_t block, int64_t group) const {
  const RowSplit split = RowSplit::Of(TilesOf(block), plan_.tile.rows);
  const int64_t first_panel = group * plan_.group_panels;
  const int64_t last_panel = std::min(first_panel + plan_.group_panels, panels_);
  const int64_t plane_bytes = WinogradWeights::PlaneBytes(spec_.input_channels);
  void* const sums = Offset(args.scratch, plan_.sums_offset());
  BrgemmArgs call;
  for (int64_t panel = first_panel; panel < last_panel; ++panel) {
    const bool rest = spec_.output_channels - panel * PanelLayout::kColumns < PanelLayout::kColumns;
    const std::vector<Strip>& strips = rest ? rest_strips_ : whole_strips_;
    const int64_t column = (panel - first_panel) * PanelLayout::kColumns;
    for (int64_t product = 0; product < kWinogradProducts; ++product) {
      const int64_t weights = (panel * kWinogradProducts + product) * plane_bytes;
      // What follows, be it of the next panel: they lie one behind the other.
      int64_t ahead = weights + plane_bytes;
      for (const Strip& strip : strips) {
        call.b = Offset(args.weights, weights + strip.first_column * kFloatBytes);
        call.prefetch_step = strip.pass_fetch;
        for (int64_t i = 0; i < split.tiles; ++i) {
          const int64_t row = split.First(i);
          call.a = Offset(args.scratch, product * plan_.input_plane + row * plan_.input_row);
          call.c = Offset(
              sums, product * plan_.sum_plane + row * plan_.sum_row + (column + strip.first_column) * kFloatBytes);
          call.prefetch = Offset(args.weights, ahead);
          ahead += strip.call_fetch;
          strip.code[static_cast<size_t>(split.RowsOf(i))].Run(call);
        }
      }
    }
  }
}

void WinogradKernel::TransformOutputs(const WinogradArgs& args, int64_t block, int64_t group) const {
  const int64_t tiles = TilesOf(block);
  const int64_t first_column = group * plan_.group_panels * PanelLayout::kColumns;
  const int64_t columns = std::min(plan_.group_panels * PanelLayout::kColumns, spec_.output_channels - first_column);
  const std::vector<CachedCode>& code = output_code_[group + 1 == groups_ ? 1 : 0];
  const int64_t row_step = spec_.height.output > 1 ? spec_.output.row : 0;
  const int64_t pixel_step = spec_.width.output > 1 ? spec_.output.pixel : 0;
  OutputTransformArgs call = {};
  call.vectors = columns / lanes_;
  call.places = args.places;
  call.column = first_column;
  for (int64_t i = 0; i < tiles; ++i) {
    const Place place = PlaceOf(block * plan_.block_tiles + i);
    const int64_t kind =
        rows_.kind_of_tile[static_cast<size_t>(place.row)] * static_cast<int64_t>(columns_.kinds.size()) +
        columns_.kind_of_tile[static_cast<size_t>(place.column)];
    const int64_t row = place.row * kWinogradOutputs;
    const int64_t column = place.column * kWinogradOutputs;
    call.sums = Offset(args.scratch, plan_.sums_offset() + i * plan_.sum_row);
    call.output =
        Offset(args.output,
               (place.image * spec_.output.image + row * row_step + column * pixel_step + first_column) * kFloatBytes);
    call.row = (place.image * spec_.height.output + row) * spec_.width.output + column;
    code[static_cast<size_t>(kind)]->entry<void (*)(const OutputTransformArgs*)>()(&call);
  }
}

}  // namespace burin::jit

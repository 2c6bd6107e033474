#include "jit/kernels/convolution/convolution_kernel.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/kernels/brgemm/brgemm_spec.h"
#include "jit/kernels/convolution/convolution_weights.h"
#include "jit/kernels/panels/panel_layout.h"

namespace burin::jit {
namespace {

constexpr int64_t kFloatBytes = 4;

constexpr int64_t kLineBytes = 64;

// The most lines that a pass of a kernel's loop fetches.
constexpr int64_t kMostLines = 8;

// What a kernel addresses from one pointer, in bytes.
constexpr int64_t kMostDistance = int64_t{1} << 28;

int64_t Pieces(int64_t extent, int64_t step) { return (extent + step - 1) / step; }

// Returns an address that need not be inside of the same memory.
const void* Offset(const void* address, int64_t bytes) {
  return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(address) + static_cast<uintptr_t>(bytes));
}

// Returns whether every distance of the kind is in the reach of a pointer.
bool Reaches(const PixelTileKind& kind) {
  const auto near = [](int64_t distance) { return distance >= -kMostDistance && distance <= kMostDistance; };
  return std::all_of(kind.input_rows.begin(), kind.input_rows.end(), near) &&
         std::all_of(kind.output_rows.begin(), kind.output_rows.end(), near) &&
         std::all_of(kind.taps.begin(), kind.taps.end(),
                     [&](const BrgemmTap& tap) { return near(tap.a_offset) && near(tap.b_offset); });
}

// Returns the steps of a pass of the kernel's loops: a divisor of the steps of a tap, where one is near.
int UnrollOf(const BrgemmSpec& spec) {
  constexpr int kUsual = 4;
  constexpr int kMost = 8;
  if (spec.taps.empty() || *spec.taps.front().depth % kUsual == 0) return kUsual;
  for (int unroll = kMost; unroll > kUsual; --unroll) {
    if (*spec.taps.front().depth % unroll == 0) return unroll;
  }
  return kUsual;
}

// Returns the passes of the kernel's loops over steps.
int64_t PassesOf(const BrgemmSpec& spec) {
  int64_t passes = 0;
  for (const BrgemmTap& tap : spec.taps) {
    if (*tap.depth > spec.unroll) passes += *tap.depth / spec.unroll;
  }
  return passes;
}

}  // namespace

absl::StatusOr<ConvolutionKernel> ConvolutionKernel::Create(const ConvolutionSpec& spec, const Target& target,
                                                            CodeCache& cache, const EpilogueEmitter* epilogue,
                                                            const std::optional<BrgemmTile>& tile) {
  BURIN_RETURN_IF_ERROR(spec.Check());
  ConvolutionKernel kernel(spec.Flattened());
  const EpilogueRegisters registers = epilogue != nullptr ? epilogue->Registers(target.isa()) : EpilogueRegisters();
  kernel.plan_ = PlanConvolution(kernel.spec_, target, registers, tile);
  const ConvolutionPlan& plan = kernel.plan_;
  PixelTiles tiles(kernel.spec_, plan.cut);
  kernel.tiles_ = tiles.tiles();
  kernel.tile_kinds_ = static_cast<int64_t>(tiles.kinds().size());
  const int64_t steps = kernel.spec_.steps();
  for (int64_t begin = 0; begin < steps; begin += plan.chunk_steps) {
    kernel.chunks_.push_back({begin, std::min(steps, begin + plan.chunk_steps)});
  }
  if (kernel.chunks_.empty()) kernel.chunks_.push_back({0, 0});
  std::vector<StripKind> kinds;
  BURIN_RETURN_IF_ERROR(kernel.ListStrips(target, kinds));
  kernel.pixels_of_image_ = kernel.spec_.depth.output * kernel.spec_.height.output * kernel.spec_.width.output;
  kernel.tile_items_ = Pieces(kernel.spec_.images * static_cast<int64_t>(kernel.tiles_.size()), plan.item_tiles);
  kernel.panel_items_ = Pieces(static_cast<int64_t>(kernel.panels_.size()) - 1, plan.item_panels);
  kernel.work_items_ = kernel.tile_items_ * kernel.panel_items_;
  if (kernel.work_items_ > 0) BURIN_RETURN_IF_ERROR(kernel.Generate(tiles, kinds, epilogue, target, cache));
  return kernel;
}

absl::Status ConvolutionKernel::ListStrips(const Target& target, std::vector<StripKind>& kinds) {
  BURIN_ASSIGN_OR_RETURN(const PanelLayout layout, ConvolutionWeights::LayoutOfGroup(spec_));
  const int lanes = target.Supports(IsaLevel::kAvx512) ? VecAvx512::kLanes : VecAvx2::kLanes;
  const int64_t step = int64_t{plan_.tile.vectors} * lanes;
  for (int64_t group = 0; group < spec_.groups; ++group) {
    for (int64_t index = 0; index < layout.panels(); ++index) {
      panels_.push_back(static_cast<int64_t>(strips_.size()));
      for (int64_t first = 0; first < layout.ColumnsOf(index); first += step) {
        const int64_t columns = std::min(step, layout.ColumnsOf(index) - first);
        const StripKind kind = {static_cast<int>(Pieces(columns, lanes)), columns % lanes != 0};
        const auto same = std::find_if(kinds.begin(), kinds.end(), [&kind](const StripKind& other) {
          return other.vectors == kind.vectors && other.partial == kind.partial;
        });
        Strip strip;
        strip.kind = same - kinds.begin();
        strip.input = group * spec_.input_channels_of_group() * kFloatBytes;
        strip.weights = group * layout.bytes() + layout.Offset(index, 0) + first * kFloatBytes;
        strip.column = group * spec_.output_channels_of_group() + index * PanelLayout::kColumns + first;
        strip.last_columns = columns - (kind.vectors - 1) * int64_t{lanes};
        strips_.push_back(strip);
        if (same == kinds.end()) kinds.push_back(kind);
      }
    }
  }
  panels_.push_back(static_cast<int64_t>(strips_.size()));
  strip_kinds_ = static_cast<int64_t>(kinds.size());
  return absl::OkStatus();
}

absl::Status ConvolutionKernel::Generate(const PixelTiles& tiles, const std::vector<StripKind>& kinds,
                                         const EpilogueEmitter* epilogue, const Target& target, CodeCache& cache) {
  for (const Chunk& chunk : chunks_) {
    for (const StripKind& strip : kinds) {
      for (const PixelTileKind& tile : tiles.kinds()) {
        if (!Reaches(tile)) {
          return absl::UnimplementedError(
              absl::StrCat("A convolution whose tiles span more memory than bytes: ", kMostDistance));
        }
        BrgemmSpec spec;
        spec.rows = tile.pixels();
        spec.vectors = strip.vectors;
        spec.partial = strip.partial;
        spec.taps = TapsOfSteps(tile.taps, chunk.begin, chunk.end);
        spec.depth = 0;
        spec.a_rows = tile.input_rows;
        spec.c_rows = tile.output_rows;
        spec.start = chunk.begin == 0 ? BrgemmStart::kZero : BrgemmStart::kAddToC;
        spec.broadcast = plan_.tile.broadcast;
        spec.prefetch_c = plan_.fetches_output && epilogue == nullptr;
        spec.unroll = UnrollOf(spec);
        const int64_t passes = std::max<int64_t>(1, PassesOf(spec));
        if (plan_.fetches_weights || plan_.fetches_pixels) {
          spec.prefetch_lines = static_cast<int>(std::min(kMostLines, Pieces(LinesOfCall(), passes)));
        }
        const bool last = chunk.end == chunks_.back().end;
        BURIN_ASSIGN_OR_RETURN(Brgemm code, Brgemm::Create(spec, last ? epilogue : nullptr, target.isa(), cache));
        code_.push_back({std::move(code), spec.prefetch_lines * kLineBytes});
      }
    }
  }
  return absl::OkStatus();
}

int64_t ConvolutionKernel::LinesOfCall() const {
  // The first panel has as many strips as any.
  const int64_t strips = panels_[1] - panels_[0];
  if (plan_.fetches_pixels) {
    const int64_t bytes = (plan_.cut.split.rows + 1) * spec_.input.pixel * kFloatBytes;
    return Pieces(Pieces(bytes, kLineBytes), plan_.item_panels * strips);
  }
  const int64_t lines = plan_.chunk_steps * (PanelLayout::kStepBytes / kLineBytes);
  return Pieces(lines, plan_.item_tiles * strips);
}

void ConvolutionKernel::Run(const ConvolutionArgs& args, int64_t begin, int64_t end) const {
  BURIN_DCHECK(0 <= begin && begin <= end && end <= work_items_) << "items out of range: " << begin << " to " << end;
  for (int64_t item = begin; item < end; ++item) RunItem(args, item);
}

void ConvolutionKernel::RunItem(const ConvolutionArgs& args, int64_t item) const {
  // Items that follow each other share the pixels of a tile, or else the weights of a panel.
  const int64_t tile_item = plan_.pixels_first ? item / panel_items_ : item % tile_items_;
  const int64_t panel_item = plan_.pixels_first ? item % panel_items_ : item / tile_items_;
  const int64_t first = tile_item * plan_.item_tiles;
  const auto tiles = static_cast<int64_t>(tiles_.size());
  TileRange range;
  range.first = first % tiles;
  range.image = first / tiles;
  range.count = std::min(plan_.item_tiles, spec_.images * tiles - first);
  const int64_t first_panel = panel_item * plan_.item_panels;
  const int64_t last_panel = std::min(first_panel + plan_.item_panels, static_cast<int64_t>(panels_.size()) - 1);
  if (plan_.pixels_first) {
    RunTiles(args, range, panels_[static_cast<size_t>(first_panel)], panels_[static_cast<size_t>(last_panel)]);
    return;
  }
  for (int64_t panel = first_panel; panel < last_panel; ++panel) {
    for (size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
      RunStrips(args, range, panels_[static_cast<size_t>(panel)], panels_[static_cast<size_t>(panel) + 1], chunk);
    }
  }
}

void ConvolutionKernel::RunTiles(const ConvolutionArgs& args, const TileRange& range, int64_t first_strip,
                                 int64_t last_strip) const {
  const auto tiles = static_cast<int64_t>(tiles_.size());
  const int64_t fetched_bytes = plan_.fetches_pixels ? LinesOfCall() * kLineBytes : 0;
  BrgemmArgs call;
  call.places = args.places;
  for (TileRange rest = range; rest.count > 0; --rest.count) {
    const PixelTile& tile = tiles_[static_cast<size_t>(rest.first)];
    const Code* const codes = &code_[static_cast<size_t>(tile.kind)];
    const void* const input = Offset(args.input, rest.image * spec_.input.image * kFloatBytes + tile.input);
    const void* const output = Offset(args.output, rest.image * spec_.output.image * kFloatBytes + tile.output);
    call.row = rest.image * pixels_of_image_ + tile.first;
    // The tile that follows: its pixels lie right behind those of this one.
    call.prefetch = Offset(input, fetched_bytes * (last_strip - first_strip));
    for (int64_t index = first_strip; index < last_strip; ++index) {
      const Strip& strip = strips_[static_cast<size_t>(index)];
      call.a = Offset(input, strip.input);
      call.b = Offset(args.weights, strip.weights);
      call.c = const_cast<void*>(Offset(output, strip.column * kFloatBytes));
      call.last_columns = strip.last_columns;
      call.column = strip.column;
      const Code& code = codes[strip.kind * tile_kinds_];
      call.prefetch_step = code.prefetch_step;
      code.kernel.Run(call);
      call.prefetch = Offset(call.prefetch, fetched_bytes);
    }
    rest.Advance(tiles);
  }
}

void ConvolutionKernel::RunStrips(const ConvolutionArgs& args, const TileRange& range, int64_t first_strip,
                                  int64_t last_strip, size_t chunk) const {
  const auto tiles = static_cast<int64_t>(tiles_.size());
  BrgemmArgs call;
  call.places = args.places;
  const int64_t steps = chunks_[chunk].begin * PanelLayout::kStepBytes;
  const int64_t fetched_bytes = plan_.fetches_weights ? LinesOfCall() * kLineBytes : 0;
  // The chunk that follows, be it of the next panel: panels lie one behind the other.
  call.prefetch = Offset(
      args.weights, strips_[static_cast<size_t>(first_strip)].weights + chunks_[chunk].end * PanelLayout::kStepBytes);
  for (int64_t index = first_strip; index < last_strip; ++index) {
    const Strip& strip = strips_[static_cast<size_t>(index)];
    const int64_t codes = (static_cast<int64_t>(chunk) * strip_kinds_ + strip.kind) * tile_kinds_;
    call.b = Offset(args.weights, strip.weights + steps);
    call.last_columns = strip.last_columns;
    call.column = strip.column;
    for (TileRange rest = range; rest.count > 0; --rest.count) {
      const PixelTile& tile = tiles_[static_cast<size_t>(rest.first)];
      const Code& code = code_[static_cast<size_t>(codes + tile.kind)];
      call.a = Offset(args.input, rest.image * spec_.input.image * kFloatBytes + tile.input + strip.input);
      call.c = const_cast<void*>(
          Offset(args.output, (rest.image * spec_.output.image + strip.column) * kFloatBytes + tile.output));
      call.prefetch_step = code.prefetch_step;
      call.row = rest.image * pixels_of_image_ + tile.first;
      code.kernel.Run(call);
      call.prefetch = Offset(call.prefetch, fetched_bytes);
      rest.Advance(tiles);
    }
  }
}

}  // namespace burin::jit

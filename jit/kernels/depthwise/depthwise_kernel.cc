#include "jit/kernels/depthwise/depthwise_kernel.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/status_macros.h"
#include "jit/code_key.h"
#include "jit/isa/isa.h"

namespace burin::jit {
namespace {

constexpr int64_t kFloatBytes = 4;

int64_t Pieces(int64_t extent, int64_t step) { return (extent + step - 1) / step; }

// Returns an address that need not be inside of the same memory.
const void* Offset(const void* address, int64_t bytes) {
  return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(address) + static_cast<uintptr_t>(bytes));
}

}  // namespace

absl::StatusOr<DepthwiseKernel> DepthwiseKernel::Create(const DepthwiseSpec& spec, const Target& target,
                                                        CodeCache& cache, const EpilogueEmitter* epilogue,
                                                        const std::optional<DepthwiseTile>& tile) {
  BURIN_RETURN_IF_ERROR(spec.Check());
  DepthwiseKernel kernel;
  kernel.spec_ = spec;
  const IsaSet& isa = target.isa();
  kernel.plan_ =
      PlanDepthwise(spec, target, epilogue != nullptr ? epilogue->Registers(isa) : EpilogueRegisters(), tile);
  const DepthwisePlan& plan = kernel.plan_;
  kernel.vectors_ = Pieces(spec.output_channels(), plan.lanes);
  kernel.blocks_ = Pieces(kernel.vectors_, plan.block_vectors);
  kernel.work_items_ = spec.images * spec.depth.output * spec.height.output * kernel.blocks_;
  if (spec.width.output == 0) kernel.work_items_ = 0;
  if (kernel.work_items_ == 0) return kernel;
  std::vector<DepthwiseStripSpec> kinds;
  kernel.CutRow(kinds);
  kernel.strip_kinds_ = static_cast<int64_t>(kinds.size());
  if (spec.multiplier > 1) kernel.ListExpansions();
  const std::vector<int64_t> plane_counts =
      ListReaches(spec.depth, spec.input.plane * kFloatBytes, plan.unrolls_rows, kernel.planes_);
  const std::vector<int64_t> row_counts =
      ListReaches(spec.height, spec.input.row * kFloatBytes, plan.unrolls_rows, kernel.rows_);
  kernel.row_classes_ = static_cast<int64_t>(row_counts.size());
  for (const int64_t planes : plane_counts) {
    for (const int64_t rows : row_counts) {
      for (DepthwiseStripSpec& kind : kinds) {
        kind.planes = planes;
        kind.rows = rows;
        if (!kind.Fits()) {
          return absl::UnimplementedError("A depthwise convolution whose strips span more than 2 GiB");
        }
        const CodeKey key = CodeKey::Of("depthwise_strip", isa, kind.ContentKey(epilogue));
        BURIN_ASSIGN_OR_RETURN(CachedCode code,
                               cache.GetOrGenerate(key, [&] { return GenerateDepthwiseStrip(kind, isa, epilogue); }));
        kernel.code_.push_back(std::move(code));
      }
    }
  }
  return kernel;
}

void DepthwiseKernel::CutRow(std::vector<DepthwiseStripSpec>& kinds) {
  const WindowAxis& width = spec_.width;
  const int64_t count = Pieces(width.output, plan_.pixels);
  int64_t first = 0;
  for (int64_t i = 0; i < count; ++i) {
    DepthwiseStripSpec kind;
    kind.pixels = static_cast<int>(width.output / count + (i < width.output % count ? 1 : 0));
    kind.vectors = plan_.vectors;
    kind.tail = static_cast<int>(spec_.output_channels() % plan_.lanes);
    kind.expands = spec_.multiplier > 1;
    kind.kernel_depth = spec_.depth.kernel;
    kind.kernel_height = spec_.height.kernel;
    kind.kernel_width = width.kernel;
    kind.stride = width.stride;
    kind.dilation = width.dilation;
    kind.unrolled = plan_.unrolls_rows;
    kind.plane_step = spec_.input.plane * spec_.depth.dilation * kFloatBytes;
    kind.row_step = spec_.input.row * spec_.height.dilation * kFloatBytes;
    kind.input_step = spec_.input.pixel * kFloatBytes;
    kind.output_step = spec_.output.pixel * kFloatBytes;
    if (plan_.fetched_ahead > 0) {
      kind.fetched_rows = std::min(spec_.height.stride, spec_.height.kernel);
      kind.fetch_step = spec_.input.row * spec_.height.stride * plan_.fetched_ahead * kFloatBytes;
    }
    for (int64_t tap = 0; tap < width.kernel; ++tap) {
      kind.inside.push_back(static_cast<uint32_t>(OutputsInside(width, first, kind.pixels, tap)));
    }
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&kind](const DepthwiseStripSpec& other) {
      return other.pixels == kind.pixels && other.inside == kind.inside;
    });
    strips_.push_back({same - kinds.begin(), first, width.At(first, 0) * kind.input_step, first * kind.output_step});
    first += kind.pixels;
    if (same == kinds.end()) kinds.push_back(std::move(kind));
  }
}

std::vector<int64_t> DepthwiseKernel::ListReaches(const WindowAxis& axis, int64_t stride_bytes, bool by_class,
                                                  std::vector<Reach>& reaches) {
  std::vector<int64_t> counts;
  if (!by_class) counts.push_back(0);
  for (int64_t index = 0; index < axis.output; ++index) {
    Reach reach;
    reach.taps = TapsInside(axis, index);
    if (reach.taps.count() > 0) reach.input = axis.At(index, reach.taps.begin) * stride_bytes;
    if (by_class) {
      const auto same = std::find(counts.begin(), counts.end(), reach.taps.count());
      reach.row_class = same - counts.begin();
      if (same == counts.end()) counts.push_back(reach.taps.count());
    }
    reaches.push_back(reach);
  }
  return counts;
}

void DepthwiseKernel::ListExpansions() {
  const int64_t words = static_cast<int64_t>(sizeof(DepthwiseExpansion) / 8) + plan_.lanes / 2;
  expansions_.resize(static_cast<size_t>(vectors_ * words));
  for (int64_t vector = 0; vector < vectors_; ++vector) {
    const int64_t first = vector * plan_.lanes;
    const int64_t end = std::min(first + plan_.lanes, spec_.output_channels());
    const int64_t input = first / spec_.multiplier;
    const DepthwiseExpansion expansion = {input * kFloatBytes, (end - 1) / spec_.multiplier - input + 1};
    std::vector<int32_t> indices(static_cast<size_t>(plan_.lanes));
    for (int64_t channel = first; channel < end; ++channel) {
      indices[static_cast<size_t>(channel - first)] = static_cast<int32_t>(channel / spec_.multiplier - input);
    }
    int64_t* const to = &expansions_[static_cast<size_t>(vector * words)];
    std::memcpy(to, &expansion, sizeof(expansion));
    std::memcpy(to + sizeof(expansion) / 8, indices.data(), indices.size() * sizeof(int32_t));
  }
}

int64_t DepthwiseKernel::packed_weights_bytes() const {
  return Pieces(spec_.output_channels(), plan_.lanes) * spec_.taps() * plan_.lanes * kFloatBytes;
}

void DepthwiseKernel::PackWeights(const void* weights, const DepthwiseWeightStrides& strides, void* packed) const {
  float* to = static_cast<float*>(packed);
  const int64_t channels = spec_.output_channels();
  for (int64_t first = 0; first < channels; first += plan_.lanes) {
    for (int64_t plane = 0; plane < spec_.depth.kernel; ++plane) {
      for (int64_t row = 0; row < spec_.height.kernel; ++row) {
        for (int64_t tap = 0; tap < spec_.width.kernel; ++tap) {
          const int64_t offset = plane * strides.depth + row * strides.height + tap * strides.width;
          for (int64_t channel = first; channel < first + plan_.lanes; ++channel, ++to) {
            *to = 0;
            if (channel >= channels) continue;
            // Constants of a file that is mapped lie where they like.
            std::memcpy(to, static_cast<const char*>(weights) + (offset + channel * strides.channel) * kFloatBytes,
                        sizeof(float));
          }
        }
      }
    }
  }
}

void DepthwiseKernel::Run(const DepthwiseArgs& args, int64_t begin, int64_t end) const {
  BURIN_DCHECK(0 <= begin && begin <= end && end <= work_items_) << "items out of range: " << begin << " to " << end;
  for (int64_t item = begin; item < end; ++item) RunRow(args, item);
}

void DepthwiseKernel::RunRow(const DepthwiseArgs& args, int64_t item) const {
  const int64_t height = item % spec_.height.output;
  const int64_t depth = item / spec_.height.output % spec_.depth.output;
  const int64_t block = item / (spec_.height.output * spec_.depth.output) % blocks_;
  const int64_t image = item / (spec_.height.output * spec_.depth.output) / blocks_;
  const Reach& plane = planes_[static_cast<size_t>(depth)];
  const Reach& row = rows_[static_cast<size_t>(height)];
  const int64_t first_vector = block * plan_.block_vectors;
  const int64_t vectors = std::min(plan_.block_vectors, vectors_ - first_vector);
  const int64_t channel = first_vector * plan_.lanes;
  const bool tail = spec_.output_channels() % plan_.lanes != 0 && first_vector + vectors == vectors_;
  const int64_t vector_bytes = plan_.lanes * kFloatBytes;
  const int64_t first_tap =
      (plane.taps.begin * spec_.height.kernel + row.taps.begin) * spec_.width.kernel + first_vector * spec_.taps();
  int64_t input = image * spec_.input.image * kFloatBytes + plane.input + row.input;
  const int64_t output =
      (image * spec_.output.image + depth * spec_.output.plane + height * spec_.output.row + channel) * kFloatBytes;
  DepthwiseStripArgs strip_args = {};
  if (expansions_.empty()) {
    input += channel * kFloatBytes;
  } else {
    const int64_t words = static_cast<int64_t>(sizeof(DepthwiseExpansion) / 8) + plan_.lanes / 2;
    strip_args.expansions = &expansions_[static_cast<size_t>(first_vector * words)];
  }
  strip_args.weights = Offset(args.weights, first_tap * vector_bytes);
  strip_args.vectors = vectors - (tail ? 1 : 0);
  strip_args.tail = tail ? 1 : 0;
  strip_args.places = args.places;
  strip_args.column = channel;
  strip_args.planes = plane.taps.count();
  strip_args.rows = row.taps.count();
  strip_args.plane_step = spec_.input.plane * spec_.depth.dilation * kFloatBytes;
  strip_args.row_step = spec_.input.row * spec_.height.dilation * kFloatBytes;
  const int64_t first_row = ((image * spec_.depth.output + depth) * spec_.height.output + height) * spec_.width.output;
  const size_t row_class = static_cast<size_t>((plane.row_class * row_classes_ + row.row_class) * strip_kinds_);
  for (const Strip& strip : strips_) {
    strip_args.input = Offset(args.input, input + strip.input);
    strip_args.output = const_cast<void*>(Offset(args.output, output + strip.output));
    strip_args.row = first_row + strip.first;
    code_[row_class + static_cast<size_t>(strip.code)]->entry<void (*)(const DepthwiseStripArgs*)>()(&strip_args);
  }
}

std::string DepthwiseKernel::kernel_name() const {
  if (code_.empty()) return "";
  // In the middle of an image.
  const Strip& strip = strips_[strips_.size() / 2];
  const Reach& plane = planes_[planes_.size() / 2];
  const Reach& row = rows_[rows_.size() / 2];
  const int64_t index = (plane.row_class * row_classes_ + row.row_class) * strip_kinds_ + strip.code;
  return std::string(code_[static_cast<size_t>(index)]->name());
}

}  // namespace burin::jit

#include "tools/kernel_bench/families/dense/convolution_family.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/aligned_buffer.h"
#include "base/check.h"
#include "base/enum_names.h"
#include "base/status_macros.h"
#include "jit/code_cache.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/brgemm_tile.h"
#include "jit/kernels/convolution/convolution_kernel.h"
#include "jit/kernels/convolution/convolution_plan.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_weights.h"
#include "jit/kernels/depthwise/depthwise_kernel.h"
#include "jit/kernels/depthwise/depthwise_plan.h"
#include "jit/kernels/depthwise/depthwise_spec.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/winograd/winograd_kernel.h"
#include "jit/kernels/winograd/winograd_plan.h"
#include "jit/kernels/winograd/winograd_spec.h"
#include "jit/kernels/winograd/winograd_weights.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/case_set.h"
#include "tools/kernel_bench/families/case_buffers.h"
#include "tools/kernel_bench/families/dense/bench_epilogue.h"
#include "tools/kernel_bench/families/dense/convolution_cases.h"
#include "tools/kernel_bench/families/dense/image_work.h"
#include "tools/kernel_bench/families/dense/tile_candidates.h"
#include "tools/kernel_bench/families/peer_entrants.h"
#include "tools/kernel_bench/families/yardsticks.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {
namespace {

// Of the few kernels of a case.
constexpr size_t kCodeBytes = size_t{8} << 20;

constexpr int64_t kFloatBytes = 4;

// Of a sum of products of numbers below 1, which is added up one by one: some parts of the last place of each.
constexpr double kTolerance = 2e-7;
constexpr double kLeastTolerance = 1e-5;

// Of the range of the outputs (jit/kernels/winograd/winograd_kernel.h).
constexpr double kWinogradTolerance = 2e-5;

// The constants of an ImageWork.
enum Constants { kPacked, kTransformed };

// Is a case with its images and weights.
struct Layer {
  ConvolutionCase layer;
  std::shared_ptr<ImageWork> images;
  // [output channel][input channel][row][column], as ONNX has them.
  std::vector<float> weights;
  bool has_winograd = false;

  double units() const {
    return static_cast<double>(layer.output_pixels() * layer.output_channels) * static_cast<double>(layer.products());
  }
  double tolerance() const { return std::max(kLeastTolerance, kTolerance * static_cast<double>(layer.products())); }
  double winograd_tolerance() const { return std::max(tolerance(), kWinogradTolerance * images->ExpectedRange()); }
};

// What all who do the work have alike.
Entrant Like(const Layer& layer) {
  const ImageShape& shape = layer.images->shape();
  Entrant entrant;
  entrant.units_per_repeat = layer.units();
  entrant.bytes_per_repeat =
      kFloatBytes * (shape.in_elements() + shape.out_elements() + static_cast<int64_t>(layer.weights.size()));
  return entrant;
}

double Reference(const Layer& layer, int64_t row, int64_t column, int64_t channel) {
  const ConvolutionCase& of = layer.layer;
  const int64_t pad = of.kernel / 2;
  const int64_t inputs = of.depthwise ? 1 : of.input_channels;
  const int64_t taps = of.kernel * of.kernel;
  double sum = 0;
  for (int64_t tap = 0; tap < taps; ++tap) {
    const int64_t y = row * of.stride - pad + tap / of.kernel;
    const int64_t x = column * of.stride - pad + tap % of.kernel;
    if (y < 0 || y >= of.size || x < 0 || x >= of.size) continue;
    const float* const pixel = layer.images->input(0) + (y * of.size + x) * of.input_channels;
    for (int64_t c = 0; c < inputs; ++c) {
      const float weight = layer.weights[static_cast<size_t>((channel * inputs + c) * taps + tap)];
      sum += static_cast<double>(pixel[of.depthwise ? channel : c]) * static_cast<double>(weight);
    }
  }
  return sum;
}

// Packs the weights of a dense layer for all machines: directly, and for Winograd's method if it has that.
absl::Status Pack(Layer& layer, const std::optional<jit::ConvolutionWeights>& packer,
                  const std::optional<jit::WinogradWeights>& transformer) {
  if (packer.has_value()) {
    packer->Run(layer.weights.data(), layer.images->constant(0, kPacked), 0, packer->work_items());
  }
  if (transformer.has_value()) {
    BURIN_ASSIGN_OR_RETURN(AlignedBuffer scratch,
                           AlignedBuffer::Create(static_cast<size_t>(transformer->scratch_bytes())));
    transformer->Run(layer.weights.data(), layer.images->constant(0, kTransformed), scratch.data(), 0,
                     transformer->work_items());
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Layer>> MakeLayer(const ConvolutionCase& of, const CaseOptions& options) {
  const auto layer = std::make_shared<Layer>();
  layer->layer = of;
  std::mt19937 random(2);
  std::uniform_real_distribution<float> uniform(-1, 1);
  layer->weights.resize(static_cast<size_t>(of.output_channels * of.products()));
  std::generate(layer->weights.begin(), layer->weights.end(), [&] { return uniform(random); });
  jit::CodeCache cache(kCodeBytes);
  std::optional<jit::ConvolutionWeights> packer;
  std::optional<jit::WinogradWeights> transformer;
  std::vector<int64_t> constant_bytes;
  if (of.depthwise) {
    BURIN_ASSIGN_OR_RETURN(const jit::DepthwiseSpec spec, of.Depthwise());
    BURIN_ASSIGN_OR_RETURN(const jit::DepthwiseKernel kernel,
                           jit::DepthwiseKernel::Create(spec, options.target, cache));
    constant_bytes = {kernel.packed_weights_bytes()};
  } else {
    BURIN_ASSIGN_OR_RETURN(const jit::ConvolutionSpec spec, of.Direct());
    const int64_t taps = of.kernel * of.kernel;
    const jit::ConvolutionWeightStrides strides = {taps * of.input_channels, taps, 0, of.kernel, 1};
    BURIN_ASSIGN_OR_RETURN(packer, jit::ConvolutionWeights::Create(spec, strides, options.target, cache));
    constant_bytes = {packer->packed_bytes()};
    layer->has_winograd = jit::CheckWinograd(spec).ok();
    if (layer->has_winograd) {
      BURIN_ASSIGN_OR_RETURN(transformer, jit::WinogradWeights::Create(spec, strides, options.target, cache));
      constant_bytes.push_back(transformer->packed_bytes());
    }
  }
  BURIN_ASSIGN_OR_RETURN(
      layer->images,
      ImageWork::Create({of.input_channels, of.size, of.output_channels, of.output_size()}, constant_bytes, options));
  BURIN_RETURN_IF_ERROR(Pack(*layer, packer, transformer));
  layer->images->Finish(
      [&layer](int64_t row, int64_t column, int64_t channel) { return Reference(*layer, row, column, channel); });
  return layer;
}

std::string Width(const jit::Target& target) { return target.Supports(jit::IsaLevel::kAvx512) ? "512" : "256"; }

// Is a kernel with the cache that its code is in, and memory for each thread to run it in.
template <class Kernel>
struct Compiled {
  Compiled(std::unique_ptr<jit::CodeCache> cache_in, Kernel kernel_in)
      : cache(std::move(cache_in)), kernel(std::move(kernel_in)) {}

  // Returns where the epilogue's operands are.
  const jit::EpiloguePlace* places() const { return epilogue == nullptr ? nullptr : epilogue->places(); }

  std::unique_ptr<jit::CodeCache> cache;
  Kernel kernel;
  std::vector<AlignedBuffer> scratch;
  // Null where results are stored as they are.
  std::shared_ptr<const BenchEpilogue> epilogue;
};

// Returns the epilogue of a layer; null where there is none.
absl::StatusOr<std::shared_ptr<const BenchEpilogue>> EpilogueOf(const Layer& layer, std::optional<EpilogueKind> kind) {
  if (!kind.has_value()) return std::shared_ptr<const BenchEpilogue>();
  return BenchEpilogue::Create(*kind, layer.layer.output_pixels(), layer.layer.output_channels,
                               layer.images->output(0));
}

const jit::EpilogueEmitter* EmitterOf(const std::shared_ptr<const BenchEpilogue>& epilogue) {
  return epilogue == nullptr ? nullptr : &epilogue->emitter();
}

// Returns what runs a kernel by run(compiled, copy, thread, begin, end).
template <class Kernel, class RunKernel>
Entrant Own(const std::shared_ptr<Layer>& layer, const std::shared_ptr<Compiled<Kernel>>& compiled, double tolerance,
            RunKernel run) {
  Entrant entrant = Like(*layer);
  entrant.timed = "the kernel's run over all its items";
  const int64_t items = compiled->kernel.work_items();
  const auto all = [layer, compiled, run, items](int copy) { run(*compiled, copy, 0, int64_t{0}, items); };
  entrant.run = Rotating(layer->images->buffers().copies(), all);
  ImageWork::After after;
  if (compiled->epilogue != nullptr) {
    after = [compiled](double result, int64_t pixel, int64_t channel) {
      return compiled->epilogue->After(result, pixel, channel);
    };
  }
  entrant.check = [layer, all, tolerance, after] { return layer->images->Check([&] { all(0); }, tolerance, after); };
  entrant.items = items;
  entrant.run_items = [layer, compiled, run](int thread, int64_t begin, int64_t end) {
    run(*compiled, 0, thread, begin, end);
  };
  return entrant;
}

// Completes the name of an entrant.
std::string NameOf(absl::string_view method, const jit::Target& target, std::optional<EpilogueKind> kind) {
  return absl::StrCat(method, " ", Width(target), kind.has_value() ? " " : "", kind.has_value() ? EnumName(*kind) : "");
}

absl::StatusOr<Entrant> OwnDirect(const std::shared_ptr<Layer>& layer, const jit::Target& target,
                                  std::optional<EpilogueKind> kind,
                                  const std::optional<jit::BrgemmTile>& tile = std::nullopt) {
  using Kernel = Compiled<jit::ConvolutionKernel>;
  BURIN_ASSIGN_OR_RETURN(const jit::ConvolutionSpec spec, layer->layer.Direct());
  auto cache = std::make_unique<jit::CodeCache>(kCodeBytes);
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<const BenchEpilogue> epilogue, EpilogueOf(*layer, kind));
  BURIN_ASSIGN_OR_RETURN(jit::ConvolutionKernel kernel,
                         jit::ConvolutionKernel::Create(spec, target, *cache, EmitterOf(epilogue), tile));
  const auto compiled = std::make_shared<Kernel>(std::move(cache), std::move(kernel));
  compiled->epilogue = epilogue;
  const ImageWork& images = *layer->images;
  Entrant entrant =
      Own(layer, compiled, layer->tolerance(), [&images](const Kernel& of, int copy, int, int64_t begin, int64_t end) {
        of.kernel.Run({images.input(copy), images.constant(copy, kPacked), images.output(copy), of.places()}, begin,
                      end);
      });
  const jit::ConvolutionPlan& plan = compiled->kernel.plan();
  entrant.name = NameOf("direct", target, kind);
  if (tile.has_value()) {
    entrant.role = Role::kCandidate;
    absl::StrAppend(&entrant.name, " ", tile->rows, "x", tile->vectors, " ", EnumName(tile->broadcast));
  }
  entrant.implementation =
      absl::StrCat("tiles ", plan.tile.rows, "x", plan.tile.vectors, plan.pixels_first ? ", pixels" : ", panels",
                   " first, chunks ", plan.chunk_steps, plan.fetches_weights ? ", fetches weights" : "",
                   plan.fetches_pixels ? ", fetches pixels" : "", plan.fetches_output ? ", fetches output" : "");
  return entrant;
}

absl::StatusOr<Entrant> OwnWinograd(const std::shared_ptr<Layer>& layer, const CaseOptions& options,
                                    const jit::Target& target, std::optional<EpilogueKind> kind) {
  using Kernel = Compiled<jit::WinogradKernel>;
  BURIN_ASSIGN_OR_RETURN(const jit::ConvolutionSpec spec, layer->layer.Direct());
  auto cache = std::make_unique<jit::CodeCache>(kCodeBytes);
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<const BenchEpilogue> epilogue, EpilogueOf(*layer, kind));
  BURIN_ASSIGN_OR_RETURN(jit::WinogradKernel kernel,
                         jit::WinogradKernel::Create(spec, target, *cache, EmitterOf(epilogue)));
  const auto compiled = std::make_shared<Kernel>(std::move(cache), std::move(kernel));
  compiled->epilogue = epilogue;
  for (int thread = 0; thread < options.threads; ++thread) {
    BURIN_ASSIGN_OR_RETURN(AlignedBuffer scratch,
                           AlignedBuffer::Create(static_cast<size_t>(compiled->kernel.scratch_bytes())));
    compiled->scratch.push_back(std::move(scratch));
  }
  const ImageWork& images = *layer->images;
  Entrant entrant = Own(layer, compiled, layer->winograd_tolerance(),
                        [&images](const Kernel& of, int copy, int thread, int64_t begin, int64_t end) {
                          void* const scratch = const_cast<void*>(of.scratch[static_cast<size_t>(thread)].data());
                          of.kernel.Run({images.input(copy), images.constant(copy, kTransformed), images.output(copy),
                                         scratch, of.places()},
                                        begin, end);
                        });
  const jit::WinogradPlan& plan = compiled->kernel.plan();
  entrant.name = NameOf("winograd", target, kind);
  entrant.implementation =
      absl::StrCat("blocks of ", plan.block_tiles, " tiles, groups of ", plan.group_panels, " panels, ", plan.tile.rows,
                   "x", plan.tile.vectors, "; estimated at ",
                   static_cast<int64_t>(100 * jit::WinogradCycles(spec, target) / jit::ConvolutionCycles(spec, target)),
                   " % of the direct one's cycles");
  return entrant;
}

absl::StatusOr<Entrant> OwnDepthwise(const std::shared_ptr<Layer>& layer, const jit::Target& target,
                                     std::optional<EpilogueKind> kind,
                                     const std::optional<jit::DepthwiseTile>& tile = std::nullopt) {
  using Kernel = Compiled<jit::DepthwiseKernel>;
  BURIN_ASSIGN_OR_RETURN(const jit::DepthwiseSpec spec, layer->layer.Depthwise());
  auto cache = std::make_unique<jit::CodeCache>(kCodeBytes);
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<const BenchEpilogue> epilogue, EpilogueOf(*layer, kind));
  BURIN_ASSIGN_OR_RETURN(jit::DepthwiseKernel kernel,
                         jit::DepthwiseKernel::Create(spec, target, *cache, EmitterOf(epilogue), tile));
  const auto compiled = std::make_shared<Kernel>(std::move(cache), std::move(kernel));
  compiled->epilogue = epilogue;
  // Each width has a layout of its own.
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer weights,
                         AlignedBuffer::Create(static_cast<size_t>(compiled->kernel.packed_weights_bytes())));
  const int64_t taps = layer->layer.kernel * layer->layer.kernel;
  compiled->kernel.PackWeights(layer->weights.data(), {taps, taps, layer->layer.kernel, 1}, weights.data());
  compiled->scratch.push_back(std::move(weights));
  const ImageWork& images = *layer->images;
  Entrant entrant =
      Own(layer, compiled, layer->tolerance(), [&images](const Kernel& of, int copy, int, int64_t begin, int64_t end) {
        of.kernel.Run({images.input(copy), of.scratch[0].data(), images.output(copy), of.places()}, begin, end);
      });
  entrant.name = NameOf("depthwise", target, kind);
  if (tile.has_value()) {
    entrant.role = Role::kCandidate;
    absl::StrAppend(&entrant.name, " ", tile->pixels, "x", tile->vectors);
    if (tile->block_vectors > 0) absl::StrAppend(&entrant.name, ", blocks of ", tile->block_vectors);
  }
  entrant.implementation = compiled->kernel.kernel_name();
  return entrant;
}

absl::Status AddOwn(const std::shared_ptr<Layer>& layer, const CaseOptions& options, const jit::Target& target,
                    std::optional<EpilogueKind> kind, std::vector<Entrant>& entrants) {
  BURIN_ASSIGN_OR_RETURN(Entrant own,
                         layer->layer.depthwise ? OwnDepthwise(layer, target, kind) : OwnDirect(layer, target, kind));
  entrants.push_back(std::move(own));
  if (!layer->has_winograd) return absl::OkStatus();
  BURIN_ASSIGN_OR_RETURN(Entrant winograd, OwnWinograd(layer, options, target, kind));
  entrants.push_back(std::move(winograd));
  return absl::OkStatus();
}

// Adds kernels with other tiles.
absl::Status AddCandidates(const std::shared_ptr<Layer>& layer, const jit::Target& target,
                           std::vector<Entrant>& entrants) {
  const ConvolutionCase& of = layer->layer;
  if (!of.depthwise) {
    for (const jit::BrgemmTile& tile : TileCandidates(of.output_pixels(), of.output_channels, target)) {
      BURIN_ASSIGN_OR_RETURN(Entrant candidate, OwnDirect(layer, target, std::nullopt, tile));
      entrants.push_back(std::move(candidate));
    }
    return absl::OkStatus();
  }
  for (const int vectors : {1, 2}) {
    for (const int pixels : {2, 3, 4, 5, 6, 7, 8}) {
      // What the registers of any machine have room for, beside inputs and the weights of a row.
      if (pixels * vectors > 8 || pixels > of.output_size()) continue;
      BURIN_ASSIGN_OR_RETURN(Entrant candidate,
                             OwnDepthwise(layer, target, std::nullopt, jit::DepthwiseTile{pixels, vectors}));
      entrants.push_back(std::move(candidate));
    }
  }
  // By what is done of all channels at a time, with the tile that is usual.
  const int pixels = static_cast<int>(std::min<int64_t>(of.output_size(), 7));
  for (const int64_t block : {1, 2, 4, 8, 1024}) {
    BURIN_ASSIGN_OR_RETURN(Entrant candidate,
                           OwnDepthwise(layer, target, std::nullopt, jit::DepthwiseTile{pixels, 1, block}));
    entrants.push_back(std::move(candidate));
  }
  return absl::OkStatus();
}

PeerGraph::Node NodeOf(const ConvolutionCase& layer) {
  const int64_t pad = layer.kernel / 2;
  // Behind the last window nothing is missing that no window sees.
  const int64_t end = (layer.output_size() - 1) * layer.stride - pad + layer.kernel - layer.size;
  PeerGraph::Node node;
  node.type = "Conv";
  node.attributes = {{"kernel_shape", std::vector<int64_t>{layer.kernel, layer.kernel}},
                     {"strides", std::vector<int64_t>{layer.stride, layer.stride}},
                     {"dilations", std::vector<int64_t>{1, 1}},
                     {"pads", std::vector<int64_t>{pad, pad, std::max<int64_t>(end, 0), std::max<int64_t>(end, 0)}},
                     {"group", layer.depthwise ? layer.input_channels : int64_t{1}}};
  return node;
}

absl::StatusOr<BenchCase> Make(const ConvolutionCase& of, const CaseOptions& options) {
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<Layer> layer, MakeLayer(of, options));
  BenchCase made;
  made.family = "convolution";
  made.name = of.Name();
  made.unit = "multiply-adds";
  made.buffers = layer->images->buffers().Describe();
  const jit::Target& target = options.target;
  BURIN_ASSIGN_OR_RETURN(Entrant fma, FmaYardstick(target.isa()));
  made.entrants.push_back(std::move(fma));
  std::vector<jit::Target> widths = {target};
  if (target.Supports(jit::IsaLevel::kAvx512)) widths.push_back(target.WithCap(jit::IsaLevel::kAvx2));
  for (const jit::Target& width : widths) {
    BURIN_RETURN_IF_ERROR(AddOwn(layer, options, width, std::nullopt, made.entrants));
  }
  if (options.tune) BURIN_RETURN_IF_ERROR(AddCandidates(layer, target, made.entrants));
  for (const auto& kind : EnumNames<EpilogueKind>::kEntries) {
    // Its output is that of one copy.
    if (!options.epilogues || options.cold) break;
    BURIN_RETURN_IF_ERROR(AddOwn(layer, options, target, kind.value, made.entrants));
  }
  // Nobody else has several copies of a constant.
  if (options.cold) return made;
  const PeerGraph::Constant weights = {
      "w", {of.output_channels, of.depthwise ? 1 : of.input_channels, of.kernel, of.kernel}, layer->weights};
  // Of peers that choose Winograd's method by themselves, too.
  const double tolerance = layer->has_winograd ? layer->winograd_tolerance() : layer->tolerance();
  const auto check = [layer, tolerance](const std::function<void()>& call) {
    return layer->images->CheckOfPeer(call, tolerance);
  };
  BURIN_RETURN_IF_ERROR(
      AddGraphPeers(options.peers, layer->images->Graph(NodeOf(of), {weights}), Like(*layer), check, made.entrants));
  return made;
}

class Convolutions : public Family {
 public:
  absl::string_view name() const override { return "convolution"; }

  absl::string_view description() const override {
    return "Convolutions of an image, IxO/SIZE/kWINDOWsSTRIDE, and depthwise ones: directly and by Winograd's method.";
  }

  std::vector<std::string> CaseNames() const override { return NamesOf(UsualConvolutions()); }

  std::vector<std::string> CasesOf(const CaseSet& set) const override { return NamesOf(ConvolutionsOf(set)); }

  absl::StatusOr<BenchCase> MakeCase(absl::string_view case_name, const CaseOptions& options) const override {
    const std::optional<ConvolutionCase> parsed = ConvolutionCase::Parse(case_name);
    BURIN_CHECK(parsed.has_value()) << "no case: " << std::string(case_name);
    return Make(*parsed, options);
  }

 private:
  static std::vector<std::string> NamesOf(const std::vector<ConvolutionCase>& layers) {
    std::vector<std::string> names;
    for (const ConvolutionCase& layer : layers) names.push_back(layer.Name());
    return names;
  }
};

}  // namespace

std::unique_ptr<Family> ConvolutionFamily() { return std::make_unique<Convolutions>(); }

}  // namespace burin::kernel_bench

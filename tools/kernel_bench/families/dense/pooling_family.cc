#include "tools/kernel_bench/families/dense/pooling_family.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "jit/code_cache.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/kernels/pooling/pooling.h"
#include "jit/limits/loops.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/case_set.h"
#include "tools/kernel_bench/families/case_buffers.h"
#include "tools/kernel_bench/families/dense/image_work.h"
#include "tools/kernel_bench/families/dense/pooling_cases.h"
#include "tools/kernel_bench/families/peer_entrants.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {
namespace {

constexpr size_t kCodeBytes = size_t{1} << 20;

constexpr int64_t kFloatBytes = 4;

constexpr double kTolerance = 1e-5;

// What all who do the work have alike. The unit is a float of the input or the output.
Entrant Like(const ImageWork& images) {
  const ImageShape& shape = images.shape();
  Entrant entrant;
  entrant.units_per_repeat = static_cast<double>(shape.in_elements() + shape.out_elements());
  entrant.bytes_per_repeat = kFloatBytes * (shape.in_elements() + shape.out_elements());
  return entrant;
}

double Reference(const PoolingCase& layer, const ImageWork& images, int64_t row, int64_t column, int64_t channel) {
  double most = -std::numeric_limits<double>::infinity();
  double sum = 0;
  int64_t count = 0;
  for (int64_t tap = 0; tap < layer.kernel * layer.kernel; ++tap) {
    const int64_t y = row * layer.stride - layer.pad + tap / layer.kernel;
    const int64_t x = column * layer.stride - layer.pad + tap % layer.kernel;
    if (y < 0 || y >= layer.size || x < 0 || x >= layer.size) continue;
    const double value = images.input(0)[(y * layer.size + x) * layer.channels + channel];
    most = std::max(most, value);
    sum += value;
    ++count;
  }
  return layer.is_max ? most : sum / static_cast<double>(count);
}

// Is a kernel with the cache that its code is in.
struct Compiled {
  Compiled(std::unique_ptr<jit::CodeCache> cache_in, jit::PoolingKernel kernel_in)
      : cache(std::move(cache_in)), kernel(std::move(kernel_in)) {}

  std::unique_ptr<jit::CodeCache> cache;
  jit::PoolingKernel kernel;
};

absl::StatusOr<Entrant> Own(const PoolingCase& layer, const std::shared_ptr<ImageWork>& images,
                            const jit::Target& target) {
  auto cache = std::make_unique<jit::CodeCache>(kCodeBytes);
  BURIN_ASSIGN_OR_RETURN(jit::PoolingKernel kernel, jit::PoolingKernel::Create(layer.Spec(), target, *cache));
  const auto compiled = std::make_shared<const Compiled>(std::move(cache), std::move(kernel));
  const int64_t items = compiled->kernel.work_items();
  const auto run = [images, compiled](int copy, int64_t begin, int64_t end) {
    compiled->kernel.Run({images->input(copy), images->output(copy), nullptr, nullptr}, begin, end);
  };
  Entrant entrant = Like(*images);
  entrant.name = target.Supports(jit::IsaLevel::kAvx512) ? "burin 512" : "burin 256";
  entrant.implementation = std::string(compiled->kernel.kernel_name());
  entrant.timed = "the kernel's run over all its items";
  entrant.run = Rotating(images->buffers().copies(), [run, items](int copy) { run(copy, 0, items); });
  entrant.check = [images, run, items] { return images->Check([&] { run(0, 0, items); }, kTolerance); };
  entrant.items = items;
  entrant.run_items = [run](int, int64_t begin, int64_t end) { run(0, begin, end); };
  return entrant;
}

// Reads the input and writes the output, by loops that do nothing else.
absl::StatusOr<Entrant> Memory(const std::shared_ptr<ImageWork>& images, const jit::Target& target) {
  constexpr auto kBlock = static_cast<int64_t>(jit::CopyLoop::kBlockBytes);
  static_assert(jit::ReadLoop::kBlockBytes == jit::CopyLoop::kBlockBytes);
  BURIN_ASSIGN_OR_RETURN(jit::CopyLoop copy_created, jit::CopyLoop::Create(target.isa()));
  BURIN_ASSIGN_OR_RETURN(jit::ReadLoop read_created, jit::ReadLoop::Create(target.isa()));
  const auto copies = std::make_shared<const jit::CopyLoop>(std::move(copy_created));
  const auto reads = std::make_shared<const jit::ReadLoop>(std::move(read_created));
  const int64_t read = images->shape().in_elements() * kFloatBytes / kBlock;
  const int64_t written = std::min(read, images->shape().out_elements() * kFloatBytes / kBlock);
  Entrant entrant = Like(*images);
  entrant.role = Role::kYardstick;
  entrant.name = "memory";
  entrant.implementation = "loops that read the input and write the output";
  entrant.timed = "the loops alone";
  entrant.run = Rotating(images->buffers().copies(), [images, copies, reads, read, written](int copy) {
    const char* const in = reinterpret_cast<const char*>(images->input(copy));
    if (written > 0) copies->Run(in, images->output(copy), written, 1);
    if (read > written) reads->Run(in + written * kBlock, read - written, 1);
  });
  return entrant;
}

PeerGraph::Node NodeOf(const PoolingCase& layer) {
  PeerGraph::Node node;
  node.type = layer.is_max ? "MaxPool" : "AveragePool";
  node.attributes = {{"kernel_shape", std::vector<int64_t>{layer.kernel, layer.kernel}},
                     {"strides", std::vector<int64_t>{layer.stride, layer.stride}},
                     {"pads", std::vector<int64_t>(4, layer.pad)}};
  return node;
}

absl::StatusOr<BenchCase> Make(const PoolingCase& layer, const CaseOptions& options) {
  BURIN_ASSIGN_OR_RETURN(
      const std::shared_ptr<ImageWork> images,
      ImageWork::Create({layer.channels, layer.size, layer.channels, layer.output_size()}, {}, options));
  images->Finish([&layer, &images](int64_t row, int64_t column, int64_t channel) {
    return Reference(layer, *images, row, column, channel);
  });
  BenchCase made;
  made.family = "pooling";
  made.name = layer.Name();
  made.unit = "floats";
  made.buffers = images->buffers().Describe();
  const jit::Target& target = options.target;
  BURIN_ASSIGN_OR_RETURN(Entrant memory, Memory(images, target));
  made.entrants.push_back(std::move(memory));
  if (target.Supports(jit::IsaLevel::kAvx512)) {
    BURIN_ASSIGN_OR_RETURN(Entrant wide, Own(layer, images, target));
    made.entrants.push_back(std::move(wide));
  }
  BURIN_ASSIGN_OR_RETURN(Entrant narrow, Own(layer, images, target.WithCap(jit::IsaLevel::kAvx2)));
  made.entrants.push_back(std::move(narrow));
  // Others have one copy of their own.
  if (options.cold) return made;
  const auto check = [images](const std::function<void()>& call) { return images->CheckOfPeer(call, kTolerance); };
  BURIN_RETURN_IF_ERROR(
      AddGraphPeers(options.peers, images->Graph(NodeOf(layer), {}), Like(*images), check, made.entrants));
  return made;
}

class Poolings : public Family {
 public:
  absl::string_view name() const override { return "pooling"; }

  absl::string_view description() const override {
    return "Poolings of an image, KINDCHANNELS/SIZE/kWINDOWsSTRIDEpPADDING.";
  }

  std::vector<std::string> CaseNames() const override { return NamesOf(UsualPoolings()); }

  std::vector<std::string> CasesOf(const CaseSet& set) const override { return NamesOf(PoolingsOf(set)); }

  absl::StatusOr<BenchCase> MakeCase(absl::string_view case_name, const CaseOptions& options) const override {
    const std::optional<PoolingCase> parsed = PoolingCase::Parse(case_name);
    BURIN_CHECK(parsed.has_value()) << "no case: " << std::string(case_name);
    return Make(*parsed, options);
  }

 private:
  static std::vector<std::string> NamesOf(const std::vector<PoolingCase>& layers) {
    std::vector<std::string> names;
    for (const PoolingCase& layer : layers) names.push_back(layer.Name());
    return names;
  }
};

}  // namespace

std::unique_ptr<Family> PoolingFamily() { return std::make_unique<Poolings>(); }

}  // namespace burin::kernel_bench

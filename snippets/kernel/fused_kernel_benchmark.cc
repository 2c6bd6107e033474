// Measures fused kernels against a loop that reads and writes as many bytes in sequence.
//
// `compile/...` are the times from a body to its code.
//
// Counters: `share` is the median over the rounds of loop time by kernel time; `cycles/16` what a kernel takes for 16
// elements of its largest operand. A chain of a few operations is bound by memory, and its share is to be 0.85 or more.
#include "snippets/kernel/fused_kernel.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/aligned_buffer.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "ir/text.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/limits/loops.h"
#include "jit/limits/sampler.h"
#include "snippets/decompose/decompose.h"

namespace burin::snippets {
namespace {

// The bytes of all parameters or results of a body.
absl::StatusOr<std::vector<int64_t>> BytesOf(const ir::Model& body, absl::Span<const ir::NodeId> nodes, bool inputs) {
  std::vector<int64_t> bytes;
  for (const ir::NodeId id : nodes) {
    const ir::Value value = inputs ? ir::Value{id, 0} : body.node(id).input(0);
    BURIN_ASSIGN_OR_RETURN(const int64_t count, ir::ElementCount(body.info(value).shape.ToShape()));
    bytes.push_back(count * BitWidth(body.info(value).type) / 8);
  }
  return bytes;
}

absl::StatusOr<std::vector<AlignedBuffer>> MakeBuffers(const std::vector<int64_t>& bytes) {
  std::vector<AlignedBuffer> buffers;
  for (const int64_t size : bytes) {
    BURIN_ASSIGN_OR_RETURN(AlignedBuffer buffer,
                           AlignedBuffer::Create(static_cast<size_t>(size) + jit::CopyLoop::kBlockBytes, 4096));
    // Ones, as floats.
    for (size_t i = 0; i + 3 < buffer.size(); i += 4) {
      const float one = 1.0f;
      std::memcpy(static_cast<char*>(buffer.data()) + i, &one, 4);
    }
    buffers.push_back(std::move(buffer));
  }
  return buffers;
}

int64_t Sum(const std::vector<int64_t>& list) {
  int64_t sum = 0;
  for (const int64_t each : list) sum += each;
  return sum;
}

absl::Status Measure(absl::string_view text, benchmark::State& state) {
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> body, ir::ParseModel(text));
  BURIN_RETURN_IF_ERROR(Decompose(*body));
  BURIN_ASSIGN_OR_RETURN(const jit::Target target, jit::Target::Host());
  BURIN_ASSIGN_OR_RETURN(const jit::Instruments instruments, jit::Instruments::Host(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const jit::CopyLoop loop, jit::CopyLoop::Create(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const FusedKernel kernel, FusedKernel::Create(*body, target, {}));
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> in_bytes, BytesOf(*body, body->parameters(), true));
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> out_bytes, BytesOf(*body, body->results(), false));
  BURIN_ASSIGN_OR_RETURN(std::vector<AlignedBuffer> in, MakeBuffers(in_bytes));
  BURIN_ASSIGN_OR_RETURN(std::vector<AlignedBuffer> out, MakeBuffers(out_bytes));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer scratch, AlignedBuffer::Create(kernel.scratch_bytes() + 64, 4096));
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
  for (const AlignedBuffer& buffer : in) inputs.push_back(buffer.data());
  for (AlignedBuffer& buffer : out) outputs.push_back(buffer.data());
  // Half of what is moved is read by the loop, half written.
  const int64_t half = (Sum(in_bytes) + Sum(out_bytes)) / 2;
  BURIN_ASSIGN_OR_RETURN(std::vector<AlignedBuffer> sides, MakeBuffers({half, half}));
  const auto block = static_cast<int64_t>(jit::CopyLoop::kBlockBytes);
  const int64_t blocks = (half - 1) / block + 1;
  const int64_t inner = std::max<int64_t>(1, (int64_t{64} << 10) / half);
  const double units = static_cast<double>(half * inner);
  const jit::Contender contenders[] = {
      {"loop", [&](int64_t repeats) { loop.Run(sides[0].data(), sides[1].data(), blocks, repeats * inner); },
       static_cast<double>(blocks * block * inner)},
      {"kernel",
       [&](int64_t repeats) {
         for (int64_t i = 0; i < repeats * inner; ++i) kernel.Run(inputs, outputs, scratch.data(), 0, kernel.items());
       },
       units},
  };
  jit::SamplerOptions options;
  options.rounds = 11;
  options.max_seconds = 1;
  options.attempts = 10;
  const std::vector<jit::Samples> samples = jit::SampleInterleaved(contenders, options, instruments);
  std::vector<double> shares;
  for (size_t round = 0; round < samples[0].cycles.size(); ++round) {
    if (!samples[0].cycles[round].has_value() || !samples[1].cycles[round].has_value()) continue;
    shares.push_back(*samples[0].cycles[round] / samples[0].units_per_repeat * units / *samples[1].cycles[round]);
  }
  if (shares.empty()) return absl::CancelledError("every sample was disturbed");
  std::nth_element(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2), shares.end());
  const int64_t largest = std::max(*std::max_element(in_bytes.begin(), in_bytes.end()),
                                   *std::max_element(out_bytes.begin(), out_bytes.end()));
  state.counters["share"] = shares[shares.size() / 2];
  state.counters["cycles/16"] = *samples[1].CyclesAt(0.5) / static_cast<double>(largest / 64 * inner);
  return absl::OkStatus();
}

void Register(const std::string& name, std::string text) {
  benchmark::RegisterBenchmark(name.c_str(), [text = std::move(text)](benchmark::State& state) {
    for (auto _ : state) {
      const absl::Status status = Measure(text, state);
      if (!status.ok()) {
        state.SkipWithError(status.ToString().c_str());
        break;
      }
    }
  })->Iterations(1);
}

// Registers a body for several shapes [ROWS,WIDTH].
void RegisterRows(absl::string_view name, absl::string_view nodes, const std::vector<std::pair<int, int>>& shapes) {
  for (const auto& [rows, width] : shapes) {
    const std::string body = absl::StrReplaceAll(
        nodes, {{"ROWS", absl::StrCat(rows)}, {"WIDTH", absl::StrCat(width)}, {"HALF", absl::StrCat(width / 2)}});
    Register(absl::StrCat(name, "/", rows, "x", width), absl::StrCat("model \"\" {\n", body, "\n}"));
  }
}

// Compiles a body anew in each iteration: from the body of primitive operations to loaded code.
absl::Status Compile(absl::string_view text, benchmark::State& state) {
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> body, ir::ParseModel(text));
  BURIN_RETURN_IF_ERROR(Decompose(*body));
  BURIN_ASSIGN_OR_RETURN(const jit::Target target, jit::Target::Host());
  for (auto _ : state) {
    jit::CodeCache cache(size_t{1} << 24);
    FusedKernel::Options options;
    options.code_cache = &cache;
    BURIN_RETURN_IF_ERROR(FusedKernel::Create(*body, target, options).status());
  }
  return absl::OkStatus();
}

void RegisterCompilation(const std::string& name, std::string text) {
  benchmark::RegisterBenchmark(name.c_str(), [text = std::move(text)](benchmark::State& state) {
    const absl::Status status = Compile(text, state);
    if (!status.ok()) state.SkipWithError(status.ToString().c_str());
  })->Unit(benchmark::kMicrosecond);
}

// Returns a body of `count` operations, one after the other, of all prices.
std::string Chain(int count) {
  static constexpr absl::string_view kOps[] = {"Multiply(%X, %0)", "Sigmoid(%X)", "Add(%X, %1)",
                                               "Tanh(%X)",         "Abs(%X)",     "Maximum(%X, %1)"};
  std::string text =
      "model \"chain\" {\n%0 \"x\" = Parameter() {element_type = f32, shape = [128,768]}\n"
      "%1 \"y\" = Parameter() {element_type = f32, shape = [768]}\n";
  for (int i = 0; i < count; ++i) {
    const std::string previous = absl::StrCat("%", i == 0 ? 0 : i + 1);
    absl::StrAppend(&text, "%", i + 2, " = ",
                    absl::StrReplaceAll(kOps[static_cast<size_t>(i) % std::size(kOps)], {{"%X", previous}}), "\n");
  }
  absl::StrAppend(&text, "%", count + 2, " \"out\" = Result(%", count + 1, ")\n}");
  return text;
}

void RegisterAll() {
  for (const int count : {1, 10, 30}) RegisterCompilation(absl::StrCat("compile/chain/", count), Chain(count));
  const std::vector<std::pair<int, int>> chains = {{1, 2048}, {128, 768}, {1024, 768}};
  RegisterRows("add_relu", R"(%0 "x" = Parameter() {element_type = f32, shape = [ROWS,WIDTH]}
    %1 "y" = Parameter() {element_type = f32, shape = [ROWS,WIDTH]}
    %2 = Add(%0, %1)
    %3 = Relu(%2)
    %4 "out" = Result(%3))",
               chains);
  RegisterRows("exp", R"(%0 "x" = Parameter() {element_type = f32, shape = [ROWS,WIDTH]}
    %1 = Exp(%0)
    %2 "out" = Result(%1))",
               {{1, 2048}, {1536, 128}});
  RegisterRows("bias_gelu", R"(%0 "x" = Parameter() {element_type = f32, shape = [ROWS,WIDTH]}
    %1 "y" = Parameter() {element_type = f32, shape = [WIDTH]}
    %2 = Add(%0, %1)
    %3 = Gelu(%2)
    %4 "out" = Result(%3))",
               chains);
  RegisterRows("swish_gate", R"(%0 "x" = Parameter() {element_type = f32, shape = [ROWS,WIDTH]}
    %1 "y" = Parameter() {element_type = f32, shape = [ROWS,WIDTH]}
    %2 = Swish(%0)
    %3 = Multiply(%2, %1)
    %4 "out" = Result(%3))",
               chains);
  RegisterRows("softmax", R"(%0 "x" = Parameter() {element_type = f32, shape = [ROWS,WIDTH]}
    %1 = Softmax(%0) {axis = 1}
    %2 "out" = Result(%1))",
               {{128, 64}, {1536, 128}, {1536, 197}, {512, 384}, {100, 1000}, {1, 32000}, {4096, 1024}});
  RegisterRows("masked_softmax", R"(%0 "x" = Parameter() {element_type = f32, shape = [12,ROWS,WIDTH]}
    %1 "mask" = Parameter() {element_type = f32, shape = [ROWS,WIDTH]}
    %2 = Constant() {value = f32[]{0.125}}
    %3 = Multiply(%0, %2)
    %4 = Add(%3, %1)
    %5 = Softmax(%4) {axis = 2}
    %6 "out" = Result(%5))",
               {{128, 128}, {384, 384}});
  constexpr absl::string_view kLayerNorm = R"(%0 "x" = Parameter() {element_type = f32, shape = [ROWS,WIDTH]}
    %1 "scale" = Parameter() {element_type = f32, shape = [WIDTH]}
    %2 "shift" = Parameter() {element_type = f32, shape = [WIDTH]}
    %3 = Constant() {value = i64[1]{1}}
    %4 = MVN(%0, %3) {normalize_variance = true, eps = 1e-5, eps_mode = inside_sqrt}
    %5 = Multiply(%4, %1)
    %6 = Add(%5, %2)
    %7 "out" = Result(%6))";
  RegisterRows("layer_norm", kLayerNorm, {{128, 128}, {128, 384}, {128, 768}, {384, 1024}, {4096, 1024}});
  RegisterRows("rotary", R"(%0 "x" = Parameter() {element_type = f32, shape = [ROWS,WIDTH]}
    %1 "cos" = Parameter() {element_type = f32, shape = [ROWS,HALF]}
    %2 "sin" = Parameter() {element_type = f32, shape = [ROWS,HALF]}
    %3 = Constant() {value = i64[]{-1}}
    %4 = Split(%0, %3) {num_splits = 2}
    %6 = Multiply(%4.0, %1)
    %7 = Multiply(%4.1, %2)
    %8 = Subtract(%6, %7)
    %9 = Multiply(%4.1, %1)
    %10 = Multiply(%4.0, %2)
    %11 = Add(%9, %10)
    %12 = Concat(%8, %11) {axis = -1}
    %13 "out" = Result(%12))",
               {{1024, 64}, {1024, 128}});
}

const bool kRegistered = [] {
  RegisterAll();
  return true;
}();

}  // namespace
}  // namespace burin::snippets

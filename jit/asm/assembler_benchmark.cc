// Measures how long it takes to generate and load kernels: a typical one is to take less than 100 us.
#include "jit/asm/assembler.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/check.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/code_memory.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/isa/isa.h"

namespace burin::jit {
namespace {

struct Args {
  const float* a;
  const float* b;
  float* c;
  int64_t depth;
  int64_t stride;
};

// The shape of a matrix kernel: `rows` x 2 vectors of accumulators, `unroll` steps a turn of the loop.
absl::StatusOr<CodeBlob> GenerateTile(const IsaSet& isa, int rows, int unroll) {
  Assembler code("tile", isa);
  AbiFrame frame(code);
  {
    RegPool& regs = code.regs();
    const GprReg a = regs.Gpr("a");
    const GprReg b = regs.Gpr("b");
    const GprReg c = regs.Gpr("c");
    const GprReg depth = regs.Gpr("depth");
    frame.Load(a, BURIN_ARG_FIELD(Args, a));
    frame.Load(b, BURIN_ARG_FIELD(Args, b));
    frame.Load(c, BURIN_ARG_FIELD(Args, c));
    frame.Load(depth, BURIN_ARG_FIELD(Args, depth));
    const int bytes = regs.vector_bits() / 8;
    std::vector<VecReg> acc;
    for (int i = 0; i < 2 * rows; ++i) {
      acc.push_back(regs.Vec("acc" + std::to_string(i)));
      code.vxorps(acc.back(), acc.back(), acc.back());
    }
    const VecReg b0 = regs.Vec("b0");
    const VecReg b1 = regs.Vec("b1");
    const VecReg element = regs.Vec("element");
    Label loop;
    code.Align(32);
    code.Bind(loop);
    for (int step = 0; step < unroll; ++step) {
      code.vmovups(b0, ptr[b + 2 * bytes * step]);
      code.vmovups(b1, ptr[b + 2 * bytes * step + bytes]);
      for (int row = 0; row < rows; ++row) {
        code.vbroadcastss(element, ptr[a + 4096 * row + 4 * step]);
        code.vfmadd231ps(acc[static_cast<size_t>(2 * row)], element, b0);
        code.vfmadd231ps(acc[static_cast<size_t>(2 * row + 1)], element, b1);
      }
    }
    code.add(a, 4 * unroll);
    code.add(b, 2 * bytes * unroll);
    code.sub(depth, unroll);
    code.jnz(loop);
    for (int i = 0; i < 2 * rows; ++i) {
      VecReg& sum = acc[static_cast<size_t>(i)];
      code.vmaxps(sum, sum, code.Repeated(0.0f, static_cast<size_t>(bytes)));
      code.vminps(sum, sum, code.Repeated(6.0f, static_cast<size_t>(bytes)));
      code.vmovups(ptr[c + bytes * i], sum);
    }
  }
  frame.Finish();
  return std::move(code).Finalize();
}

// Generates a kernel of about 90 (unroll 4) or more instructions; reports them a second.
void BM_Generate(benchmark::State& state) {
  const IsaSet isa = IsaSet::From(IsaLevel::kAvx2);
  size_t bytes = 0;
  for (auto _ : state) {
    const absl::StatusOr<CodeBlob> blob = GenerateTile(isa, 6, static_cast<int>(state.range(0)));
    BURIN_CHECK_OK(blob);
    bytes = blob->bytes.size();
    benchmark::DoNotOptimize(blob->bytes.data());
  }
  state.counters["code_bytes"] = static_cast<double>(bytes);
}
BENCHMARK(BM_Generate)->Arg(1)->Arg(4)->Arg(16)->Arg(64);

// Generates and loads, as a miss of the code cache does.
void BM_GenerateAndLoad(benchmark::State& state) {
  const IsaSet isa = IsaSet::From(IsaLevel::kAvx2);
  for (auto _ : state) {
    const absl::StatusOr<CodeBlob> blob = GenerateTile(isa, 6, static_cast<int>(state.range(0)));
    BURIN_CHECK_OK(blob);
    const absl::StatusOr<ExecutableCode> kernel = ExecutableCode::Load(*blob);
    BURIN_CHECK_OK(kernel);
    benchmark::DoNotOptimize(kernel->address());
  }
}
BENCHMARK(BM_GenerateAndLoad)->Arg(4)->Arg(16);

// Makes and drops an Assembler without code.
void BM_Empty(benchmark::State& state) {
  const IsaSet isa = IsaSet::From(IsaLevel::kAvx2);
  for (auto _ : state) {
    Assembler code("empty", isa);
    benchmark::DoNotOptimize(code.offset());
  }
}
BENCHMARK(BM_Empty);

}  // namespace
}  // namespace burin::jit

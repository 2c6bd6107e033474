// Measures what it costs to find code that is there: less than 100 ns is aimed at.
#include "jit/code_cache.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "base/check.h"
#include "base/hash.h"
#include "jit/asm/code_blob.h"
#include "jit/code_key.h"
#include "jit/isa/isa.h"

namespace burin::jit {
namespace {

constexpr int kKernels = 1000;

CodeKey Key(int number) {
  Hasher spec;
  spec.UpdateInt(number);
  return CodeKey::Of("benchmark", IsaSet(), spec.Finish());
}

absl::StatusOr<CodeBlob> Return() {
  CodeBlob blob;
  blob.name = "return";
  blob.bytes = {0xc3};
  blob.code_bytes = 1;
  return blob;
}

// A thousand keys, each of which has its code.
std::vector<CodeKey> FilledKeys() {
  std::vector<CodeKey> keys;
  for (int k = 0; k < kKernels; ++k) {
    keys.push_back(Key(k));
    BURIN_CHECK_OK(CodeCache::Process().GetOrGenerate(keys.back(), &Return));
  }
  return keys;
}

// Asks for code and gives it back; where `held`, somebody else holds it all the while.
void HitBenchmark(benchmark::State& state, bool held) {
  CodeCache& cache = CodeCache::Process();
  const std::vector<CodeKey> keys = FilledKeys();
  std::vector<CachedCode> holders;
  if (held) {
    for (const CodeKey& key : keys) holders.push_back(cache.Find(key));
  }
  size_t next = 0;
  for (auto _ : state) {
    absl::StatusOr<CachedCode> code = cache.GetOrGenerate(keys[next], &Return);
    benchmark::DoNotOptimize(code);
    next = next + 1 == keys.size() ? 0 : next + 1;
  }
}

void HitIdle(benchmark::State& state) { HitBenchmark(state, false); }
void HitHeld(benchmark::State& state) { HitBenchmark(state, true); }
BENCHMARK(HitIdle)->Threads(1)->Threads(2);
BENCHMARK(HitHeld)->Threads(1)->Threads(2);

// The key of a small spec, which every request makes first.
void MakeKey(benchmark::State& state) {
  int number = 0;
  for (auto _ : state) benchmark::DoNotOptimize(Key(++number));
}
BENCHMARK(MakeKey);

}  // namespace
}  // namespace burin::jit

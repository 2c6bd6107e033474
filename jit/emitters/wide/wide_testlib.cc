#include "jit/emitters/wide/wide_testlib.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

constexpr int kMostInputs = 3;

// The loop takes so many vectors at most, of so many elements at most.
constexpr size_t kMostVectors = 4;
constexpr size_t kPadding = kMostVectors * VecAvx512::kLanes;

struct WideArgs {
  void* out;
  int64_t blocks;
  const void* in[kMostInputs];
};
BURIN_ARG_OFFSET(WideArgs, out, 0);
BURIN_ARG_OFFSET(WideArgs, blocks, 8);
BURIN_ARG_OFFSET(WideArgs, in, 16);

void EmitFor(VecAvx2& v, const WideFunction& function, const VecGroup& to, absl::Span<const VecGroup> inputs) {
  function.avx2(v, to, inputs);
}
void EmitFor(VecAvx512& v, const WideFunction& function, const VecGroup& to, absl::Span<const VecGroup> inputs) {
  function.avx512(v, to, inputs);
}

int RegsOf(bool wide, int vectors) { return wide ? kWideRegs * vectors : vectors; }

template <class V>
absl::StatusOr<CodeBlob> Generate(const WideFunction& function, const Target& target, int vectors) {
  Assembler code(absl::StrCat("wide_", function.name), target.isa());
  AbiFrame frame(code);
  {
    V v(code, target);
    const GprReg out = code.regs().Gpr("out");
    const GprReg blocks = code.regs().Gpr("blocks");
    std::vector<GprReg> in;
    frame.Load(out, BURIN_ARG_FIELD(WideArgs, out));
    frame.Load(blocks, BURIN_ARG_FIELD(WideArgs, blocks));
    for (size_t i = 0; i < function.inputs.size(); ++i) {
      in.push_back(code.regs().Gpr("in"));
      code.mov(in.back(), ptr[frame.args() + static_cast<int>(offsetof(WideArgs, in) + i * 8)]);
    }
    frame.ReleaseArgs();
    Label loop;
    code.Bind(loop);
    {
      std::vector<VecRegs> regs;
      std::vector<VecGroup> groups;
      for (size_t i = 0; i < in.size(); ++i) {
        regs.push_back(v.New("in", RegsOf(function.inputs[i], vectors)));
        groups.emplace_back(regs.back());
        for (int k = 0; k < groups.back().size(); ++k) v.Load(groups.back()[k], ptr[in[i] + k * V::kBits / 8]);
        code.add(in[i], groups.back().size() * V::kBits / 8);
      }
      const VecRegs to = v.New("to", RegsOf(function.output, vectors));
      EmitFor(v, function, to, groups);
      for (int k = 0; k < to.size(); ++k) v.Store(ptr[out + k * V::kBits / 8], to[k]);
      code.add(out, to.size() * V::kBits / 8);
    }
    code.sub(blocks, 1);
    code.jnz(loop);
  }
  frame.Finish();
  return std::move(code).Finalize();
}

// Puts elements side by side, padded to whole blocks.
std::vector<char> Pack(const std::vector<uint64_t>& elements, bool wide, size_t padded) {
  const size_t bytes = wide ? 8 : 4;
  std::vector<char> packed(padded * bytes);
  for (size_t i = 0; i < elements.size(); ++i) std::memcpy(&packed[i * bytes], &elements[i], bytes);
  return packed;
}

// Says whether the result of a tuple is right.
using Judge = std::function<bool(size_t tuple, uint64_t got)>;

bool IsSame(uint64_t got, uint64_t expected, WideResult result) {
  if (result == WideResult::kF64 && std::isnan(AsF64(got)) && std::isnan(AsF64(expected))) return true;
  if (result == WideResult::kF32 && std::isnan(absl::bit_cast<float>(static_cast<uint32_t>(got))) &&
      std::isnan(absl::bit_cast<float>(static_cast<uint32_t>(expected)))) {
    return true;
  }
  return got == expected;
}

void ExpectAt(const WideFunction& function, const Target& target, int vectors,
              const std::vector<std::vector<uint64_t>>& inputs, const std::vector<uint64_t>& expected,
              const Judge& is_right) {
  const bool is_512 = target.Supports(IsaLevel::kAvx512);
  const absl::StatusOr<CodeBlob> blob =
      is_512 ? Generate<VecAvx512>(function, target, vectors) : Generate<VecAvx2>(function, target, vectors);
  // One vector has to fit; more need not.
  if (!blob.ok() && vectors > 1 && absl::IsResourceExhausted(blob.status())) return;
  ASSERT_OK(blob);
  ASSERT_OK_AND_ASSIGN(const ExecutableCode code, ExecutableCode::Load(*blob));
  const size_t count = expected.size();
  const size_t padded = (count + kPadding - 1) / kPadding * kPadding * 3;
  std::vector<std::vector<char>> packed;
  WideArgs args = {};
  for (size_t i = 0; i < inputs.size(); ++i) {
    packed.push_back(Pack(inputs[i], function.inputs[i], padded));
    args.in[i] = packed.back().data();
  }
  std::vector<char> out(padded * 8);
  const size_t lanes = static_cast<size_t>(vectors) * (is_512 ? VecAvx512::kLanes : VecAvx2::kLanes);
  args.out = out.data();
  args.blocks = static_cast<int64_t>((count + lanes - 1) / lanes);
  code.entry<void (*)(const WideArgs*)>()(&args);
  const size_t bytes = function.output ? 8 : 4;
  int wrong = 0;
  for (size_t i = 0; i < count && wrong < 10; ++i) {
    uint64_t got = 0;
    std::memcpy(&got, &out[i * bytes], bytes);
    if (is_right(i, got)) continue;
    std::string tuple;
    for (const std::vector<uint64_t>& input : inputs) absl::StrAppendFormat(&tuple, " 0x%016x", input[i]);
    ++wrong;
    ADD_FAILURE() << function.name << ", " << target.level() << ", vectors: " << vectors << ", inputs" << tuple
                  << absl::StrFormat(": got 0x%016x, expected 0x%016x", got, expected[i]);
  }
}

// Returns any double, or a moderate one.
uint64_t DrawF64(std::mt19937_64& random) {
  if (random() % 2 == 0) return random();
  return Bits64(std::uniform_real_distribution<double>(-40, 40)(random));
}

std::vector<std::vector<uint64_t>> Tuples(const std::vector<uint64_t>& borders, size_t inputs,
                                          const std::function<uint64_t(std::mt19937_64&)>& draw) {
  std::vector<std::vector<uint64_t>> tuples(inputs);
  const uint64_t seed = std::random_device()();
  std::cout << "seed " << seed << "\n";
  std::mt19937_64 random(seed);
  if (inputs == 1) {
    tuples[0] = borders;
  } else {
    for (const uint64_t a : borders) {
      for (const uint64_t b : borders) {
        tuples[0].push_back(a);
        tuples[1].push_back(b);
      }
    }
  }
  for (int i = 0; i < 20000; ++i) {
    for (std::vector<uint64_t>& column : tuples) column.push_back(draw(random));
  }
  return tuples;
}

}  // namespace

void ExpectWide(const WideFunction& function, const std::vector<std::vector<uint64_t>>& inputs,
                const WideReference& reference, WideResult result) {
  ASSERT_EQ(inputs.size(), function.inputs.size());
  ASSERT_LE(inputs.size(), static_cast<size_t>(kMostInputs));
  std::vector<uint64_t> expected;
  std::vector<uint64_t> tuple(inputs.size());
  for (size_t i = 0; i < inputs.front().size(); ++i) {
    for (size_t k = 0; k < inputs.size(); ++k) tuple[k] = inputs[k][i];
    const uint64_t bits = reference(tuple);
    expected.push_back(function.output ? bits : bits & 0xFFFFFFFF);
  }
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (int vectors = 1; vectors <= static_cast<int>(kMostVectors); ++vectors) {
    ExpectAt(function, target, vectors, inputs, expected,
             [&](size_t tuple, uint64_t got) { return IsSame(got, expected[tuple], result); });
  }
}

void ExpectWithinUlps(const WideFunction& function, const std::function<long double(long double)>& exact,
                      double bound) {
  const std::vector<std::vector<uint64_t>> inputs = Tuples(F64Borders(), 1, DrawF64);
  std::vector<long double> exactly;
  std::vector<uint64_t> expected;
  for (const uint64_t bits : inputs[0]) {
    exactly.push_back(exact(AsF64(bits)));
    expected.push_back(Bits64(static_cast<double>(exactly.back())));
  }
  double worst = 0;
  const auto is_right = [&](size_t tuple, uint64_t bits) {
    const double got = AsF64(bits);
    const double rounded = AsF64(expected[tuple]);
    if (std::isnan(rounded)) return std::isnan(got);
    if (!std::isfinite(rounded) || !std::isfinite(got)) return got == rounded;
    const int exponent = rounded == 0 ? -1022 : std::max(std::ilogb(rounded), -1022);
    const long double error = std::abs(static_cast<long double>(got) - exactly[tuple]);
    const auto ulps = static_cast<double>(std::ldexp(error, 52 - exponent));
    worst = std::max(worst, ulps);
    return ulps <= bound;
  };
  ASSERT_OK_AND_ASSIGN(const Target target, Target::Host());
  for (int vectors = 1; vectors <= static_cast<int>(kMostVectors); ++vectors) {
    ExpectAt(function, target, vectors, inputs, expected, is_right);
  }
  std::cout << function.name << ": max error " << worst << " ulp\n";
}

void ExpectWideI64(const WideFunction& function, const WideReference& reference, WideResult result) {
  const auto draw = [](std::mt19937_64& random) {
    // Of any size: the bits are random, and so is how many there are.
    const auto bits = AsI64(random());
    return static_cast<uint64_t>(bits >> (random() % 64));
  };
  ExpectWide(function, Tuples(I64Borders(), function.inputs.size(), draw), reference, result);
}

void ExpectWideF64(const WideFunction& function, const WideReference& reference, WideResult result) {
  ExpectWide(function, Tuples(F64Borders(), function.inputs.size(), DrawF64), reference, result);
}

std::vector<uint64_t> I64Borders() {
  std::vector<uint64_t> values;
  for (int bit = 0; bit < 64; ++bit) {
    for (const uint64_t offset : {~uint64_t{0}, uint64_t{0}, uint64_t{1}}) {
      values.push_back((uint64_t{1} << bit) + offset);
      values.push_back(0 - ((uint64_t{1} << bit) + offset));
    }
  }
  for (uint64_t i = 3; i < 12; ++i) values.push_back(i * 0x0123456789ABCDEF);
  return values;
}

std::vector<uint64_t> F64Borders() {
  std::vector<uint64_t> values;
  using Limits = std::numeric_limits<double>;
  for (const double value : {0.0,
                             Limits::denorm_min(),
                             Limits::min(),
                             Limits::max(),
                             Limits::infinity(),
                             Limits::quiet_NaN(),
                             0.5,
                             1.0,
                             1.5,
                             2.5,
                             3.0,
                             0x1.fffffffffffffp-2,
                             0x1p52,
                             0x1p52 + 1,
                             0x1p53,
                             0x1p31,
                             0x1p31 - 1,
                             0x1p31 + 0.5,
                             0x1p32,
                             0x1p62,
                             0x1p63,
                             0x1p64,
                             0x1.fffffffffffffp62,
                             65504.0,
                             65520.0,
                             0x1p-24,
                             0x1p-25,
                             0x1p-126,
                             0x1p-133,
                             0x1p-149,
                             0x1p-150,
                             0x1.fffffep127,
                             0x1.ffffffp127,
                             127.5,
                             255.5,
                             32768.5,
                             1e300,
                             1e-300,
                             0x1.001p0,
                             0x1.00100001p0,
                             0x1.01p0,
                             0x1.0100000001p0,
                             0x1.000001p0,
                             0x1.00000100001p0}) {
    values.push_back(Bits64(value));
    values.push_back(Bits64(-value));
    values.push_back(Bits64(std::nextafter(value, 1e308)));
  }
  values.push_back(0x7FF0000000000001);
  return values;
}

}  // namespace burin::jit

#include "jit/emitters/unary_testlib.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "base/float_conversion.h"
#include "base/status_macros.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

struct UnaryArgs {
  const float* in;
  float* out;
  int64_t count;
};
BURIN_ARG_OFFSET(UnaryArgs, in, 0);
BURIN_ARG_OFFSET(UnaryArgs, out, 8);
BURIN_ARG_OFFSET(UnaryArgs, count, 16);

template <class V>
absl::StatusOr<CodeBlob> Generate(const std::string& name, const IsaSet& isa, void (*emit)(V&, const Xmm&)) {
  Assembler code(name, isa);
  AbiFrame frame(code);
  {
    V v(code);
    const GprReg in = code.regs().Gpr("in");
    const GprReg out = code.regs().Gpr("out");
    const GprReg count = code.regs().Gpr("count");
    frame.Load(in, BURIN_ARG_FIELD(UnaryArgs, in));
    frame.Load(out, BURIN_ARG_FIELD(UnaryArgs, out));
    frame.Load(count, BURIN_ARG_FIELD(UnaryArgs, count));
    const VecReg x = v.New("x");
    Label vectors;
    Label tail;
    code.sub(count, V::kLanes);
    code.jl(tail);
    code.Align(16);
    code.Bind(vectors);
    v.Load(x, ptr[in]);
    emit(v, x);
    v.Store(ptr[out], x);
    code.add(in, V::kBits / 8);
    code.add(out, V::kBits / 8);
    code.sub(count, V::kLanes);
    code.jge(vectors);
    code.Bind(tail);
    code.add(count, V::kLanes);
    code.jz(frame.exit());
    const typename V::Mask mask = v.NewMask("tail");
    {
      const GprReg scratch = code.regs().Gpr("scratch");
      v.SetMaskFor(mask, count, scratch);
    }
    v.LoadMasked(x, mask, ptr[in]);
    emit(v, x);
    v.StoreMasked(ptr[out], mask, x);
  }
  frame.Finish();
  return std::move(code).Finalize();
}

}  // namespace

absl::StatusOr<UnaryKernel> UnaryKernel::Create(const UnaryFunction& function, IsaLevel level) {
  const IsaSet isa = IsaSet::From(level);
  const std::string name = absl::StrCat(function.name, "_", std::string(Name(level)));
  BURIN_ASSIGN_OR_RETURN(const CodeBlob blob, isa.Supports(IsaLevel::kAvx512)
                                                  ? Generate<VecAvx512>(name, isa, function.avx512)
                                                  : Generate<VecAvx2>(name, isa, function.avx2));
  BURIN_ASSIGN_OR_RETURN(ExecutableCode code, ExecutableCode::Load(blob));
  return UnaryKernel(std::move(code));
}

void UnaryKernel::Run(const float* in, float* out, int64_t count) const {
  const UnaryArgs args = {in, out, count};
  code_.entry<void (*)(const UnaryArgs*)>()(&args);
}

std::string UnaryError::ToString() const {
  return absl::StrFormat("max error %.4g at %a = %.9g: got %.9g, expected %.9g; mean %.3g of %d", error, input, input,
                         result, static_cast<double>(expected), count == 0 ? 0 : sum / static_cast<double>(count),
                         count);
}

double ErrorOf(const UnaryFunction& function, float input, float result, long double expected) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (std::isnan(expected) || std::isnan(result)) return std::isnan(expected) && std::isnan(result) ? 0 : kWrong;
  if (std::isinf(expected)) return static_cast<long double>(result) == expected ? 0 : kWrong;
  // An exact zero has a sign; so has one that a result rounds to.
  if (result == 0 && std::signbit(result) != std::signbit(expected) && function.unit == ErrorUnit::kUlp) return kWrong;
  // Infinity is right for what rounds to it: count both as the first power of two without a float.
  constexpr long double kTop = 0x1p+128L;
  const long double wanted = std::clamp(expected, -kTop, kTop);
  const long double got = std::isinf(result) ? std::copysign(kTop, static_cast<long double>(result)) : result;
  const long double difference = std::abs(got - wanted);
  if (difference == 0) return 0;
  if (function.unit == ErrorUnit::kInput) {
    return static_cast<double>(difference / std::max(1.0L, std::abs(static_cast<long double>(input))));
  }
  const int exponent = wanted == 0 ? -126 : std::clamp(std::ilogb(wanted), -126, 127);
  return static_cast<double>(std::ldexp(difference, 23 - exponent));
}

void CompareAll(const UnaryFunction& function, const UnaryKernel& kernel, absl::Span<const float> inputs,
                UnaryError& worst) {
  std::vector<float> results(inputs.size());
  kernel.Run(inputs.data(), results.data(), static_cast<int64_t>(inputs.size()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    const long double expected = function.reference(inputs[i]);
    const double error = ErrorOf(function, inputs[i], results[i], expected);
    if (std::isfinite(error)) worst.sum += error;
    ++worst.count;
    if (!(error <= worst.error)) {
      worst.error = error;
      worst.input = inputs[i];
      worst.result = results[i];
      worst.expected = expected;
    }
  }
}

std::vector<float> SixteenBitInputs() {
  std::vector<float> inputs;
  inputs.reserve(size_t{2} << 16);
  for (uint32_t bits = 0; bits < (1U << 16); ++bits) {
    inputs.push_back(static_cast<float>(DecodeF16(static_cast<uint16_t>(bits))));
    inputs.push_back(absl::bit_cast<float>(bits << 16));
  }
  return inputs;
}

std::vector<float> ExponentBoundaries() {
  std::vector<float> inputs;
  for (uint32_t sign_and_exponent = 0; sign_and_exponent < 512; ++sign_and_exponent) {
    for (const uint32_t mantissa : {0x0U, 0x1U, 0x2U, 0x3fffffU, 0x400000U, 0x400001U, 0x7ffffeU, 0x7fffffU}) {
      inputs.push_back(absl::bit_cast<float>((sign_and_exponent << 23) | mantissa));
    }
  }
  return inputs;
}

void CompareSpread(const UnaryFunction& function, const UnaryKernel& kernel, uint32_t seed, UnaryError& worst) {
  constexpr uint32_t kBlock = 1U << 14;
  std::vector<float> inputs(kBlock);
  for (uint32_t start = 0; start < (1U << 24); start += kBlock) {
    for (uint32_t i = 0; i < kBlock; ++i) {
      // The upper bits of a product by an odd number depend on all lower bits.
      const uint32_t upper = start + i;
      const uint32_t lower = ((upper ^ seed) * 0x9e3779b1U) >> 24;
      inputs[i] = absl::bit_cast<float>((upper << 8) | lower);
    }
    CompareAll(function, kernel, inputs, worst);
  }
}

absl::Status CheckTails(const UnaryKernel& kernel, int lanes) {
  const int64_t most = 3 * lanes + 1;
  std::vector<float> inputs(static_cast<size_t>(most));
  for (size_t i = 0; i < inputs.size(); ++i) inputs[i] = 0.125f * static_cast<float>(i + 1);
  std::vector<float> expected(inputs.size());
  kernel.Run(inputs.data(), expected.data(), most);
  for (int64_t count = 0; count <= most; ++count) {
    const size_t bytes = static_cast<size_t>(count) * sizeof(float);
    for (const GuardedEnd in_end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
      for (const GuardedEnd out_end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
        BURIN_ASSIGN_OR_RETURN(const GuardedBuffer in, GuardedBuffer::Create(bytes, in_end));
        BURIN_ASSIGN_OR_RETURN(const GuardedBuffer out, GuardedBuffer::Create(bytes, out_end));
        if (bytes != 0) std::memcpy(in.data(), inputs.data(), bytes);
        kernel.Run(in.As<const float>(), out.As<float>(), count);
        if (bytes != 0 && std::memcmp(out.data(), expected.data(), bytes) != 0) {
          return absl::InternalError(absl::StrCat("results depend on the number of elements: ", count));
        }
        // What is beyond a short result is writable memory only inside a longer one.
        std::vector<float> longer(static_cast<size_t>(count) + static_cast<size_t>(lanes), -7.0f);
        kernel.Run(in.As<const float>(), longer.data(), count);
        for (size_t i = static_cast<size_t>(count); i < longer.size(); ++i) {
          if (longer[i] != -7.0f) {
            return absl::InternalError(absl::StrCat("element written beyond the end: ", i, " of ", count));
          }
        }
      }
    }
  }
  return absl::OkStatus();
}

void ExpectValues(const UnaryFunction& function, absl::Span<const std::pair<float, float>> values) {
  const absl::StatusOr<Target> host = Target::Host();
  ASSERT_OK(host);
  std::vector<float> inputs;
  for (const auto& [input, expected] : values) inputs.push_back(input);
  for (const IsaLevel level : {IsaLevel::kAvx2, IsaLevel::kAvx512}) {
    if (!host->Supports(level)) continue;
    const absl::StatusOr<UnaryKernel> kernel = UnaryKernel::Create(function, level);
    ASSERT_OK(kernel);
    std::vector<float> results(inputs.size());
    kernel->Run(inputs.data(), results.data(), static_cast<int64_t>(inputs.size()));
    for (size_t i = 0; i < inputs.size(); ++i) {
      const float expected = values[i].second;
      const bool same = std::isnan(expected)
                            ? std::isnan(results[i])
                            : absl::bit_cast<uint32_t>(results[i]) == absl::bit_cast<uint32_t>(expected);
      EXPECT_TRUE(same) << function.name << " " << level << " of " << inputs[i] << ": got " << results[i]
                        << ", expected " << expected;
    }
  }
}

}  // namespace burin::jit

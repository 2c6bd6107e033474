#include "jit/emitters/row_testlib.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <map>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "base/float_conversion.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::jit {
namespace {

// Holds tuples of inputs, column by column: inputs[k][i] are the bits of input k of tuple i.
using Columns = std::vector<std::vector<uint32_t>>;

bool IsEmulated() {
  const char* const emulated = std::getenv("BURIN_EMULATED");
  return emulated != nullptr && *emulated != '\0';
}

// Returns how many tuples are taken of `count`.
uint32_t Sampled(uint32_t count) { return IsEmulated() ? count >> 8 : count; }

// Adds the numbers at the ends and in the middle of each exponent, of both signs.
void AppendFloatBoundaries(std::vector<uint32_t>& values) {
  for (uint32_t sign_and_exponent = 0; sign_and_exponent < 512; ++sign_and_exponent) {
    for (const uint32_t mantissa : {0x0U, 0x1U, 0x2U, 0x3fffffU, 0x400000U, 0x400001U, 0x7ffffeU, 0x7fffffU}) {
      values.push_back((sign_and_exponent << 23) | mantissa);
    }
  }
}

void AppendIntegerBoundaries(std::vector<uint32_t>& values) {
  for (int bit = 0; bit < 32; ++bit) {
    for (const uint32_t offset : {~0U, 0U, 1U}) {
      values.push_back((1U << bit) + offset);
      values.push_back(0U - ((1U << bit) + offset));
    }
  }
}

// Returns values for tuples: few enough that all pairs can be taken.
std::vector<uint32_t> TupleValues(LaneKind kind) {
  if (kind == LaneKind::kBool) return {0, 1};
  std::vector<uint32_t> values;
  if (kind == LaneKind::kI32) {
    AppendIntegerBoundaries(values);
    for (uint32_t i = 2; i < 16; ++i) values.push_back(i * 7);
    return values;
  }
  for (const float value : {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 2.5f, 3.0f, 4.0f, 5.0f, 7.0f, 0.1f, 0.9999999f, 1.0000001f,
                            31.0f, 88.5f, 1e9f, 16777216.0f, 8388607.5f, 2147483648.0f}) {
    values.push_back(Bits(value));
    values.push_back(Bits(-value));
  }
  for (const uint32_t sign : {0U, 0x80000000U}) {
    // The denormals and the greatest numbers, infinity, NaN of both kinds, and powers of two.
    for (const uint32_t bits : {0x1U, 0x7fffffU, 0x800000U, 0x7f7fffffU, 0x7f800000U, 0x7fc00000U, 0x7f800001U}) {
      values.push_back(sign | bits);
    }
    for (uint32_t exponent = 1; exponent < 255; exponent += 6) values.push_back(sign | (exponent << 23) | 0x2aaaaa);
  }
  return values;
}

// Runs kernels for all targets and collects what is worst.
class Comparison {
 public:
  explicit Comparison(const RowCase& row_case) : case_(row_case) {}

  // Generates the kernels.
  absl::Status Begin() {
    for (const Target& target : TargetsToTest()) {
      absl::StatusOr<RowKernel> kernel = RowKernel::Create(case_.entry.function, target);
      if (!kernel.ok()) return kernel.status();
      kernels_.push_back(*std::move(kernel));
      names_.push_back(absl::StrCat(std::string(Name(target.level())), " ", Name(target.microarch().id)));
    }
    return absl::OkStatus();
  }

  // Compares over all tuples.
  void Take(const Columns& columns) {
    const size_t count = columns.front().size();
    Reset(columns);
    std::vector<const void*> inputs;
    for (const std::vector<uint32_t>& column : columns) inputs.push_back(column.data());
    std::vector<uint32_t> results(count);
    for (size_t k = 0; k < kernels_.size(); ++k) {
      kernels_[k].Run(inputs, results.data(), static_cast<int64_t>(count));
      for (size_t i = 0; i < count; ++i) {
        if (in_domain_[i]) CompareOne(columns, i, results[i], names_[k]);
      }
    }
  }

  // Fails the current test where the worst error is above the bound, and prints it.
  void Report(absl::string_view what) const {
    const std::string found = absl::StrFormat("max error %.4g%s; mean %.3g of %d", worst_, worst_text_,
                                              count_ == 0 ? 0 : sum_ / static_cast<double>(count_), count_);
    EXPECT_TRUE(worst_ <= case_.entry.bound) << case_.entry.function.name << ", " << what << ": " << found;
    std::cout << case_.entry.function.name << ", " << what << ": " << found << "\n";
  }

 private:
  // Computes what is expected of each tuple.
  void Reset(const Columns& columns) {
    const size_t count = columns.front().size();
    in_domain_.assign(count, true);
    real_.assign(case_.reference.real ? count : 0, 0);
    bits_.assign(case_.reference.bits ? count : 0, 0);
    std::vector<uint32_t> bits(columns.size());
    std::vector<float> floats(columns.size());
    for (size_t i = 0; i < count; ++i) {
      for (size_t k = 0; k < columns.size(); ++k) {
        bits[k] = columns[k][i];
        floats[k] = absl::bit_cast<float>(bits[k]);
      }
      if (case_.reference.domain && !case_.reference.domain(floats)) {
        in_domain_[i] = false;
      } else if (case_.reference.real) {
        real_[i] = case_.reference.real(floats);
      } else {
        bits_[i] = case_.reference.bits(bits);
      }
    }
  }

  void CompareOne(const Columns& columns, size_t i, uint32_t result, const std::string& target) {
    constexpr double kWrong = std::numeric_limits<double>::infinity();
    const float got = absl::bit_cast<float>(result);
    double error = 0;
    if (case_.reference.real) {
      error = ErrorOf(case_.entry.unit, absl::bit_cast<float>(columns[0][i]), got, real_[i]);
    } else if (result != bits_[i]) {
      const bool both_nan =
          case_.entry.output == LaneKind::kF32 && std::isnan(got) && std::isnan(absl::bit_cast<float>(bits_[i]));
      error = both_nan ? 0 : kWrong;
    }
    ++count_;
    if (std::isfinite(error)) sum_ += error;
    if (error <= worst_) return;
    worst_ = error;
    worst_text_ = absl::StrCat(" (", target, ") at");
    for (size_t k = 0; k < columns.size(); ++k) {
      absl::StrAppend(&worst_text_, k == 0 ? " " : ", ", Show(columns[k][i], case_.entry.inputs[k]));
    }
    absl::StrAppend(&worst_text_, ": got ", Show(result, case_.entry.output), ", expected ",
                    case_.reference.real ? absl::StrFormat("%.12g", static_cast<double>(real_[i]))
                                         : Show(bits_[i], case_.entry.output));
  }

  static std::string Show(uint32_t bits, LaneKind kind) {
    if (kind != LaneKind::kF32) return absl::StrCat(absl::bit_cast<int32_t>(bits));
    return absl::StrFormat("%.9g (0x%08x)", absl::bit_cast<float>(bits), bits);
  }

  const RowCase& case_;
  std::vector<RowKernel> kernels_;
  std::vector<std::string> names_;
  // Of the present tuples.
  std::vector<bool> in_domain_;
  std::vector<long double> real_;
  std::vector<uint32_t> bits_;
  double worst_ = 0;
  double sum_ = 0;
  int64_t count_ = 0;
  std::string worst_text_;
};

void CompareUnary(const RowCase& row_case, uint32_t seed) {
  constexpr uint32_t kBlock = 1U << 14;
  const LaneKind kind = row_case.entry.inputs.front();
  {
    std::vector<uint32_t> values;
    for (uint32_t bits = 0; bits < (1U << 16); ++bits) {
      if (kind == LaneKind::kF32) {
        values.push_back(Bits(static_cast<float>(DecodeF16(static_cast<uint16_t>(bits)))));
        values.push_back(bits << 16);
      } else if (kind == LaneKind::kI32) {
        values.push_back(bits - (1U << 15));
      } else {
        values.push_back(bits & 1);
      }
    }
    if (kind == LaneKind::kF32) AppendFloatBoundaries(values);
    if (kind == LaneKind::kI32) AppendIntegerBoundaries(values);
    Comparison comparison(row_case);
    ASSERT_OK(comparison.Begin());
    comparison.Take({std::move(values)});
    comparison.Report("16-bit inputs and boundaries");
  }
  if (kind == LaneKind::kBool) return;
  Comparison comparison(row_case);
  ASSERT_OK(comparison.Begin());
  const uint32_t step = (1U << 24) / Sampled(1U << 24);
  for (uint32_t start = 0; start < (1U << 24); start += kBlock * step) {
    std::vector<uint32_t> values(kBlock);
    for (uint32_t i = 0; i < kBlock; ++i) {
      // The upper bits of a product by an odd number depend on all lower bits.
      const uint32_t upper = start + i * step;
      values[i] = (upper << 8) | (((upper ^ seed) * 0x9e3779b1U) >> 24);
    }
    comparison.Take({std::move(values)});
  }
  comparison.Report(absl::StrCat("spread inputs, seed ", seed));
}

void CompareAllTuples(const RowCase& row_case) {
  Comparison comparison(row_case);
  ASSERT_OK(comparison.Begin());
  std::vector<std::vector<uint32_t>> values;
  double tuples = 1;
  for (const LaneKind kind : row_case.entry.inputs) {
    values.push_back(TupleValues(kind));
    tuples *= static_cast<double>(values.back().size());
  }
  // More inputs take fewer values each.
  constexpr double kMostTuples = 1 << 20;
  for (size_t stride = 2; tuples > kMostTuples; ++stride) {
    tuples = 1;
    for (size_t k = 0; k < values.size(); ++k) {
      const std::vector<uint32_t> all = TupleValues(row_case.entry.inputs[k]);
      values[k].clear();
      for (size_t i = k % stride; i<all.size(); i += all.size()> 2 ? stride : 1) values[k].push_back(all[i]);
      tuples *= static_cast<double>(values[k].size());
    }
  }
  Columns columns(values.size());
  for (size_t index = 0; index < static_cast<size_t>(tuples); ++index) {
    size_t rest = index;
    for (size_t k = 0; k < values.size(); ++k) {
      columns[k].push_back(values[k][rest % values[k].size()]);
      rest /= values[k].size();
    }
  }
  comparison.Take(columns);
  comparison.Report("boundary tuples");
}

// Returns random bits of an element: of any number, of a moderate one, or of one near `other`.
uint32_t RandomBits(LaneKind kind, int way, uint32_t other, std::mt19937& random) {
  if (kind == LaneKind::kBool) return random() & 1;
  const uint32_t near = other + random() % 9 - 4;
  if (way == 0) return random();
  if (way == 1) return near;
  if (kind == LaneKind::kI32) return random() % 4096 - 2048;
  return Bits(std::uniform_real_distribution<float>(-16.0f, 16.0f)(random));
}

void CompareRandomTuples(const RowCase& row_case, uint32_t seed) {
  constexpr uint32_t kBlock = 1U << 13;
  Comparison comparison(row_case);
  ASSERT_OK(comparison.Begin());
  std::mt19937 random(seed);
  const uint32_t count = Sampled(1U << 22);
  for (uint32_t start = 0; start < count; start += kBlock) {
    Columns columns(row_case.entry.inputs.size(), std::vector<uint32_t>(kBlock));
    for (uint32_t i = 0; i < kBlock; ++i) {
      uint32_t previous = random();
      for (size_t k = 0; k < columns.size(); ++k) {
        previous = RandomBits(row_case.entry.inputs[k], static_cast<int>(i % 3), previous, random);
        columns[k][i] = previous;
      }
    }
    comparison.Take(columns);
  }
  comparison.Report(absl::StrCat("random tuples, seed ", seed));
}

// Returns inputs that no two kernels of a function should treat alike: small distinct numbers of the kind.
uint32_t TailInput(LaneKind kind, size_t i) {
  if (kind == LaneKind::kBool) return static_cast<uint32_t>(i % 3 == 0);
  if (kind == LaneKind::kI32) return static_cast<uint32_t>(i * 5 + 1);
  return Bits(0.125f * static_cast<float>(i + 1));
}

}  // namespace

RowReference RealReference(long double (*function)(long double x)) {
  RowReference reference;
  reference.real = [function](absl::Span<const float> inputs) { return function(inputs[0]); };
  return reference;
}

RowReference RealReference(long double (*function)(long double x, long double y)) {
  RowReference reference;
  reference.real = [function](absl::Span<const float> inputs) { return function(inputs[0], inputs[1]); };
  return reference;
}

RowReference FloatReference(float (*function)(float x)) {
  RowReference reference;
  reference.bits = [function](absl::Span<const uint32_t> inputs) {
    return Bits(function(absl::bit_cast<float>(inputs[0])));
  };
  return reference;
}

RowReference FloatReference(float (*function)(float x, float y)) {
  RowReference reference;
  reference.bits = [function](absl::Span<const uint32_t> inputs) {
    return Bits(function(absl::bit_cast<float>(inputs[0]), absl::bit_cast<float>(inputs[1])));
  };
  return reference;
}

RowReference I32Reference(int32_t (*function)(int32_t x)) {
  RowReference reference;
  reference.bits = [function](absl::Span<const uint32_t> inputs) {
    return absl::bit_cast<uint32_t>(function(absl::bit_cast<int32_t>(inputs[0])));
  };
  return reference;
}

RowReference I32Reference(int32_t (*function)(int32_t x, int32_t y)) {
  RowReference reference;
  reference.bits = [function](absl::Span<const uint32_t> inputs) {
    return absl::bit_cast<uint32_t>(function(absl::bit_cast<int32_t>(inputs[0]), absl::bit_cast<int32_t>(inputs[1])));
  };
  return reference;
}

std::ostream& operator<<(std::ostream& out, const RowCase& row_case) { return out << row_case.entry.function.name; }

std::vector<RowCase> JoinReferences(absl::Span<const CatalogueEntry> catalogue,
                                    const std::vector<std::pair<std::string, RowReference>>& references) {
  std::map<std::string, RowReference> by_name(references.begin(), references.end());
  std::vector<RowCase> cases;
  for (const CatalogueEntry& entry : catalogue) {
    const auto it = by_name.find(entry.function.name);
    BURIN_CHECK(it != by_name.end()) << "no reference for the emitter: " << entry.function.name;
    BURIN_CHECK(entry.inputs.size() == static_cast<size_t>(entry.function.inputs))
        << "kinds of inputs of the emitter: " << entry.function.name;
    cases.push_back({entry, it->second});
    by_name.erase(it);
  }
  BURIN_CHECK(by_name.empty()) << "no emitter for the reference: " << by_name.begin()->first;
  return cases;
}

std::string TestName(const RowCase& row_case) {
  std::string name;
  for (const char c : row_case.entry.function.name)
    name += absl::ascii_isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

std::vector<Target> TargetsToTest() {
  const absl::StatusOr<Target> host = Target::Host();
  BURIN_CHECK(host.ok()) << host.status();
  std::vector<Target> targets = {*host};
  if (!host->Supports(IsaLevel::kAvx512)) return targets;
  for (const MicroarchClass id : {MicroarchClass::kZen4, MicroarchClass::kSapphireRapids}) {
    if (id != host->microarch().id) targets.push_back(host->WithMicroarch(Microarch::Of(id)));
  }
  return targets;
}

void ExpectTouchesOnlyItsOperands(const CatalogueEntry& entry) {
  const size_t input_count = entry.inputs.size();
  for (const Target& target : TargetsToTest()) {
    ASSERT_OK_AND_ASSIGN(const RowKernel kernel, RowKernel::Create(entry.function, target));
    const int lanes = target.Supports(IsaLevel::kAvx512) ? VecAvx512::kLanes : VecAvx2::kLanes;
    const auto most = static_cast<size_t>((RowKernel::kVectors + 2) * lanes + 1);
    Columns values(input_count, std::vector<uint32_t>(most));
    std::vector<const void*> inputs;
    for (size_t k = 0; k < input_count; ++k) {
      for (size_t i = 0; i < most; ++i) values[k][i] = TailInput(entry.inputs[k], i + 3 * k);
      inputs.push_back(values[k].data());
    }
    std::vector<uint32_t> expected(most);
    kernel.Run(inputs, expected.data(), static_cast<int64_t>(most));
    for (size_t count = 0; count <= most; ++count) {
      for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
        std::vector<GuardedBuffer> buffers;
        std::vector<const void*> guarded;
        for (size_t k = 0; k < input_count; ++k) {
          ASSERT_OK_AND_ASSIGN(GuardedBuffer buffer, GuardedBuffer::Create(count * 4, end));
          if (count != 0) std::memcpy(buffer.data(), values[k].data(), count * 4);
          buffers.push_back(std::move(buffer));
          guarded.push_back(buffers.back().data());
        }
        ASSERT_OK_AND_ASSIGN(const GuardedBuffer out, GuardedBuffer::Create(count * 4, end));
        kernel.Run(guarded, out.data(), static_cast<int64_t>(count));
        ASSERT_TRUE(count == 0 || std::memcmp(out.data(), expected.data(), count * 4) == 0)
            << "results depend on the number of elements: " << count;
        for (size_t k = 0; k < input_count; ++k) {
          ASSERT_TRUE(count == 0 || std::memcmp(buffers[k].data(), values[k].data(), count * 4) == 0) << "input " << k;
        }
        // What is beyond a short result is writable memory only inside a longer one.
        std::vector<uint32_t> longer(count + static_cast<size_t>(lanes), 0x5eU);
        kernel.Run(guarded, longer.data(), static_cast<int64_t>(count));
        for (size_t i = count; i < longer.size(); ++i) ASSERT_EQ(longer[i], 0x5eU) << i << " of " << count;
        // In place of the last input.
        kernel.Run(guarded, buffers.back().data(), static_cast<int64_t>(count));
        ASSERT_TRUE(count == 0 || std::memcmp(buffers.back().data(), expected.data(), count * 4) == 0)
            << "in place, elements: " << count;
      }
    }
  }
}

void ExpectRight(const RowCase& row_case) {
  const uint32_t seed = std::random_device()();
  if (row_case.entry.inputs.size() == 1) {
    CompareUnary(row_case, seed);
    return;
  }
  CompareAllTuples(row_case);
  CompareRandomTuples(row_case, seed);
}

void ExpectValues(const RowFunction& function, absl::Span<const std::pair<float, float>> values) {
  std::vector<std::vector<uint32_t>> tuples;
  for (const auto& [input, expected] : values) tuples.push_back({Bits(input), Bits(expected)});
  ExpectBits(function, tuples);
}

void ExpectBits(const RowFunction& function, absl::Span<const std::vector<uint32_t>> tuples, LaneKind kind) {
  const auto input_count = static_cast<size_t>(function.inputs);
  Columns columns(input_count);
  for (const std::vector<uint32_t>& tuple : tuples) {
    ASSERT_EQ(tuple.size(), input_count + 1) << "a tuple holds the inputs and the result";
    for (size_t k = 0; k < input_count; ++k) columns[k].push_back(tuple[k]);
  }
  std::vector<const void*> inputs;
  for (const std::vector<uint32_t>& column : columns) inputs.push_back(column.data());
  for (const Target& target : TargetsToTest()) {
    ASSERT_OK_AND_ASSIGN(const RowKernel kernel, RowKernel::Create(function, target));
    std::vector<uint32_t> results(tuples.size());
    kernel.Run(inputs, results.data(), static_cast<int64_t>(tuples.size()));
    for (size_t i = 0; i < tuples.size(); ++i) {
      const uint32_t expected = tuples[i].back();
      const bool both_nan = kind == LaneKind::kF32 && std::isnan(absl::bit_cast<float>(expected)) &&
                            std::isnan(absl::bit_cast<float>(results[i]));
      EXPECT_TRUE(both_nan || results[i] == expected)
          << function.name << " " << target.level() << " " << target.microarch().id << ", tuple " << i << ": got "
          << absl::StrFormat("0x%08x = %.9g", results[i], absl::bit_cast<float>(results[i])) << ", expected "
          << absl::StrFormat("0x%08x = %.9g", expected, absl::bit_cast<float>(expected));
    }
  }
}

uint32_t Bits(float value) { return absl::bit_cast<uint32_t>(value); }

double ErrorOf(ErrorUnit unit, float input, float result, long double expected) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (std::isnan(expected) || std::isnan(result)) return std::isnan(expected) && std::isnan(result) ? 0 : kWrong;
  if (std::isinf(expected)) return static_cast<long double>(result) == expected ? 0 : kWrong;
  // An exact zero has a sign; so has one that a result rounds to.
  if (result == 0 && std::signbit(result) != std::signbit(expected) && unit == ErrorUnit::kUlp) return kWrong;
  // Infinity is right for what rounds to it: count both as the first power of two without a float.
  constexpr long double kTop = 0x1p+128L;
  const long double wanted = std::clamp(expected, -kTop, kTop);
  const long double got = std::isinf(result) ? std::copysign(kTop, static_cast<long double>(result)) : result;
  const long double difference = std::abs(got - wanted);
  if (difference == 0) return 0;
  if (unit == ErrorUnit::kInput) {
    return static_cast<double>(difference / std::max(1.0L, std::abs(static_cast<long double>(input))));
  }
  const int exponent = wanted == 0 ? -126 : std::clamp(std::ilogb(wanted), -126, 127);
  return static_cast<double>(std::ldexp(difference, 23 - exponent));
}

}  // namespace burin::jit

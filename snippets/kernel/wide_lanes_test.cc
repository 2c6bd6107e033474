// Kernels of bodies with elements of 8 bytes, alone and among narrower ones (snippets/linear/lane.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "jit/isa/target.h"
#include "snippets/kernel/fused_kernel.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::snippets {
namespace {

// Returns an element of 8 bytes: any bits, a number around a power of two, or a small one.
uint64_t WideElement(std::mt19937_64& random, ElementType type) {
  if (random() % 4 == 0) return random();
  if (type == ElementType::kF64) {
    if (random() % 8 == 0) return absl::bit_cast<uint64_t>(std::numeric_limits<double>::quiet_NaN());
    return absl::bit_cast<uint64_t>(std::uniform_real_distribution<double>(-9, 9)(random));
  }
  if (random() % 2 == 0) return random() % 9 - 4;
  return (uint64_t{1} << (random() % 64)) + random() % 3 - 1;
}

ir::Tensor Random(std::mt19937_64& random, ElementType type, const ir::Shape& shape) {
  ir::Tensor tensor = ir::Tensor::Create(type, shape).value();
  for (int64_t i = 0; i < tensor.element_count(); ++i) {
    if (BitWidth(type) == 64) {
      const uint64_t bits = WideElement(random, type);
      std::memcpy(static_cast<char*>(tensor.mutable_data()) + i * 8, &bits, 8);
    } else {
      const double value = std::uniform_real_distribution<double>(-300, 300)(random);
      StoreRangeFromDouble(type, tensor.mutable_data(), i, 1, &value);
    }
  }
  return tensor;
}

// Expects elements to be the same bit for bit, but that any NaN is as good as another, or within `tolerance` of the
// expected value.
void ExpectSame(const ir::Tensor& expected, const void* got, double tolerance, absl::string_view what) {
  const ElementType type = expected.element_type();
  const size_t bytes = static_cast<size_t>(BitWidth(type)) / 8;
  for (int64_t i = 0; i < expected.element_count(); ++i) {
    const auto offset = static_cast<size_t>(i) * bytes;
    if (std::memcmp(static_cast<const char*>(expected.data()) + offset, static_cast<const char*>(got) + offset,
                    bytes) == 0) {
      continue;
    }
    double wanted = 0;
    double found = 0;
    LoadRangeAsDouble(type, expected.data(), i, 1, &wanted);
    LoadRangeAsDouble(type, got, i, 1, &found);
    const bool near = IsFloat(type) && std::abs(wanted - found) <= tolerance * std::abs(wanted);
    ASSERT_TRUE(near || (std::isnan(wanted) && std::isnan(found)))
        << what << ", element " << i << ": got " << found << ", expected " << wanted;
  }
}

// Runs the body, with many registers and with few, in pieces of one item and whole, on operands that end at an
// inaccessible page, for rows of several lengths: they replace "WIDTH" in the text.
void ExpectLikeReference(absl::string_view text, double tolerance = 0) {
  const uint64_t seed = std::random_device()();
  std::mt19937_64 random(seed);
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  for (const char* const width : {"1", "3", "8", "13", "16", "40", "129", "1000"}) {
    const std::string sized = absl::StrReplaceAll(text, {{"WIDTH", width}});
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, ir::ParseModel(sized));
    std::vector<ir::Tensor> inputs;
    std::vector<GuardedBuffer> guarded;
    std::vector<const void*> in;
    for (const ir::NodeId id : body->parameters()) {
      const ir::ValueInfo& info = body->info({id, 0});
      inputs.push_back(Random(random, info.type, info.shape.ToShape()));
      ASSERT_OK_AND_ASSIGN(GuardedBuffer buffer,
                           GuardedBuffer::Create(inputs.back().byte_size(), GuardedEnd::kLastByte));
      std::memcpy(buffer.data(), inputs.back().data(), inputs.back().byte_size());
      guarded.push_back(std::move(buffer));
      in.push_back(guarded.back().data());
    }
    ASSERT_OK_AND_ASSIGN(const ir::Evaluator evaluator, ir::Evaluator::Create(*body));
    ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> expected, evaluator.Run(inputs));
    for (const bool few_registers : {false, true}) {
      FusedKernel::Options options;
      if (few_registers) options.limits = {6, 14};
      ASSERT_OK_AND_ASSIGN(const FusedKernel kernel, FusedKernel::Create(*body, target, options));
      for (const int64_t step : {std::max<int64_t>(1, kernel.items()), int64_t{1}}) {
        std::vector<GuardedBuffer> outputs;
        std::vector<void*> out;
        for (const ir::Tensor& tensor : expected) {
          ASSERT_OK_AND_ASSIGN(GuardedBuffer buffer, GuardedBuffer::Create(tensor.byte_size(), GuardedEnd::kLastByte));
          outputs.push_back(std::move(buffer));
          out.push_back(outputs.back().data());
        }
        std::vector<char> scratch(kernel.scratch_bytes() + 64);
        for (int64_t begin = 0; begin < kernel.items(); begin += step) {
          kernel.Run(in, out, scratch.data(), begin, std::min(kernel.items(), begin + step));
        }
        for (size_t k = 0; k < expected.size(); ++k) {
          ExpectSame(expected[k], out[k], tolerance,
                     absl::StrCat("output ", k, ", few registers: ", few_registers, ", seed ", seed, "\n",
                                  kernel.linear_ir().ToString()));
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(WideLanesTest, IntegersWrapAround) {
  ExpectLikeReference(R"(model "" {
    %0 "a" = Parameter() {element_type = i64, shape = [5,WIDTH]}
    %1 "b" = Parameter() {element_type = i64, shape = [WIDTH]}
    %2 = Constant() {value = i64[]{-9000000000}}
    %3 = Multiply(%0, %1)
    %4 = Add(%3, %2)
    %5 = Subtract(%4, %0)
    %6 = Negative(%5)
    %7 = Abs(%6)
    %8 = Minimum(%7, %1)
    %9 = Maximum(%8, %2)
    %10 "out" = Result(%9)
    %11 "side" = Result(%4)
  })");
}

TEST(WideLanesTest, DoublesRoundOnce) {
  ExpectLikeReference(R"(model "" {
    %0 "a" = Parameter() {element_type = f64, shape = [5,WIDTH]}
    %1 "b" = Parameter() {element_type = f64, shape = [5,1]}
    %2 = Constant() {value = f64[]{0.1}}
    %3 = Multiply(%0, %1)
    %4 = Add(%3, %2)
    %5 = Divide(%4, %0)
    %6 = Sqrt(%5)
    %7 = Floor(%4)
    %8 = Minimum(%6, %7)
    %9 = Clamp(%8) {min = -3.5, max = 1000000}
    %10 "out" = Result(%9)
  })");
}

TEST(WideLanesTest, ComparesAndSelects) {
  ExpectLikeReference(R"(model "" {
    %0 "a" = Parameter() {element_type = i64, shape = [3,WIDTH]}
    %1 "b" = Parameter() {element_type = f64, shape = [3,WIDTH]}
    %2 = Constant() {value = i64[]{1}}
    %3 = Greater(%0, %2)
    %4 = Negative(%1)
    %5 = LessEqual(%1, %4)
    %6 = LogicalOr(%3, %5)
    %7 = Select(%6, %1, %4)
    %8 "out" = Result(%7)
    %9 "truth" = Result(%6)
  })");
}

TEST(WideLanesTest, DividesIntegers) {
  ExpectLikeReference(R"(model "" {
    %0 "a" = Parameter() {element_type = i64, shape = [3,WIDTH]}
    %1 "b" = Parameter() {element_type = i64, shape = [WIDTH]}
    %2 = Divide(%0, %1) {m_pythondiv = false}
    %3 = Divide(%0, %1) {m_pythondiv = true}
    %4 = Mod(%0, %1)
    %5 = FloorMod(%0, %1)
    %6 = Add(%2, %4)
    %7 = BitwiseXor(%3, %5)
    %8 "x" = Result(%6)
    %9 "y" = Result(%7)
  })");
}

// The mask of an attention: 8-byte positions and a narrow chain.
TEST(WideLanesTest, WideMasksFeedNarrowChains) {
  ExpectLikeReference(R"(model "" {
    %0 "scores" = Parameter() {element_type = f32, shape = [4,WIDTH]}
    %1 "row" = Parameter() {element_type = i64, shape = [4,1]}
    %2 "column" = Parameter() {element_type = i64, shape = [WIDTH]}
    %3 "mask" = Parameter() {element_type = i64, shape = [4,WIDTH]}
    %4 = LessEqual(%2, %1)
    %5 = Convert(%3) {destination_type = boolean}
    %6 = LogicalAnd(%4, %5)
    %7 = Constant() {value = f32[]{-10000}}
    %8 = Select(%6, %0, %7)
    %9 = Constant() {value = f32[]{0.5}}
    %10 = Multiply(%8, %9)
    %11 "out" = Result(%10)
  })");
}

TEST(WideLanesTest, ConvertsBetweenAllTypes) {
  const std::vector<const char*> types = {"f64", "f32", "f16", "bf16", "i64",    "i32",
                                          "i16", "u16", "i8",  "u8",   "boolean"};
  for (const char* const from : types) {
    for (const char* const to : types) {
      const bool wide = absl::string_view(from).substr(1) == "64" || absl::string_view(to).substr(1) == "64";
      if (!wide) continue;
      SCOPED_TRACE(absl::StrCat(from, " to ", to));
      ExpectLikeReference(absl::StrReplaceAll(R"(model "" {
        %0 "x" = Parameter() {element_type = FROM, shape = [2,WIDTH]}
        %1 = Convert(%0) {destination_type = TO}
        %2 "out" = Result(%1)
      })",
                                              {{"FROM", from}, {"TO", to}}));
    }
  }
}

TEST(WideLanesTest, ReducesIntegers) {
  for (const char* const axes : {"i64[1]{1}", "i64[1]{0}", "i64[2]{0,1}"}) {
    ExpectLikeReference(absl::StrReplaceAll(R"(model "" {
      %0 "x" = Parameter() {element_type = i64, shape = [5,WIDTH]}
      %1 = Constant() {value = AXES}
      %2 = ReduceSum(%0, %1) {keep_dims = true}
      %3 = ReduceProd(%0, %1) {keep_dims = true}
      %4 = ReduceMax(%0, %1) {keep_dims = true}
      %5 = ReduceMin(%0, %1) {keep_dims = true}
      %6 = Subtract(%0, %4)
      %7 = Add(%2, %3)
      %8 = Multiply(%7, %5)
      %9 = Add(%6, %8)
      %10 "out" = Result(%9)
    })",
                                            {{"AXES", axes}}));
  }
}

TEST(WideLanesTest, ReducesDoubles) {
  for (const char* const axes : {"i64[1]{1}", "i64[1]{0}", "i64[2]{0,1}"}) {
    ExpectLikeReference(absl::StrReplaceAll(R"(model "" {
      %0 "i" = Parameter() {element_type = i16, shape = [5,WIDTH]}
      %1 = Constant() {value = AXES}
      %2 = Convert(%0) {destination_type = f64}
      %3 = ReduceMean(%2, %1) {keep_dims = true}
      %4 = Subtract(%2, %3)
      %5 = Multiply(%4, %4)
      %6 = ReduceSum(%5, %1) {keep_dims = true}
      %7 = Constant() {value = f64[]{0.001}}
      %8 = Add(%6, %7)
      %9 = Sqrt(%8)
      %10 = Divide(%4, %9)
      %11 = ReduceMax(%4, %1) {keep_dims = true}
      %12 = ReduceMin(%4, %1) {keep_dims = true}
      %13 = Subtract(%11, %12)
      %14 "out" = Result(%10)
      %15 "range" = Result(%13)
    })",
                                            {{"AXES", axes}}),
                        1e-9);
  }
}

// A softmax in doubles.
TEST(WideLanesTest, NormalisesDoubles) {
  ExpectLikeReference(R"(model "" {
    %0 "i" = Parameter() {element_type = i16, shape = [5,WIDTH]}
    %1 = Constant() {value = i64[1]{1}}
    %2 = Constant() {value = f64[]{0.01}}
    %3 = Convert(%0) {destination_type = f64}
    %4 = Multiply(%3, %2)
    %5 = ReduceMax(%4, %1) {keep_dims = true}
    %6 = Subtract(%4, %5)
    %7 = Exp(%6)
    %8 = ReduceSum(%7, %1) {keep_dims = true}
    %9 = Divide(%7, %8)
    %10 = Log(%8)
    %11 = Subtract(%6, %10)
    %12 "out" = Result(%9)
    %13 "logarithm" = Result(%11)
  })",
                      1e-13);
}

// Strided reads, of a transposed input and of a piece of one.
TEST(WideLanesTest, ReadsWithStrides) {
  ExpectLikeReference(R"(model "" {
    %0 "x" = Parameter() {element_type = i64, shape = [WIDTH,7]}
    %1 "y" = Parameter() {element_type = f64, shape = [7,WIDTH]}
    %2 = Constant() {value = i64[2]{1,0}}
    %3 = Transpose(%0, %2)
    %4 = Negative(%3)
    %5 = Convert(%4) {destination_type = f64}
    %6 = Multiply(%5, %1)
    %7 "out" = Result(%6)
  })");
}

TEST(WideLanesTest, SaysWhatIsRefused) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f64, shape = [7]}
    %1 = Sin(%0)
    %2 "out" = Result(%1)
  })"));
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  EXPECT_THAT(FusedKernel::Create(*body, target, {}).status(),
              StatusIs(absl::StatusCode::kUnimplemented, testing::HasSubstr("Sin: not with elements of type f64")));
}

}  // namespace
}  // namespace burin::snippets

#include "snippets/kernel/fused_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

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
#include "jit/debug/cycle_counters.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

// Returns a tensor of random numbers of moderate size.
ir::Tensor Random(std::mt19937& random, ElementType type, const ir::Shape& shape) {
  ir::Tensor tensor = ir::Tensor::Create(type, shape).value();
  std::uniform_real_distribution<double> distribution(-4, 4);
  std::vector<double> values(static_cast<size_t>(tensor.element_count()));
  for (double& value : values) value = distribution(random);
  StoreRangeFromDouble(type, tensor.mutable_data(), 0, tensor.element_count(), values.data());
  return tensor;
}

// Runs a body as one kernel, whole and in pieces, and compares it with its reference evaluation.
void ExpectLikeReference(absl::string_view text, double tolerance = 1e-5) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, ir::ParseModel(text));
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  ASSERT_OK_AND_ASSIGN(const FusedKernel kernel, FusedKernel::Create(*body, target, {}));
  const uint32_t seed = std::random_device()();
  std::mt19937 random(seed);
  std::vector<ir::Tensor> inputs;
  std::vector<const void*> in;
  for (const ir::NodeId id : body->parameters()) {
    const ir::ValueInfo& info = body->info({id, 0});
    inputs.push_back(Random(random, info.type, info.shape.ToShape()));
    in.push_back(inputs.back().data());
  }
  ASSERT_OK_AND_ASSIGN(const ir::Evaluator evaluator, ir::Evaluator::Create(*body));
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> expected, evaluator.Run(inputs));
  for (const int64_t step : {kernel.items(), int64_t{1}, int64_t{3}}) {
    std::vector<ir::Tensor> outputs;
    std::vector<void*> out;
    for (const ir::Tensor& tensor : expected) {
      ASSERT_OK_AND_ASSIGN(ir::Tensor output, ir::Tensor::CreateZeroed(tensor.element_type(), tensor.shape()));
      outputs.push_back(std::move(output));
      out.push_back(outputs.back().mutable_data());
    }
    std::vector<char> scratch(kernel.scratch_bytes() + 64);
    for (int64_t begin = 0; begin < kernel.items(); begin += step) {
      kernel.Run(in, out, scratch.data(), begin, std::min(kernel.items(), begin + step));
    }
    for (size_t k = 0; k < expected.size(); ++k) {
      const int64_t count = expected[k].element_count();
      std::vector<double> wanted(static_cast<size_t>(count));
      std::vector<double> got(wanted.size());
      LoadRangeAsDouble(expected[k].element_type(), expected[k].data(), 0, count, wanted.data());
      LoadRangeAsDouble(outputs[k].element_type(), outputs[k].data(), 0, count, got.data());
      for (size_t i = 0; i < wanted.size(); ++i) {
        const bool same = std::isnan(wanted[i])
                              ? std::isnan(got[i])
                              : std::abs(got[i] - wanted[i]) <= tolerance * std::max(1.0, std::abs(wanted[i]));
        ASSERT_TRUE(same) << "output " << k << ", element " << i << ": got " << got[i] << ", expected " << wanted[i]
                          << "; items at a time: " << step << "; seed " << seed << "\n"
                          << kernel.linear_ir().ToString();
      }
    }
  }
}

TEST(FusedKernelTest, RunsChains) {
  for (const int64_t width : {0, 1, 7, 8, 15, 16, 17, 100, 1000}) {
    ExpectLikeReference(absl::StrCat(R"(model "" {
      %0 "x" = Parameter() {element_type = f32, shape = [3,)",
                                     width, R"(]}
      %1 = Constant() {value = f32[]{2}}
      %2 = Multiply(%0, %1)
      %3 = Exp(%2)
      %4 = Sigmoid(%0)
      %5 = Add(%3, %4)
      %6 "out" = Result(%5)
    })"));
  }
}

TEST(FusedKernelTest, BroadcastsAnyToAny) {
  ExpectLikeReference(R"(model "" {
    %0 "a" = Parameter() {element_type = f32, shape = [5,1,33]}
    %1 "b" = Parameter() {element_type = f32, shape = [4,1]}
    %2 "c" = Parameter() {element_type = f32, shape = [33]}
    %3 = Add(%0, %1)
    %4 = Multiply(%3, %2)
    %5 = Maximum(%4, %1)
    %6 "out" = Result(%5)
    %7 "side" = Result(%3)
  })");
}

TEST(FusedKernelTest, Normalises) {
  for (const int64_t width : {1, 5, 16, 100, 300}) {
    ExpectLikeReference(absl::StrCat(R"(model "" {
      %0 "x" = Parameter() {element_type = f32, shape = [7,)",
                                     width, R"(]}
      %1 = Constant() {value = i64[1]{1}}
      %2 = ReduceMax(%0, %1) {keep_dims = true}
      %3 = Subtract(%0, %2)
      %4 = Exp(%3)
      %5 = ReduceSum(%4, %1) {keep_dims = true}
      %6 = Divide(%4, %5)
      %7 "out" = Result(%6)
    })"));
    ExpectLikeReference(absl::StrCat(R"(model "" {
      %0 "x" = Parameter() {element_type = f32, shape = [7,)",
                                     width, R"(]}
      %1 = Constant() {value = i64[1]{-1}}
      %2 = ReduceMean(%0, %1) {keep_dims = true}
      %3 = Subtract(%0, %2)
      %4 = Multiply(%3, %3)
      %5 = ReduceMean(%4, %1) {keep_dims = true}
      %6 = Constant() {value = f32[]{0.00001}}
      %7 = Add(%5, %6)
      %8 = Sqrt(%7)
      %9 = Divide(%3, %8)
      %10 "out" = Result(%9)
      %11 "mean" = Result(%2)
    })"));
  }
}

TEST(FusedKernelTest, ReducesAlongOuterAxes) {
  ExpectLikeReference(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3,6,37]}
    %1 = Constant() {value = i64[1]{1}}
    %2 = ReduceMax(%0, %1) {keep_dims = true}
    %3 = Subtract(%0, %2)
    %4 = Exp(%3)
    %5 = ReduceSum(%4, %1) {keep_dims = true}
    %6 = Divide(%4, %5)
    %7 "out" = Result(%6)
  })");
}

TEST(FusedKernelTest, ReadsAndWritesTransposed) {
  ExpectLikeReference(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [5,6,37]}
    %1 "y" = Parameter() {element_type = i8, shape = [37,5,6]}
    %2 = Constant() {value = i64[3]{1, 2, 0}}
    %3 = Transpose(%1, %2)
    %4 = Convert(%3) {destination_type = f32}
    %5 = Add(%0, %4)
    %6 = Transpose(%5, %2)
    %7 "out" = Result(%6)
  })");
}

// Of sizes from which on what is transposed is copied, a chunk at a time.
TEST(FusedKernelTest, ReadsTransposedInChunks) {
  for (const absl::string_view type : {"f32", "f16", "i8", "i64"}) {
    for (const absl::string_view shape : {"[16,16]", "[100,33]", "[65,200]", "[33,16]"}) {
      ExpectLikeReference(absl::StrReplaceAll(R"(model "" {
        %0 "x" = Parameter() {element_type = f32, shape = SHAPE}
        %1 "y" = Parameter() {element_type = TYPE, shape = SHAPE}
        %2 = Constant() {value = i64[2]{1, 0}}
        %3 = Transpose(%1, %2)
        %4 = Convert(%3) {destination_type = f32}
        %5 = Transpose(%0, %2)
        %6 = Sin(%5)
        %7 = Subtract(%6, %4)
        %8 = Transpose(%7, %2)
        %9 = Add(%0, %8)
        %10 "out" = Result(%9)
      })",
                                              {{"TYPE", type}, {"SHAPE", shape}}));
    }
  }
  // A matrix and its transpose; with batches, some of which share an input; a reduction along the rows.
  ExpectLikeReference(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [70,70]}
    %1 = Constant() {value = i64[2]{1, 0}}
    %2 = Transpose(%0, %1)
    %3 = Subtract(%0, %2)
    %4 "out" = Result(%3)
  })");
  ExpectLikeReference(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2,3,40,50]}
    %1 "y" = Parameter() {element_type = f32, shape = [2,50,3,40]}
    %2 "z" = Parameter() {element_type = f32, shape = [50,40]}
    %3 = Constant() {value = i64[4]{0, 2, 3, 1}}
    %4 = Transpose(%1, %3)
    %5 = Constant() {value = i64[2]{1, 0}}
    %6 = Transpose(%2, %5)
    %7 = Add(%0, %4)
    %8 = Multiply(%7, %6)
    %9 = Constant() {value = i64[1]{-1}}
    %10 = ReduceMax(%8, %9) {keep_dims = true}
    %11 = Subtract(%8, %10)
    %12 "out" = Result(%11)
  })");
}

TEST(FusedKernelTest, ComputesOnIntegersAndTruth) {
  ExpectLikeReference(R"(model "" {
    %0 "x" = Parameter() {element_type = i8, shape = [70]}
    %1 "y" = Parameter() {element_type = i8, shape = [70]}
    %2 = Multiply(%0, %1)
    %3 = Greater(%2, %1)
    %4 = Select(%3, %0, %2)
    %5 = Convert(%4) {destination_type = f16}
    %6 "out" = Result(%4)
    %7 "truth" = Result(%3)
  })");
}

// Rotary embedding: halves are read as slices and written as pieces.
TEST(FusedKernelTest, ReadsSlicesAndWritesPieces) {
  for (const int half : {4, 16, 40, 200}) {
    ExpectLikeReference(absl::StrCat(R"(model "" {
      %0 "x" = Parameter() {element_type = f32, shape = [3,5,)",
                                     2 * half, R"(]}
      %1 "cos" = Parameter() {element_type = f32, shape = [5,)",
                                     half, R"(]}
      %2 "sin" = Parameter() {element_type = f32, shape = [5,)",
                                     half, R"(]}
      %3 = Constant() {value = i64[]{-1}}
      %4 = Split(%0, %3) {num_splits = 2}
      %6 = Multiply(%4.0, %1)
      %7 = Multiply(%4.1, %2)
      %8 = Subtract(%6, %7)
      %9 = Multiply(%4.1, %1)
      %10 = Multiply(%4.0, %2)
      %11 = Add(%9, %10)
      %12 = Concat(%8, %11) {axis = -1}
      %13 "out" = Result(%12)
    })"));
  }
}

// Rotary embedding of neighbours, and more channels of one pixel: read and written some elements apart.
TEST(FusedKernelTest, ReadsAndWritesSomeElementsApart) {
  for (const int channels : {2, 3, 4, 5}) {
    for (const int pixels : {1, 7, 16, 48, 100, 203}) {
      for (const absl::string_view type : {"f32", "i32", "f16"}) {
        ExpectLikeReference(absl::StrReplaceAll(R"(model "" {
          %0 "x" = Parameter() {element_type = TYPE, shape = [3,PIXELS,CHANNELS]}
          %1 "y" = Parameter() {element_type = TYPE, shape = [3,PIXELS,1]}
          %2 = Constant() {value = i64[1]{0}}
          %3 = Constant() {value = i64[1]{1}}
          %4 = Constant() {value = i64[1]{-1}}
          %5 = Constant() {value = i64[1]{2}}
          %6 = Slice(%0, %2, %3, %3, %4)
          %7 = Slice(%0, %3, %5, %3, %4)
          %8 = Add(%6, %1)
          %9 = Subtract(%7, %6)
          %10 = Concat(%8, %9) {axis = -1}
          %11 = Constant() {value = i64[1]{ALL}}
          %12 = Reshape(%10, %11)
          %13 "out" = Result(%12)
          %14 "sum" = Result(%8)
        })",
                                                {{"TYPE", type},
                                                 {"PIXELS", absl::StrCat(pixels)},
                                                 {"CHANNELS", absl::StrCat(channels)},
                                                 {"ALL", absl::StrCat(3 * pixels * 2)}}),
                            type == "f16" ? 1e-3 : 1e-5);
      }
    }
  }
}

// More than the second-level cache holds, so that the next rows are fetched meanwhile; an odd number of them.
TEST(FusedKernelTest, FetchesTheNextRows) {
  ExpectLikeReference(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [301,2100]}
    %1 = Constant() {value = i64[1]{1}}
    %2 = ReduceMax(%0, %1) {keep_dims = true}
    %3 = Subtract(%0, %2)
    %4 = Exp(%3)
    %5 = ReduceSum(%4, %1) {keep_dims = true}
    %6 = Divide(%4, %5)
    %7 "out" = Result(%6)
  })");
}

// Slices with a step, of rows of any size, and one that goes backwards.
TEST(FusedKernelTest, ReadsEachSecondElement) {
  for (const int width : {2, 8, 32, 66, 402}) {
    for (const int step : {2, 3, 4, -2, 7}) {
      ExpectLikeReference(absl::StrReplaceAll(R"(model "" {
        %0 "x" = Parameter() {element_type = f32, shape = [5,WIDTH]}
        %1 = Constant() {value = i64[1]{FIRST}}
        %2 = Constant() {value = i64[1]{END}}
        %3 = Constant() {value = i64[1]{STEP}}
        %4 = Constant() {value = i64[1]{-1}}
        %5 = Slice(%0, %1, %2, %3, %4)
        %6 = Negative(%5)
        %7 "out" = Result(%6)
      })",
                                              {{"WIDTH", absl::StrCat(width)},
                                               {"FIRST", step > 0 ? "1" : absl::StrCat(width - 1)},
                                               {"END", absl::StrCat(step > 0 ? width : -width - 1)},
                                               {"STEP", absl::StrCat(step)}}));
    }
  }
}

TEST(FusedKernelTest, OutputsThatDoNotVaryAlongAnEmptyAxisAreWritten) {
  ExpectLikeReference(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3,1]}
    %1 "y" = Parameter() {element_type = f32, shape = [1,0]}
    %2 = Add(%0, %1)
    %3 = Exp(%0)
    %4 "r0" = Result(%2)
    %5 "r1" = Result(%3)
  })");
}

TEST(FusedKernelTest, RoundsToNarrowFloatsOnTheWay) {
  for (const absl::string_view type : {"f16", "bf16"}) {
    ExpectLikeReference(absl::StrCat(R"(model "" {
      %0 "x" = Parameter() {element_type = f32, shape = [7,33]}
      %1 = Convert(%0) {destination_type = )",
                                     type, R"(}
      %2 = Convert(%1) {destination_type = f32}
      %3 = Subtract(%0, %2)
      %4 "out" = Result(%3)
    })"),
                        0);
  }
}

TEST(FusedKernelTest, SaysWhichOutputsMayOverwriteInputs) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [40,1]}
    %1 "y" = Parameter() {element_type = f32, shape = [40,1000]}
    %2 = Exp(%0)
    %3 = Add(%2, %1)
    %4 "r0" = Result(%2)
    %5 "r1" = Result(%3)
  })"));
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  ASSERT_OK_AND_ASSIGN(const FusedKernel kernel, FusedKernel::Create(*body, target, {}));
  EXPECT_TRUE(kernel.MayRunInPlace(0, 0));
  EXPECT_FALSE(kernel.MayRunInPlace(0, 1));
  EXPECT_TRUE(kernel.MayRunInPlace(1, 1));
}

TEST(FusedKernelTest, CountsTheTicksOfItsExpressions) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, ir::ParseModel(R"(model "counted" {
    %0 "x" = Parameter() {element_type = f32, shape = [3,1000]}
    %1 = Constant() {value = i64[1]{1}}
    %2 = ReduceMax(%0, %1) {keep_dims = true}
    %3 = Subtract(%0, %2)
    %4 = Exp(%3)
    %5 "out" = Result(%4)
  })"));
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  FusedKernel::Options options;
  options.counts_cycles = true;
  ASSERT_OK_AND_ASSIGN(const FusedKernel kernel, FusedKernel::Create(*body, target, options));
  std::vector<float> in(3000, 1.0f);
  std::vector<float> out(3000);
  const void* const inputs[] = {in.data()};
  void* const outputs[] = {out.data()};
  std::vector<char> scratch(kernel.scratch_bytes() + 64);
  jit::CycleCounters::Process().Reset();
  kernel.Run(inputs, outputs, scratch.data(), 0, kernel.items());
  for (const float y : out) ASSERT_EQ(y, 1.0f);
  const std::string report = jit::CycleCounters::Process().Report();
  EXPECT_THAT(report, ::testing::HasSubstr("fused_counted"));
  EXPECT_THAT(report, ::testing::ContainsRegex("= Exp"));
}

// Reductions within a loop around another one: the order of each sum is the same wherever items are cut.
TEST(FusedKernelTest, PiecesGiveTheSameBits) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [6,3,4,31]}
    %1 = Constant() {value = i64[3]{0, 2, 3}}
    %2 = ReduceSum(%0, %1) {keep_dims = true}
    %3 = Constant() {value = i64[1]{2}}
    %4 = ReduceMean(%0, %3) {keep_dims = true}
    %5 = Subtract(%0, %4)
    %6 = Multiply(%5, %2)
    %7 "out" = Result(%6)
    %8 "sum" = Result(%2)
  })"));
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  ASSERT_OK_AND_ASSIGN(const FusedKernel kernel, FusedKernel::Create(*body, target, {}));
  ASSERT_GT(kernel.items(), 1);
  std::mt19937 random(3);
  const ir::Tensor x = Random(random, ElementType::kF32, {6, 3, 4, 31});
  const void* const inputs[] = {x.data()};
  std::vector<char> scratch(kernel.scratch_bytes() + 64);
  std::vector<std::vector<float>> sums;
  std::vector<std::vector<float>> results;
  for (const int64_t step : {kernel.items(), int64_t{1}, int64_t{2}}) {
    std::vector<float> out(6 * 3 * 4 * 31);
    std::vector<float> sum(3);
    void* const outputs[] = {out.data(), sum.data()};
    for (int64_t begin = 0; begin < kernel.items(); begin += step) {
      kernel.Run(inputs, outputs, scratch.data(), begin, std::min(kernel.items(), begin + step));
    }
    sums.push_back(std::move(sum));
    results.push_back(std::move(out));
  }
  EXPECT_EQ(sums[0], sums[1]);
  EXPECT_EQ(sums[0], sums[2]);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace burin::snippets

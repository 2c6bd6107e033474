#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

using ir::F32;
using ir::I64;

constexpr int64_t kCount = 20000;
constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

// Returns the outputs of a node that reads `x`, or has no inputs where that is empty.
std::vector<std::vector<double>> Draw(const SingleNode& node) {
  SCOPED_TRACE(node.op);
  std::vector<ir::Tensor> inputs(
      node.inputs.begin(), node.inputs.begin() + static_cast<ptrdiff_t>(std::min(node.variable, node.inputs.size())));
  const auto outputs = ReadAndRun(FileOf(node), inputs);
  EXPECT_OK(outputs);
  std::vector<std::vector<double>> values(node.output_types.size());
  for (size_t i = 0; outputs.ok() && i < outputs->size(); ++i) values[i] = ir::Doubles((*outputs)[i]);
  return values;
}

struct Moments {
  double mean = 0;
  double deviation = 0;
};

Moments MomentsOf(const std::vector<double>& values) {
  Moments moments;
  for (const double value : values) moments.mean += value / static_cast<double>(values.size());
  for (const double value : values) {
    moments.deviation += (value - moments.mean) * (value - moments.mean) / static_cast<double>(values.size());
  }
  moments.deviation = std::sqrt(moments.deviation);
  return moments;
}

// Five standard deviations of a mean of kCount numbers.
double MeanBound(double deviation) { return 5 * deviation / std::sqrt(static_cast<double>(kCount)); }

TEST(RandomTest, UniformNumbersFillTheirRange) {
  for (const int type : {kFloat, kFloat16, kDouble}) {
    SCOPED_TRACE(type);
    const auto numbers = Draw(SingleNode("RandomUniform", 22).Outputs({type}).With([=](::onnx::NodeProto& node) {
      SetInts(node, "shape", {kCount});
      SetInt(node, "dtype", type);
      SetFloat(node, "low", -2);
      SetFloat(node, "high", 4);
    }))[0];
    ASSERT_EQ(numbers.size(), static_cast<size_t>(kCount));
    EXPECT_GE(*std::min_element(numbers.begin(), numbers.end()), -2);
    EXPECT_LE(*std::max_element(numbers.begin(), numbers.end()), 4);
    EXPECT_NEAR(MomentsOf(numbers).mean, 1,
                MeanBound(std::sqrt(3.0)) + 0.002);  // f16 begins each step at its lower end.
    EXPECT_NEAR(MomentsOf(numbers).deviation, std::sqrt(3.0), 0.05);
  }
  const auto unit = Draw(SingleNode("RandomUniformLike")
                             .Inputs({ir::F16({50, 400}, std::vector<double>(20000, 9))})
                             .Outputs({kFloat16}))[0];
  EXPECT_LT(*std::max_element(unit.begin(), unit.end()), 1);
}

TEST(RandomTest, NormalNumbersHaveMeanAndScale) {
  const auto numbers = Draw(SingleNode("RandomNormal", 22).With([](::onnx::NodeProto& node) {
    SetInts(node, "shape", {2, kCount / 2});
    SetFloat(node, "mean", 10);
    SetFloat(node, "scale", 3);
  }))[0];
  EXPECT_NEAR(MomentsOf(numbers).mean, 10, MeanBound(3));
  EXPECT_NEAR(MomentsOf(numbers).deviation, 3, 0.1);
  const auto within = std::count_if(numbers.begin(), numbers.end(), [](double x) { return std::fabs(x - 10) < 3; });
  EXPECT_NEAR(static_cast<double>(within) / kCount, 0.6827, 0.02);
}

TEST(RandomTest, AScaleOfZeroGivesTheMean) {
  const auto numbers = Draw(SingleNode("RandomNormalLike")
                                .Inputs({F32({kCount}, std::vector<double>(kCount, 7))})
                                .With([](::onnx::NodeProto& node) {
                                  SetFloat(node, "mean", 0.1f);
                                  SetFloat(node, "scale", 0);
                                }))[0];
  EXPECT_THAT(numbers, Each(static_cast<double>(0.1f)));
}

// Two nodes side by side, with or without seeds; returns the differences.
std::vector<double> Differences(const std::vector<float>& seeds) {
  OnnxFile file(17);
  for (size_t i = 0; i < 2; ++i) {
    ::onnx::NodeProto& node = file.Node("RandomUniform", {}, {i == 0 ? "a" : "b"});
    SetInts(node, "shape", {100});
    if (!seeds.empty()) SetFloat(node, "seed", seeds[i]);
  }
  file.Node("Sub", {"a", "b"}, {"y"});
  file.Output("y", kFloat);
  const auto outputs = ReadAndRun(file.Bytes(), {});
  EXPECT_OK(outputs);
  return outputs.ok() ? ir::Doubles((*outputs)[0]) : std::vector<double>();
}

TEST(RandomTest, StreamsFollowFromSeedsOrNames) {
  const std::vector<double> zeros(100, 0);
  EXPECT_EQ(Differences({1, 1}), zeros);
  for (const std::vector<float>& seeds : {std::vector<float>{1, 2}, {}}) {
    const std::vector<double> differences = Differences(seeds);
    ASSERT_EQ(differences.size(), 100);
    EXPECT_LT(std::count(differences.begin(), differences.end(), 0.0), 3);
    EXPECT_EQ(differences, Differences(seeds));
  }
}

TEST(RandomTest, Bernoulli) {
  std::vector<double> probabilities(kCount, 0.25);
  std::fill(probabilities.begin(), probabilities.begin() + 100, 0);
  std::fill(probabilities.begin() + 100, probabilities.begin() + 200, 1);
  const auto numbers = Draw(SingleNode("Bernoulli")
                                .Inputs({F32({kCount}, probabilities)})
                                .Outputs({kInt64})
                                .With([](::onnx::NodeProto& node) { SetInt(node, "dtype", kInt64); }))[0];
  EXPECT_EQ(std::count(numbers.begin(), numbers.begin() + 100, 0.0), 100);
  EXPECT_EQ(std::count(numbers.begin() + 100, numbers.begin() + 200, 1.0), 100);
  EXPECT_NEAR(static_cast<double>(std::count(numbers.begin() + 200, numbers.end(), 1.0)) / (kCount - 200), 0.25,
              1.01 * MeanBound(std::sqrt(0.25 * 0.75)));
  const auto same_type = Draw(SingleNode("Bernoulli").Inputs({ir::F64({2}, {1, 0})}).Outputs({kDouble}))[0];
  EXPECT_EQ(same_type, std::vector<double>({1, 0}));
}

TEST(RandomTest, Multinomial) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  // Probabilities 0, 1/4, 0, 3/4, 0, and a certainty.
  const ir::Tensor logits = F32({2, 5}, {kNever, 0, kNever, std::log(3.0), kNever, 0, kNever, kNever, kNever, kNever});
  const auto samples =
      Draw(SingleNode("Multinomial").Inputs({logits}).Outputs({kInt64}).With([](::onnx::NodeProto& node) {
        SetInt(node, "sample_size", kCount);
        SetInt(node, "dtype", kInt64);
      }))[0];
  ASSERT_EQ(samples.size(), static_cast<size_t>(2 * kCount));
  const auto second = samples.begin() + kCount;
  const auto ones = std::count(samples.begin(), second, 1.0);
  EXPECT_EQ(ones + std::count(samples.begin(), second, 3.0), kCount);
  EXPECT_NEAR(static_cast<double>(ones) / kCount, 0.25, MeanBound(std::sqrt(0.25 * 0.75)));
  EXPECT_EQ(std::count(second, samples.end(), 0.0), kCount);
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("Multinomial").Inputs({F32({2}, {1, 2})}))),
              StatusIs(kInvalid, HasSubstr("matrix")));
}

TEST(RandomTest, DropoutOutsideTrainingDropsNothing) {
  const ir::Tensor x = F32({2}, {1, 2});
  ExpectComputes(SingleNode("Dropout", 7).Inputs({x}), {x});
  ExpectComputes(SingleNode("Dropout", 13).Inputs({x, F32({}, {0.5})}).Outputs({kFloat, kBool}),
                 {x, ir::Bool({2}, {1, 1})});
  for (const size_t variable : {1, 3}) {
    for (const bool training : {false, true}) {
      ExpectComputes(SingleNode("Dropout", 13)
                         .Inputs({x, F32({}, {training ? 0 : 0.5}), ir::Bool({}, {training})})
                         .Variable(variable)
                         .Outputs({kFloat, kBool}),
                     {x, ir::Bool({2}, {1, 1})});
    }
  }
}

TEST(RandomTest, DropoutInTraining) {
  const auto run = [](double ratio, size_t variable) {
    return Draw(SingleNode("Dropout", 13)
                    .Inputs({F32({kCount}, std::vector<double>(kCount, 3)), F32({}, {ratio}), ir::Bool({}, {1})})
                    .Variable(variable)
                    .Outputs({kFloat, kBool})
                    .With([](::onnx::NodeProto& node) { SetInt(node, "seed", 5); }));
  };
  const auto outputs = run(0.25, 1);
  for (size_t i = 0; i < outputs[0].size(); ++i) {
    ASSERT_EQ(outputs[0][i], outputs[1][i] != 0 ? 4 : 0);
  }
  EXPECT_NEAR(MomentsOf(outputs[1]).mean, 0.75, MeanBound(std::sqrt(0.25 * 0.75)));
  EXPECT_EQ(outputs, run(0.25, 3));
  EXPECT_THAT(run(1, 1)[0], Each(0));
}

TEST(RandomTest, RefusesWhatTheStandardForbids) {
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("RandomNormal"))), StatusIs(kInvalid, HasSubstr("shape")));
  const auto with = [](int64_t size, int type) {
    return ReadBytes(FileOf(SingleNode("RandomUniform").With([=](::onnx::NodeProto& node) {
      SetInts(node, "shape", {size});
      SetInt(node, "dtype", type);
    })));
  };
  EXPECT_THAT(with(-2, kFloat), StatusIs(kInvalid, HasSubstr("RandomUniform_c1")));
  EXPECT_THAT(with(2, kInt64), StatusIs(kInvalid, HasSubstr("RandomUniform_c2")));
  EXPECT_THAT(with(2, 99), StatusIs(kInvalid));
}

}  // namespace
}  // namespace burin::onnx

#include "runtime/dev/profiling/execution_info.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/dev/profiling_info.h"

namespace burin {
namespace {

using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(ExecutionInfoTest, TellsWhatRanAndHowLong) {
  ProfilingInfo node;
  node.status = ProfilingInfo::Status::kExecuted;
  node.node_name = "fused";
  node.op_names = {"Conv_1", "Relu_2"};
  node.kernel = "jit_avx512";
  node.isa = "avx512";
  node.layout = "nChw16c";
  node.precision = "f32";
  node.flops = 2048;
  node.bytes = 512;
  node.real_time_ns = 5000;
  node.count = 2;
  EXPECT_THAT(ExecutionInfo(node, 3),
              UnorderedElementsAre(Pair("execTimeMcs", "2.5"), Pair("primitiveType", "jit_avx512"),
                                   Pair("runtimePrecision", "f32"), Pair("outputLayouts", "nChw16c"),
                                   Pair("originalLayersNames", "Conv_1,Relu_2"), Pair("execOrder", "3"),
                                   Pair("isa", "avx512"), Pair("flops", "2048"), Pair("bytes", "512")));
}

TEST(ExecutionInfoTest, WhatHasNotRunSaysSo) {
  ProfilingInfo node;
  node.kernel = "reference";
  node.isa = "none";
  node.layout = "row-major";
  node.precision = "i64";
  EXPECT_THAT(ExecutionInfo(node, 0),
              UnorderedElementsAre(Pair("execTimeMcs", "not_executed"), Pair("primitiveType", "reference"),
                                   Pair("runtimePrecision", "i64"), Pair("outputLayouts", "row-major"),
                                   Pair("originalLayersNames", ""), Pair("execOrder", "0"), Pair("isa", "none")));
}

}  // namespace
}  // namespace burin

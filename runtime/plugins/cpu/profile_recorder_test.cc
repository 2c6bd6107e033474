#include "runtime/plugins/cpu/profile_recorder.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/element_type.h"
#include "ir/text.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

class NamedPrimitive final : public Primitive {
 public:
  explicit NamedPrimitive(std::string name) : name_(std::move(name)) {}
  void Execute(const ExecutionArgs&) const override {}
  std::string kernel_name() const override { return name_; }
  std::string isa_name() const override { return "avx2"; }

 private:
  const std::string name_;
};

PlannedStep MakeStep(const std::string& name, const std::string& kernel) {
  PlannedStep step;
  step.primitive = std::make_unique<NamedPrimitive>(kernel);
  step.name = name;
  step.type_name = "MatMul";
  step.op_names = {"user"};
  step.output_desc = {ElementType::kF32, {2, 3}, Layout::kRowMajor};
  step.cost.flops = 12;
  step.cost.bytes_read = 30;
  step.cost.bytes_written = 4;
  return step;
}

TEST(ProfileRecorderTest, AStepIsDescribed) {
  const ProfilingInfo info = DescribeStep(MakeStep("a", "gemm"));
  EXPECT_EQ(info.status, ProfilingInfo::Status::kNotRun);
  EXPECT_EQ(info.node_name, "a");
  EXPECT_EQ(info.op_type, "MatMul");
  EXPECT_EQ(info.op_names, std::vector<std::string>{"user"});
  EXPECT_EQ(info.kernel, "gemm");
  EXPECT_EQ(info.isa, "avx2");
  EXPECT_EQ(info.layout, "row-major");
  EXPECT_EQ(info.precision, "f32");
  EXPECT_EQ(info.flops, 12);
  EXPECT_EQ(info.bytes, 34);
}

TEST(ProfileRecorderTest, BothProfilesGetWhatRan) {
  // Known by its node alone, as where shapes are dynamic.
  std::vector<ProfilingInfo> nodes(1);
  nodes[0].node_name = "a";
  ExecutionProfile own(nodes);
  ExecutionProfile common({});
  ProfileRecorder recorder(nullptr, &own, &common);
  recorder.RanStep(MakeStep("a", "gemm"), 70);
  recorder.RanStep(MakeStep("reorder", "copy"), 30);
  for (const ExecutionProfile* const profile : {&own, &common}) {
    const std::vector<ProfilingInfo> read = profile->Read();
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(read[0].kernel, "gemm");
    EXPECT_EQ(read[0].isa, "avx2");
    EXPECT_EQ(read[0].layout, "row-major");
    EXPECT_EQ(read[0].real_time_ns, 70);
    EXPECT_EQ(read[0].flops, 12);
    EXPECT_GT(read[0].cpu_time_ns, 0);
    EXPECT_EQ(read[1].node_name, "reorder");
    EXPECT_EQ(read[1].kernel, "copy");
    EXPECT_EQ(read[1].count, 1);
  }
}

TEST(ProfileRecorderTest, WhatCutsSegmentsIsReferenceCode) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "m" {
  %0 "x" = Parameter() {element_type = f32, shape = [4]}
  %1 "r" = Relu(%0)
  %2 "y" = Result(%1)
})"));
  ExecutionProfile own({});
  ExecutionProfile common({});
  ProfileRecorder(nullptr, &own, &common).RanCut(model->node(model->FindNode("r")), 50);
  const std::vector<ProfilingInfo> read = own.Read();
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].node_name, "r");
  EXPECT_EQ(read[0].op_type, "Relu");
  EXPECT_EQ(read[0].kernel, "reference");
  EXPECT_EQ(read[0].isa, "none");
  EXPECT_EQ(read[0].real_time_ns, 50);
}

}  // namespace
}  // namespace burin::cpu

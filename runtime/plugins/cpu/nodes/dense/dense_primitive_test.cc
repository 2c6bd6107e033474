#include "runtime/plugins/cpu/nodes/dense/dense_primitive.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/hash.h"
#include "gtest/gtest.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/nodes/dense/dense_kernel.h"
#include "runtime/plugins/cpu/nodes/dense/dense_step.h"
#include "runtime/plugins/cpu/nodes/dense/weights_packing.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

// Packs four numbers doubled.
class DoublingPacking final : public WeightsPacking {
 public:
  Hash128 key() const override { return Hash128(); }
  int64_t packed_bytes() const override { return 4 * sizeof(float); }
  int64_t work_items() const override { return 4; }
  void Run(const void* weights, void* packed, void*, int64_t begin, int64_t end) const override {
    for (int64_t i = begin; i < end; ++i) {
      static_cast<float*>(packed)[i] = 2 * static_cast<const float*>(weights)[i];
    }
  }
};

// Adds the weights to the input, or, as a pass behind, 100 to what is there.
class AddingKernel final : public DenseKernel {
 public:
  explicit AddingKernel(bool is_first) : is_first_(is_first) {}

  const WeightsPacking* packing() const override { return is_first_ ? &packing_ : nullptr; }
  int64_t work_items() const override { return 4; }
  void Run(const DenseArgs& args, int64_t begin, int64_t end) const override {
    auto* const output = static_cast<float*>(args.output);
    for (int64_t i = begin; i < end; ++i) {
      output[i] = is_first_ ? static_cast<const float*>(args.input)[i] + static_cast<const float*>(args.weights)[i]
                            : output[i] + 100;
    }
  }
  std::string name() const override { return is_first_ ? "first" : "second"; }

 private:
  const bool is_first_;
  const DoublingPacking packing_;
};

std::vector<float> Execute(const DensePrimitive& primitive) {
  std::vector<float> x = {1, 2, 3, 4};
  std::vector<float> w = {10, 20, 30, 40};
  std::vector<float> y(4);
  const std::vector<const void*> inputs = {w.data(), x.data()};
  const std::vector<void*> outputs = {y.data()};
  executor::Team team(1, nullptr);
  RunErrors errors;
  absl::StatusOr<AlignedBuffer> scratch = AlignedBuffer::Create(static_cast<size_t>(primitive.ScratchBytes(1)));
  EXPECT_OK(scratch.status());
  primitive.Execute({inputs, outputs, scratch->data(), &team, &errors});
  return y;
}

DensePrimitive::Parts PartsOf(int passes) {
  DensePrimitive::Parts parts;
  for (int i = 0; i < passes; ++i) parts.passes.push_back(std::make_unique<AddingKernel>(i == 0));
  parts.step.inputs = {1, 0};
  parts.rows = 1;
  parts.columns = 4;
  return parts;
}

TEST(DensePrimitiveTest, WeightsThatAreNotConstantArePackedIntoScratchMemory) {
  const DensePrimitive primitive(PartsOf(1));
  EXPECT_EQ(primitive.ScratchBytes(1), 64);
  EXPECT_EQ(Execute(primitive), (std::vector<float>{21, 42, 63, 84}));
  EXPECT_EQ(primitive.kernel_name(), "first");
}

TEST(DensePrimitiveTest, ConstantWeightsAreThere) {
  DensePrimitive::Parts parts = PartsOf(1);
  absl::StatusOr<AlignedBuffer> packed = AlignedBuffer::Create(4 * sizeof(float));
  ASSERT_OK(packed.status());
  for (int i = 0; i < 4; ++i) static_cast<float*>(packed->data())[i] = 0.5f;
  parts.packed = std::make_shared<const AlignedBuffer>(*std::move(packed));
  const DensePrimitive primitive(std::move(parts));
  EXPECT_EQ(primitive.ScratchBytes(1), 0);
  EXPECT_EQ(Execute(primitive), (std::vector<float>{1.5f, 2.5f, 3.5f, 4.5f}));
}

TEST(DensePrimitiveTest, PassesFollowEachOther) {
  EXPECT_EQ(Execute(DensePrimitive(PartsOf(2))), (std::vector<float>{121, 142, 163, 184}));
}

}  // namespace
}  // namespace burin::cpu

#include "tools/kernel_bench/families/body_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "absl/status/status.h"
#include "ir/model.h"
#include "ir/text.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"
#include "tools/kernel_bench/bench_case.h"

namespace burin::kernel_bench {
namespace {

using ::testing::ElementsAre;

constexpr char kBody[] = R"(model "" {
  %0 "x" = Parameter() {shape = [4,8]}
  %1 "bias" = Parameter() {shape = [8]}
  %2 = Add(%0, %1)
  %3 "sum" = Result(%2)
  %4 = Negative(%1)
  %5 "other" = Result(%4)
})";

// Of a machine with small caches, which a few copies are more than.
std::shared_ptr<BodyWork> Make(bool cold) {
  const std::unique_ptr<ir::Model> body = ir::ParseModel(kBody).value();
  jit::CacheSizes caches;
  caches.l1_data = 1 << 10;
  caches.l2 = 4 << 10;
  caches.l3 = caches.l3_share = 16 << 10;
  const jit::Target target =
      jit::Target::ForTesting(jit::Target::Host().value().isa(), jit::Microarch(), caches).value();
  return BodyWork::Create(*body, {target, cold, {}}).value();
}

TEST(BodyWorkTest, HasMemoryForEachOperand) {
  const std::shared_ptr<BodyWork> work = Make(false);
  EXPECT_EQ(work->copies(), 1);
  EXPECT_THAT(work->input_bytes(), ElementsAre(128, 32));
  EXPECT_THAT(work->output_bytes(), ElementsAre(128, 32));
  EXPECT_EQ(work->bytes(), 320);
  EXPECT_EQ(work->elements(), 32);
  EXPECT_FALSE(work->Describe().empty());
}

TEST(BodyWorkTest, ChecksAllResults) {
  const std::shared_ptr<BodyWork> work = Make(false);
  const auto compute = [&work](float error) {
    const auto* const x = static_cast<const float*>(work->inputs(0)[0]);
    const auto* const bias = static_cast<const float*>(work->inputs(0)[1]);
    for (int i = 0; i < 32; ++i) static_cast<float*>(work->outputs(0)[0])[i] = x[i] + bias[i % 8];
    for (int i = 0; i < 8; ++i) static_cast<float*>(work->outputs(0)[1])[i] = -bias[i] + (i == 7 ? error : 0);
  };
  EXPECT_TRUE(work->Check([&] { compute(0); }).right);
  EXPECT_FALSE(work->Check([&] { compute(0.01f); }).right);
  EXPECT_FALSE(work->Check([] {}).right);
}

TEST(BodyWorkTest, ColdCopiesHaveTheSameInputs) {
  const std::shared_ptr<BodyWork> work = Make(true);
  ASSERT_GT(work->copies(), 1);
  EXPECT_NE(work->inputs(0)[0], work->inputs(1)[0]);
  EXPECT_EQ(static_cast<const float*>(work->inputs(0)[0])[31], static_cast<const float*>(work->inputs(1)[0])[31]);
}

TEST(BodyWorkTest, RefusesWhatHasNoSize) {
  const std::unique_ptr<ir::Model> body = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {shape = [?]}
    %1 "y" = Result(%0)
  })")
                                              .value();
  EXPECT_THAT(BodyWork::Create(*body, {jit::Target::Host().value(), false, {}}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::kernel_bench

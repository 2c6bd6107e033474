#include "jit/limits/loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/aligned_buffer.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

constexpr LoopOp kAllOps[] = {LoopOp::kDependentAdd, LoopOp::kFma, LoopOp::kFmaAndAdd, LoopOp::kDotBf16,
                              LoopOp::kDotInt8};

TEST(LoopsTest, EveryLoopOfTheLevelRuns) {
  ASSERT_OK_AND_ASSIGN(const Target host, Target::Host());
  for (const LoopOp op : kAllOps) {
    for (const int bits : {256, 512}) {
      for (const int chains : {1, 5, 12, 14, 24, 30}) {
        const LoopSpec spec{op, bits, chains};
        SCOPED_TRACE(spec.Name());
        if (chains > MaxChains(host.isa())) continue;
        const absl::StatusOr<RegisterLoop> loop = RegisterLoop::Create(host.isa(), spec);
        if (absl::IsUnimplemented(loop.status())) continue;
        ASSERT_OK(loop);
        loop->Run(1);
        loop->Run(1000);
        EXPECT_GE(loop->instructions_per_iteration(), 30);
        EXPECT_EQ(loop->instructions_per_iteration() % chains, 0);
      }
    }
  }
}

TEST(LoopsTest, AMachineWithoutTheInstructionIsTold) {
  const auto status = [](IsaLevel level, LoopOp op, int bits) {
    return RegisterLoop::Create(IsaSet::From(level), {op, bits, 12}).status();
  };
  EXPECT_OK(status(IsaLevel::kAvx2, LoopOp::kFma, 256));
  EXPECT_THAT(status(IsaLevel::kAvx2, LoopOp::kFma, 512),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("fma_512_x12")));
  EXPECT_THAT(status(IsaLevel::kAvx2, LoopOp::kDotInt8, 256), StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_OK(status(IsaLevel::kAvxVnni, LoopOp::kDotInt8, 256));
  EXPECT_OK(status(IsaLevel::kAvx512Vnni, LoopOp::kDotInt8, 256));
  EXPECT_THAT(status(IsaLevel::kAvx512Vnni, LoopOp::kDotBf16, 512), StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_OK(status(IsaLevel::kAvx512Bf16, LoopOp::kDotBf16, 512));
}

TEST(LoopsTest, RefusesSpecsOutOfRange) {
  const IsaSet isa = IsaSet::From(IsaLevel::kAvx512);
  for (const LoopSpec& spec : {LoopSpec{LoopOp::kFma, 128, 12}, LoopSpec{LoopOp::kFma, 256, 0},
                               LoopSpec{LoopOp::kFma, 256, 31}, LoopSpec{LoopOp::kFma, 1024, 1}}) {
    EXPECT_THAT(RegisterLoop::Create(isa, spec), StatusIs(absl::StatusCode::kInvalidArgument)) << spec.Name();
  }
}

TEST(LoopsTest, ChainsAreAsManyAsRegistersLeave) {
  EXPECT_EQ(MaxChains(IsaSet::From(IsaLevel::kAvx2)), 14);
  EXPECT_EQ(MaxChains(IsaSet::From(IsaLevel::kAvx512)), 30);
  EXPECT_THAT(RegisterLoop::Create(IsaSet::From(IsaLevel::kAvx2), {LoopOp::kFma, 256, 15}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(LoopsTest, NamesTellSpecsApart) {
  std::set<std::string> names;
  for (const LoopOp op : kAllOps) {
    for (const int bits : {256, 512}) names.insert(LoopSpec{op, bits, 12}.Name());
  }
  // One name for both widths of the scalar chain.
  EXPECT_EQ(names.size(), 9u);
}

TEST(LoopsTest, ReadsUnderEveryCap) {
  ASSERT_OK_AND_ASSIGN(const Target host, Target::Host());
  ASSERT_OK_AND_ASSIGN(AlignedBuffer buffer, AlignedBuffer::Create(8 * ReadLoop::kBlockBytes));
  std::memset(buffer.data(), 1, buffer.size());
  for (const IsaLevel level : kAllIsaLevels) {
    ASSERT_OK_AND_ASSIGN(const ReadLoop loop, ReadLoop::Create(host.isa().CappedAt(level)));
    loop.Run(buffer.data(), 1, 1);
    loop.Run(buffer.data(), 8, 100);
  }
}

TEST(LoopsTest, CopiesUnderEveryCap) {
  ASSERT_OK_AND_ASSIGN(const Target host, Target::Host());
  constexpr size_t kBytes = 4 * CopyLoop::kBlockBytes;
  ASSERT_OK_AND_ASSIGN(AlignedBuffer from, AlignedBuffer::Create(kBytes));
  ASSERT_OK_AND_ASSIGN(AlignedBuffer to, AlignedBuffer::Create(kBytes));
  uint8_t* const source = static_cast<uint8_t*>(from.data());
  const uint8_t* const copied = static_cast<const uint8_t*>(to.data());
  for (size_t i = 0; i < kBytes; ++i) source[i] = static_cast<uint8_t>(i % 251 + 1);
  for (const IsaLevel level : kAllIsaLevels) {
    ASSERT_OK_AND_ASSIGN(const CopyLoop loop, CopyLoop::Create(host.isa().CappedAt(level)));
    for (const int64_t blocks : {1, 3}) {
      std::memset(to.data(), 0, kBytes);
      loop.Run(from.data(), to.data(), blocks, 2);
      const size_t bytes = static_cast<size_t>(blocks) * CopyLoop::kBlockBytes;
      EXPECT_EQ(std::memcmp(source, copied, bytes), 0) << level;
      EXPECT_EQ(copied[bytes], 0) << level;
    }
  }
}

TEST(LoopsTest, CodeOfAnyLevelIsGeneratedAnywhere) {
  ASSERT_OK_AND_ASSIGN(const CodeBlob dots,
                       RegisterLoop::Generate(IsaSet::From(IsaLevel::kAvx512Bf16), {LoopOp::kDotBf16, 512, 12}));
  EXPECT_EQ(dots.name, "dot_bf16_512_x12");
  ASSERT_OK_AND_ASSIGN(const CodeBlob reads, ReadLoop::Generate(IsaSet::From(IsaLevel::kAvx512)));
  EXPECT_EQ(reads.name, "read_512");
  ASSERT_OK_AND_ASSIGN(const CodeBlob copies, CopyLoop::Generate(IsaSet::From(IsaLevel::kAvx2)));
  EXPECT_EQ(copies.name, "copy_256");
  EXPECT_GT(copies.code_bytes, 0u);
}

}  // namespace
}  // namespace burin::jit

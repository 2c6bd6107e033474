#include "jit/asm/disassembler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

bool HasObjdump() {
  const uint8_t ret[] = {0xc3};
  return Disassemble(ret).status().code() != absl::StatusCode::kNotFound;
}

TEST(DisassemblerTest, ListsInstructions) {
  if (!HasObjdump()) GTEST_SKIP() << "there is no objdump";
  const uint8_t code[] = {0x48, 0x89, 0xf8,                          // mov
                          0xc5, 0xf4, 0x58, 0xc2,                    // vaddps
                          0x62, 0xf1, 0x74, 0xd9, 0x58, 0x47, 0x01,  // vaddps, masked and broadcast
                          0xc4, 0xe2, 0x69, 0x5e, 0xc1,              // tdpbusd
                          0xc3};
  ASSERT_OK_AND_ASSIGN(const std::vector<DisassembledInstruction> lines, Disassemble(code));
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0].text, "mov rax,rdi");
  EXPECT_EQ(lines[0].bytes, "48 89 f8");
  EXPECT_EQ(lines[1].offset, 3u);
  EXPECT_EQ(lines[1].text, "vaddps ymm0,ymm1,ymm2");
  EXPECT_EQ(lines[2].text, "vaddps zmm0{k1}{z},zmm1,DWORD BCST [rdi+0x4]");
  EXPECT_EQ(lines[3].text, "tdpbusd tmm0,tmm1,tmm2");
  EXPECT_EQ(lines[4].offset, 19u);
  EXPECT_EQ(lines[4].text, "ret");
}

TEST(DisassemblerTest, TakesMoreThanAPipeHolds) {
  if (!HasObjdump()) GTEST_SKIP() << "there is no objdump";
  const std::vector<uint8_t> nops(50000, 0x90);
  ASSERT_OK_AND_ASSIGN(const std::vector<DisassembledInstruction> lines, Disassemble(nops));
  EXPECT_EQ(lines.size(), nops.size());
  EXPECT_EQ(lines.back().offset, nops.size() - 1);
}

TEST(DisassemblerTest, SaysWhenThereIsNoObjdump) {
  const char* path = std::getenv("PATH");
  const std::string saved = path == nullptr ? "" : path;
  setenv("PATH", "/nonexistent", 1);
  const uint8_t ret[] = {0xc3};
  EXPECT_THAT(Disassemble(ret), StatusIs(absl::StatusCode::kNotFound, HasSubstr("objdump")));
  setenv("PATH", saved.c_str(), 1);
}

}  // namespace
}  // namespace burin::jit

// Checks jit/asm/instructions.inc as a list: sorted, and with encodings that make sense.
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace burin::jit {
namespace {

struct Row {
  std::string mnemonic;
  std::string needs;
  std::string evex_needs;
};

const std::vector<Row>& Instructions() {
  static const std::vector<Row>& rows = *new std::vector<Row>{
#define BURIN_INSTRUCTION(mnemonic, needs, evex_needs) {#mnemonic, #needs, #evex_needs},
#define BURIN_JUMP(mnemonic)
#include "jit/asm/instructions.inc"
#undef BURIN_INSTRUCTION
#undef BURIN_JUMP
  };
  return rows;
}

const std::vector<std::string>& Jumps() {
  static const std::vector<std::string>& jumps = *new std::vector<std::string>{
#define BURIN_INSTRUCTION(mnemonic, needs, evex_needs)
#define BURIN_JUMP(mnemonic) #mnemonic,
#include "jit/asm/instructions.inc"
#undef BURIN_INSTRUCTION
#undef BURIN_JUMP
  };
  return jumps;
}

TEST(InstructionsTest, AreSorted) {
  for (size_t i = 1; i < Instructions().size(); ++i) {
    EXPECT_LT(Instructions()[i - 1].mnemonic, Instructions()[i].mnemonic);
  }
  for (size_t i = 1; i < Jumps().size(); ++i) EXPECT_LT(Jumps()[i - 1], Jumps()[i]);
}

TEST(InstructionsTest, HaveAnEncodingEach) {
  for (const Row& row : Instructions()) {
    EXPECT_FALSE(row.needs == "kNone" && row.evex_needs == "kNone") << row.mnemonic;
    // Vector instructions begin with v, masks' with k, tiles' with t, ld or st: none is of every machine.
    const char first = row.mnemonic[0];
    if (first == 'v' || first == 'k') {
      EXPECT_NE(row.needs, "kBase") << row.mnemonic;
      EXPECT_NE(row.evex_needs, "kBase") << row.mnemonic;
    } else {
      EXPECT_EQ(row.evex_needs, "kNone") << row.mnemonic;
    }
  }
}

}  // namespace
}  // namespace burin::jit

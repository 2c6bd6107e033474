#include <gtest/gtest.h>
#include <xbyak/xbyak.h>

#include <cstdint>
#include <vector>

namespace burin {
namespace {

struct Sum : Xbyak::CodeGenerator {
  Sum() {
    lea(rax, ptr[rdi + rsi]);
    ret();
  }
};

struct TileConfig : Xbyak::CodeGenerator {
  TileConfig() { ldtilecfg(ptr[rdi]); }
};

TEST(XbyakTest, EmitsCodeThatRuns) {
  const Sum sum;
  EXPECT_EQ(sum.getCode<int64_t (*)(int64_t, int64_t)>()(40, 2), 42);
}

TEST(XbyakTest, AssemblesAmx) {
  const TileConfig code;
  const std::vector<uint8_t> bytes(code.getCode(), code.getCode() + code.getSize());
  EXPECT_EQ(bytes, (std::vector<uint8_t>{0xc4, 0xe2, 0x78, 0x49, 0x07}));
}

}  // namespace
}  // namespace burin

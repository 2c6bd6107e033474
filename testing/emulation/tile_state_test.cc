#include "testing/emulation/tile_state.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

namespace burin::emulation {
namespace {

// A configuration in memory, of three tiles c (rows x columns), a and b that fit.
struct Config {
  uint8_t bytes[64] = {1};
  void Set(int tile, int rows, int row_bytes) {
    const auto stored = static_cast<uint16_t>(row_bytes);
    std::memcpy(bytes + 16 + 2 * tile, &stored, sizeof(stored));
    bytes[48 + tile] = static_cast<uint8_t>(rows);
  }
};

Config DotConfig(int rows, int columns, int depth) {
  Config config;
  config.Set(0, rows, 4 * columns);
  config.Set(1, rows, 4 * depth);
  config.Set(2, depth, 4 * columns);
  return config;
}

uint64_t AddressOf(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

TEST(TileStateTest, ConfigurationIsStoredAsItWasLoaded) {
  TileState tiles;
  uint8_t stored[64];
  std::memset(stored, 0x55, sizeof(stored));
  tiles.StoreConfig(stored);
  EXPECT_EQ(std::accumulate(stored, stored + 64, 0), 0);
  Config config = DotConfig(3, 5, 7);
  config.bytes[1] = 2;
  ASSERT_EQ(tiles.LoadConfig(config.bytes), Fault::kNone);
  tiles.StoreConfig(stored);
  EXPECT_EQ(std::memcmp(stored, config.bytes, 64), 0);
  tiles.Release();
  tiles.StoreConfig(stored);
  EXPECT_EQ(std::accumulate(stored, stored + 64, 0), 0);
}

TEST(TileStateTest, RefusesConfigurationsThatAreNotAllowedAndKeepsTheOldOne) {
  TileState tiles;
  const Config good = DotConfig(16, 16, 16);
  ASSERT_EQ(tiles.LoadConfig(good.bytes), Fault::kNone);
  const auto expect_refused = [&tiles, &good](const Config& config, const char* what) {
    EXPECT_EQ(tiles.LoadConfig(config.bytes), Fault::kGeneralProtection) << what;
    uint8_t stored[64];
    tiles.StoreConfig(stored);
    EXPECT_EQ(std::memcmp(stored, good.bytes, 64), 0) << what;
  };
  Config palette = good;
  palette.bytes[0] = 2;
  expect_refused(palette, "palette");
  for (const int reserved : {2, 15, 32, 47, 56, 63}) {
    Config config = good;
    config.bytes[reserved] = 1;
    expect_refused(config, "reserved byte");
  }
  Config rows = good;
  rows.Set(3, 17, 64);
  expect_refused(rows, "rows");
  Config bytes = good;
  bytes.Set(3, 16, 68);
  expect_refused(bytes, "bytes");
  Config no_columns = good;
  no_columns.Set(3, 16, 0);
  expect_refused(no_columns, "no columns");
  Config no_rows = good;
  no_rows.Set(3, 0, 64);
  expect_refused(no_rows, "no rows");
}

TEST(TileStateTest, LoadsAndStoresRowsByStride) {
  TileState tiles;
  Config config;
  config.Set(4, 3, 8);
  ASSERT_EQ(tiles.LoadConfig(config.bytes), Fault::kNone);
  std::vector<uint8_t> source(64);
  std::iota(source.begin(), source.end(), uint8_t{0});
  ASSERT_EQ(tiles.Load(4, AddressOf(source.data()), 20), Fault::kNone);
  EXPECT_EQ(tiles.row(4, 2)[0], 40);
  EXPECT_EQ(tiles.row(4, 2)[7], 47);
  EXPECT_EQ(tiles.row(4, 2)[8], 0);
  EXPECT_EQ(tiles.row(4, 3)[0], 0);
  // Backwards, and nothing outside of the rows is written.
  std::vector<uint8_t> target(64, 0xcc);
  ASSERT_EQ(tiles.Store(4, AddressOf(target.data() + 40), -20), Fault::kNone);
  EXPECT_EQ(target[0], 40);
  EXPECT_EQ(target[7], 47);
  EXPECT_EQ(target[8], 0xcc);
  EXPECT_EQ(target[20], 20);
  EXPECT_EQ(target[40], 0);
  EXPECT_EQ(target[48], 0xcc);
}

TEST(TileStateTest, StartsAtTheStartRow) {
  TileState tiles;
  Config config;
  config.Set(0, 3, 4);
  config.bytes[1] = 2;
  ASSERT_EQ(tiles.LoadConfig(config.bytes), Fault::kNone);
  const std::vector<uint8_t> source(16, 9);
  ASSERT_EQ(tiles.Load(0, AddressOf(source.data()), 4), Fault::kNone);
  EXPECT_EQ(tiles.row(0, 1)[0], 0);
  EXPECT_EQ(tiles.row(0, 2)[0], 9);
  // The instruction has reset it.
  ASSERT_EQ(tiles.Load(0, AddressOf(source.data()), 4), Fault::kNone);
  EXPECT_EQ(tiles.row(0, 0)[0], 9);
  config.bytes[1] = 3;
  ASSERT_EQ(tiles.LoadConfig(config.bytes), Fault::kNone);
  EXPECT_EQ(tiles.Load(0, AddressOf(source.data()), 4), Fault::kInvalidOpcode);
}

TEST(TileStateTest, DotAddsToWhatIsThere) {
  TileState tiles;
  ASSERT_EQ(tiles.LoadConfig(DotConfig(1, 1, 2).bytes), Fault::kNone);
  const int32_t c = 100;
  const uint8_t a[8] = {1, 2, 3, 4, 0xff, 0, 0, 0};
  const uint8_t b[8] = {1, 1, 1, 1, 2, 0, 0, 0};
  ASSERT_EQ(tiles.Load(0, AddressOf(&c), 4), Fault::kNone);
  ASSERT_EQ(tiles.Load(1, AddressOf(a), 8), Fault::kNone);
  ASSERT_EQ(tiles.Load(2, AddressOf(b), 4), Fault::kNone);
  ASSERT_EQ(tiles.Dot(DotKind::kS8S8, 0, 1, 2), Fault::kNone);
  int32_t sum = 0;
  ASSERT_EQ(tiles.Store(0, AddressOf(&sum), 4), Fault::kNone);
  EXPECT_EQ(sum, 100 + 10 - 2);
  ASSERT_EQ(tiles.Dot(DotKind::kU8S8, 0, 1, 2), Fault::kNone);
  ASSERT_EQ(tiles.Store(0, AddressOf(&sum), 4), Fault::kNone);
  EXPECT_EQ(sum, 108 + 10 + 510);
  ASSERT_EQ(tiles.Zero(0), Fault::kNone);
  ASSERT_EQ(tiles.Store(0, AddressOf(&sum), 4), Fault::kNone);
  EXPECT_EQ(sum, 0);
}

TEST(TileStateTest, RefusesOperandsThatDoNotFit) {
  TileState tiles;
  EXPECT_EQ(tiles.Zero(0), Fault::kInvalidOpcode) << "nothing is configured";
  Config config = DotConfig(4, 4, 4);
  config.Set(3, 5, 16);
  config.Set(4, 4, 6);
  ASSERT_EQ(tiles.LoadConfig(config.bytes), Fault::kNone);
  uint8_t memory[1024] = {};
  EXPECT_EQ(tiles.Dot(DotKind::kS8S8, 0, 1, 2), Fault::kNone);
  EXPECT_EQ(tiles.Dot(DotKind::kS8S8, 0, 0, 2), Fault::kInvalidOpcode) << "c is a";
  EXPECT_EQ(tiles.Dot(DotKind::kS8S8, 0, 1, 0), Fault::kInvalidOpcode) << "c is b";
  EXPECT_EQ(tiles.Dot(DotKind::kS8S8, 0, 1, 1), Fault::kInvalidOpcode) << "a is b";
  EXPECT_EQ(tiles.Dot(DotKind::kBf16, 0, 3, 2), Fault::kInvalidOpcode) << "rows of a";
  EXPECT_EQ(tiles.Dot(DotKind::kBf16, 0, 1, 3), Fault::kInvalidOpcode) << "rows of b";
  EXPECT_EQ(tiles.Dot(DotKind::kF16, 0, 1, 4), Fault::kInvalidOpcode) << "no whole dwords";
  EXPECT_EQ(tiles.Dot(DotKind::kF16, 0, 1, 7), Fault::kInvalidOpcode) << "not configured";
  EXPECT_EQ(tiles.Dot(DotKind::kF16, 0, 1, 9), Fault::kInvalidOpcode) << "no such tile";
  EXPECT_EQ(tiles.Load(4, AddressOf(memory), 64), Fault::kInvalidOpcode) << "no whole dwords";
  EXPECT_EQ(tiles.Store(7, AddressOf(memory), 64), Fault::kInvalidOpcode) << "not configured";
}

}  // namespace
}  // namespace burin::emulation

// Draws the random cases whose results were recorded on another emulator: operands, tiles, addresses and strides.
//
// For tests only. The sequence of draws is part of the recording and must stay as it is. Not thread-safe.
#ifndef BURIN_TESTING_EMULATION_RECORDED_CASES_TESTLIB_H_
#define BURIN_TESTING_EMULATION_RECORDED_CASES_TESTLIB_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "testing/emulation/code_bytes_testlib.h"
#include "testing/emulation/vex_instruction.h"

namespace burin::emulation {

// The generator of the recording: xorshift, of which 32 bits are handed out.
class RecordedRandom {
 public:
  uint32_t Next();
  uint32_t Below(uint32_t bound) { return Next() % bound; }

 private:
  uint64_t state_ = 0x9e3779b97f4a7c15;
};

// CRC-32 (polynomial 0xedb88320) continued from `crc`, without the final complement.
uint32_t Crc32(const void* bytes, size_t count, uint32_t crc = ~uint32_t{0});

// A tile configuration in memory.
struct alignas(64) TileConfig {
  uint8_t palette = 1;
  uint8_t start_row = 0;
  uint8_t reserved[14] = {};
  uint16_t row_bytes[16] = {};
  uint8_t rows[16] = {};
};

// Runs LDTILECFG or STTILECFG through a random base register.
void RunConfig(RecordedRandom* random, Prefix prefix, void* config);
// Runs a tile load or store through random base and index registers, scale and displacement.
void RunMove(RecordedRandom* random, Prefix prefix, int tile, const void* data, int64_t stride);

// Draws case `round` of operation `operation` (0 to 5: TDPBSSD, TDPBSUD, TDPBUSD, TDPBUUD, TDPBF16PS, TDPFP16PS), runs
// it and returns its line of the recording up to the checksums, with NaNs made alike: "0 bssd M16 N16 K16 t7,0,6 cfg1
// canon f84719ea outside 0".
std::string RunDotCase(RecordedRandom* random, int round, int operation);

// The same for VPDPBUSD, VPDPBUSDS, VPDPWSSD, VPDPWSSDS (opcodes 0x50 to 0x53): "0 vnni 50 L1 m0 1234abcd".
std::string RunVnniCase(RecordedRandom* random, int round, int opcode);

}  // namespace burin::emulation

#endif  // BURIN_TESTING_EMULATION_RECORDED_CASES_TESTLIB_H_

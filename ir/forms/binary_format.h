// The header of the binary form of a model.
//
// For ir/binary.h, its tests and its fuzzer alone. Plain data.
#ifndef BURIN_IR_FORMS_BINARY_FORMAT_H_
#define BURIN_IR_FORMS_BINARY_FORMAT_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "base/hash.h"

namespace burin::ir {

// Raised with every change of the format that a reader of the older one would misread. Version 2 has runtime info.
inline constexpr uint32_t kBinaryVersion = 2;
// Older ones are read back to this one.
inline constexpr uint32_t kOldestBinaryVersion = 1;
inline constexpr char kBinaryMagic[8] = {'B', 'U', 'R', 'I', 'N', 'I', 'R', '1'};

// The first bytes of a file, in memory as on disk (x86 is little-endian).
struct BinaryHeader {
  char magic[8];
  uint32_t version;
  uint32_t reserved;  // Zero.
  // Offsets from the first byte of the header; sizes in bytes. The data section ends the file.
  uint64_t graph_offset;
  uint64_t graph_size;
  uint64_t data_offset;
  uint64_t data_size;
  // Of the fields above and the graph section.
  uint64_t checksum_high;
  uint64_t checksum_low;
};
static_assert(sizeof(BinaryHeader) == 64, "the header is 64 bytes");
static_assert(offsetof(BinaryHeader, checksum_high) == 48, "the checksum stands last");

// Returns the checksum that belongs into the header.
inline Hash128 BinaryChecksum(const BinaryHeader& header, absl::string_view graph) {
  Hasher hasher;
  hasher.Update(&header, offsetof(BinaryHeader, checksum_high));
  hasher.Update(graph.data(), graph.size());
  return hasher.Finish();
}

}  // namespace burin::ir

#endif  // BURIN_IR_FORMS_BINARY_FORMAT_H_

// Puts a binary form of a model together from sections that no model gave, so that a test reaches what lies behind the
// checksum.
//
// For tests and fuzzers only. Stateless, thread-safe.
#ifndef BURIN_IR_FORMS_BINARY_TESTLIB_H_
#define BURIN_IR_FORMS_BINARY_TESTLIB_H_

#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/string_view.h"
#include "base/hash.h"
#include "ir/forms/binary_format.h"

namespace burin::ir {

// Returns a binary form of a version with these sections: its header and checksum are right.
inline std::string BinaryOf(absl::string_view graph, absl::string_view data, uint32_t version = kBinaryVersion) {
  BinaryHeader header = {};
  std::memcpy(header.magic, kBinaryMagic, sizeof(header.magic));
  header.version = version;
  header.graph_offset = sizeof(header);
  header.graph_size = graph.size();
  header.data_offset = (sizeof(header) + graph.size() + 63) / 64 * 64;
  header.data_size = data.size();
  const Hash128 checksum = BinaryChecksum(header, graph);
  header.checksum_high = checksum.high;
  header.checksum_low = checksum.low;
  std::string blob(reinterpret_cast<const char*>(&header), sizeof(header));
  blob.append(graph.data(), graph.size());
  blob.resize(header.data_offset);
  blob.append(data.data(), data.size());
  return blob;
}

}  // namespace burin::ir

#endif  // BURIN_IR_FORMS_BINARY_TESTLIB_H_

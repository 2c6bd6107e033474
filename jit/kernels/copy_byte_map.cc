#include "jit/kernels/copy_byte_map.h"

#include <algorithm>
#include <cstddef>

namespace burin::jit {
namespace {

// Returns where byte 0 of an element of a record lies.
CopyByteMap::Place PlaceOf(const CopyRecordsSide& side, int element_bytes, int count, int vector_bytes, int record,
                           int element) {
  if (side.rows()) return {element, record * element_bytes};
  const int lowest = std::min(0, (count - 1) * side.step);
  const int offset = record * side.pitch + element * side.step - lowest;
  return {offset / vector_bytes, offset % vector_bytes};
}

}  // namespace

int CopyByteMap::VectorsOf(const CopyRecordsSide& side, int element_bytes, int count) {
  return side.rows() ? count : side.pitch / element_bytes;
}

CopyByteMap CopyByteMap::Of(int element_bytes, int count, const CopyRecordsSide& source,
                            const CopyRecordsSide& destination, int vector_bytes) {
  CopyByteMap map;
  map.source_vectors = VectorsOf(source, element_bytes, count);
  map.destination.assign(static_cast<size_t>(VectorsOf(destination, element_bytes, count)),
                         std::vector<Place>(static_cast<size_t>(vector_bytes)));
  for (int record = 0; record < vector_bytes / element_bytes; ++record) {
    for (int element = 0; element < count; ++element) {
      const Place from = PlaceOf(source, element_bytes, count, vector_bytes, record, element);
      const Place to = PlaceOf(destination, element_bytes, count, vector_bytes, record, element);
      for (int byte = 0; byte < element_bytes; ++byte) {
        map.destination[static_cast<size_t>(to.vector)][static_cast<size_t>(to.byte + byte)] = {from.vector,
                                                                                                from.byte + byte};
      }
    }
  }
  return map;
}

uint64_t CopyByteMap::UsedOf(int source_vector) const {
  uint64_t used = 0;
  for (const std::vector<Place>& bytes : destination) {
    for (const Place& from : bytes) {
      if (from.vector == source_vector) used |= uint64_t{1} << from.byte;
    }
  }
  return used;
}

uint64_t CopyByteMap::WrittenOf(int destination_vector) const {
  uint64_t written = 0;
  const std::vector<Place>& bytes = destination[static_cast<size_t>(destination_vector)];
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i].vector >= 0) written |= uint64_t{1} << i;
  }
  return written;
}

std::vector<int> CopyByteMap::PartsOf(int destination_vector) const {
  std::vector<int> parts;
  for (const Place& from : destination[static_cast<size_t>(destination_vector)]) {
    if (from.vector >= 0) parts.push_back(from.vector);
  }
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return parts;
}

}  // namespace burin::jit

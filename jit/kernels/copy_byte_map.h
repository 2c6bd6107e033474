// Says from which byte of which vector each byte of a vector comes when short records are moved.
//
// Use it in the generator of jit/kernels/copy_records.h. A value and a pure function, hence thread-safe.
#ifndef BURIN_JIT_KERNELS_COPY_BYTE_MAP_H_
#define BURIN_JIT_KERNELS_COPY_BYTE_MAP_H_

#include <cstdint>
#include <vector>

namespace burin::jit {

// Says where the elements of records lie on one side.
struct CopyRecordsSide {
  // Bytes from record to record; 0 where each element of a record has a row of its own, in which those of neighbouring
  // records follow each other.
  int pitch = 0;
  // Bytes from element to element of a record, positive or negative; not read for rows.
  int step = 0;

  bool rows() const { return pitch == 0; }
};

// Describes the movement of as many records as fill a vector with one element each. A side with rows has one vector a
// row; another one has those that its records cover, from the lowest byte of the first one on.
struct CopyByteMap {
  // Names a byte; `vector` is negative where nothing is written.
  struct Place {
    int vector = -1;
    int byte = 0;
  };

  // Returns how many vectors a side has.
  static int VectorsOf(const CopyRecordsSide& side, int element_bytes, int count);

  // Returns the map for records of `count` elements, and vectors of `vector_bytes`. Records do not overlap, and pitches
  // and steps are multiples of `element_bytes`.
  static CopyByteMap Of(int element_bytes, int count, const CopyRecordsSide& source, const CopyRecordsSide& destination,
                        int vector_bytes);

  // Returns the bytes of a source's vector that are wanted, as bits.
  uint64_t UsedOf(int source_vector) const;

  // Returns the bytes of a destination's vector that are written, as bits.
  uint64_t WrittenOf(int destination_vector) const;

  // Returns the vectors that a destination's vector is made of, in ascending order.
  std::vector<int> PartsOf(int destination_vector) const;

  int source_vectors = 0;
  // For each vector of the destination, its bytes.
  std::vector<std::vector<Place>> destination;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_COPY_BYTE_MAP_H_

#include "ir/forms/byte_stream.h"

#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace burin::ir {
namespace {

// The bytes that a dimension takes at least: two bounds and the length of its symbol.
constexpr size_t kLeastDimensionBytes = 2 * sizeof(int64_t) + kCountBytes;

absl::Status Truncated() { return absl::DataLossError("The bytes end inside of a value"); }

}  // namespace

void ByteWriter::WriteString(absl::string_view text) {
  WriteCount(text.size());
  WriteBytes(text);
}

void ByteWriter::WriteShape(const PartialShape& shape) {
  Write(static_cast<uint8_t>(shape.has_rank()));
  WriteCount(shape.dims().size());
  for (const Dimension& dim : shape.dims()) {
    Write(dim.min());
    Write(dim.max());
    WriteString(dim.symbol());
  }
}

absl::Status ByteReader::Take(size_t size, void* target) {
  if (rest_.size() < size) return Truncated();
  std::memcpy(target, rest_.data(), size);
  rest_.remove_prefix(size);
  return absl::OkStatus();
}

absl::StatusOr<size_t> ByteReader::ReadCount(size_t least_bytes) {
  BURIN_ASSIGN_OR_RETURN(const uint64_t count, Read<uint64_t>());
  if (count > rest_.size() / least_bytes) return Truncated();
  return static_cast<size_t>(count);
}

absl::StatusOr<absl::string_view> ByteReader::ReadString() {
  BURIN_ASSIGN_OR_RETURN(const size_t size, ReadCount(1));
  const absl::string_view text = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return text;
}

absl::StatusOr<PartialShape> ByteReader::ReadShape() {
  BURIN_ASSIGN_OR_RETURN(const uint8_t has_rank, Read<uint8_t>());
  BURIN_ASSIGN_OR_RETURN(const size_t rank, ReadCount(kLeastDimensionBytes));
  if (has_rank > 1 || (has_rank == 0 && rank > 0)) return absl::DataLossError("A shape is malformed");
  std::vector<Dimension> dims;
  dims.reserve(rank);
  for (size_t i = 0; i < rank; ++i) {
    BURIN_ASSIGN_OR_RETURN(const int64_t min, Read<int64_t>());
    BURIN_ASSIGN_OR_RETURN(const int64_t max, Read<int64_t>());
    BURIN_ASSIGN_OR_RETURN(const absl::string_view symbol, ReadString());
    if (min > max) return absl::DataLossError(absl::StrCat("A dimension is empty: ", min, "..", max));
    dims.emplace_back(min, max, std::string(symbol));
  }
  return has_rank == 0 ? PartialShape::DynamicRank() : PartialShape(std::move(dims));
}

}  // namespace burin::ir

#include "jit/asm/constant_pool.h"

#include <algorithm>

#include "base/check.h"

namespace burin::jit {
namespace {

// Of a vector of the largest width.
constexpr size_t kMaxVectorBytes = 64;

}  // namespace

Constant ConstantPool::Add(absl::string_view bytes, size_t alignment) {
  BURIN_CHECK(!bytes.empty()) << "a constant has bytes";
  BURIN_CHECK(alignment != 0 && (alignment & (alignment - 1)) == 0 && alignment <= kAlignment) << alignment;
  const auto size = static_cast<uint32_t>(bytes.size());
  const auto found = offsets_.find(bytes);
  if (found != offsets_.end() && found->second % alignment == 0) {
    shared_bytes_ += bytes.size();
    return {found->second, size};
  }
  const size_t offset = (bytes_.size() + alignment - 1) / alignment * alignment;
  bytes_.resize(offset);
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  if (found != offsets_.end()) {
    found->second = static_cast<uint32_t>(offset);
  } else {
    offsets_.emplace(std::string(bytes), static_cast<uint32_t>(offset));
  }
  return {static_cast<uint32_t>(offset), size};
}

Constant ConstantPool::AddRepeated(absl::string_view element, size_t bytes) {
  BURIN_CHECK(bytes == 16 || bytes == 32 || bytes == 64) << bytes;
  char vector[kMaxVectorBytes];
  for (size_t i = 0; i < bytes; i += element.size()) std::memcpy(vector + i, element.data(), element.size());
  return Add(absl::string_view(vector, bytes), bytes);
}

Constant ConstantPool::AddTable(absl::string_view bytes) {
  size_t alignment = 1;
  while (alignment < std::min(bytes.size(), kAlignment)) alignment *= 2;
  return Add(bytes, alignment);
}

}  // namespace burin::jit

#include "tools/kernel_bench/families/case_buffers.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "jit/limits/machine_limits.h"

namespace burin::kernel_bench {
namespace {

constexpr int64_t kPageBytes = 4096;
// 17 cache lines: from buffer to buffer another place in the page.
constexpr int64_t kStaggerBytes = 17 * 64;
constexpr size_t kHugePageBytes = size_t{2} << 20;
// Of a float: not a number.
constexpr int kSpoiledByte = 0xff;

int64_t RoundUp(int64_t bytes, int64_t unit) { return (bytes + unit - 1) / unit * unit; }

std::string Size(int64_t bytes) {
  if (bytes % 1024 != 0) return absl::StrCat(bytes, " B");
  return absl::StrCat(bytes / 1024, " KiB");
}

}  // namespace

absl::StatusOr<std::shared_ptr<CaseBuffers>> CaseBuffers::Create(int inputs, int64_t in_bytes, int64_t out_bytes,
                                                                 bool cold, const jit::CacheSizes& caches) {
  const int64_t stride = RoundUp(std::max(in_bytes, out_bytes), kPageBytes) + kStaggerBytes;
  const int64_t copy_stride = RoundUp((inputs + 1) * stride, kPageBytes);
  int copies = 1;
  if (cold) {
    const int64_t used = inputs * in_bytes + out_bytes;
    const int64_t wanted = jit::WorkingSetBytes(jit::Limit::kReadDram, caches);
    copies = static_cast<int>(std::max<int64_t>(2, (wanted + used - 1) / std::max<int64_t>(used, 1)));
  }
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer memory,
                         AlignedBuffer::Create(static_cast<size_t>(copies * copy_stride), kHugePageBytes));
  // Advice: where it is not taken, the figures are those of small pages.
  (void)madvise(memory.data(), memory.capacity(), MADV_HUGEPAGE);
  std::memset(memory.data(), 0, memory.size());
  return std::shared_ptr<CaseBuffers>(
      new CaseBuffers(inputs, in_bytes, out_bytes, copies, stride, copy_stride, std::move(memory)));
}

void CaseBuffers::Replicate() {
  for (int copy = 1; copy < copies_; ++copy) {
    for (int input = 0; input < inputs_; ++input) {
      std::memcpy(At(copy, input), At(0, input), static_cast<size_t>(in_bytes_));
    }
  }
}

void CaseBuffers::Spoil() { std::memset(At(0, inputs_), kSpoiledByte, static_cast<size_t>(out_bytes_)); }

std::string CaseBuffers::Describe() const {
  return absl::StrCat(inputs_, inputs_ == 1 ? " input of " : " inputs of ", Size(in_bytes_), ", output of ",
                      Size(out_bytes_), ", aligned to 64 bytes; ",
                      copies_ == 1 ? std::string("the same at each repeat")
                                   : absl::StrCat("another of ", copies_, " copies at each repeat: cold"));
}

}  // namespace burin::kernel_bench

#include "testing/emulation/xsave_area.h"

#include <cpuid.h>

#include <cstddef>
#include <cstring>

namespace burin::emulation {
namespace {

// The software-reserved bytes of the legacy part: Linux says there that an extended part follows.
constexpr size_t kMagicOffset = 464;
constexpr uint32_t kMagic = 0x46505853;  // FP_XSTATE_MAGIC1
constexpr size_t kXmmOffset = 160;
constexpr size_t kXmmBytes = 16;
constexpr size_t kComponentsOffset = 512;  // XSTATE_BV
constexpr size_t kYmmHighOffset = 576;
constexpr size_t kZmmHighBytes = 32;
constexpr uint64_t kSse = uint64_t{1} << 1;
constexpr uint64_t kAvx = uint64_t{1} << 2;
constexpr uint64_t kZmmHigh = uint64_t{1} << 6;

// Returns where the upper halves of zmm0 to zmm15 lie, or 0 where the processor has none. CPUID may be asked anywhere.
size_t ZmmHighOffset() {
  unsigned size = 0;
  unsigned offset = 0;
  unsigned flags = 0;
  unsigned unused = 0;
  if (__get_cpuid_count(13, 6, &size, &offset, &flags, &unused) == 0 || size == 0) return 0;
  return offset;
}

}  // namespace

bool XsaveArea::is_valid() const {
  if (area_ == nullptr) return false;
  uint32_t magic = 0;
  std::memcpy(&magic, area_ + kMagicOffset, sizeof(magic));
  return magic == kMagic;
}

uint64_t XsaveArea::saved_components() const {
  uint64_t components = 0;
  std::memcpy(&components, area_ + kComponentsOffset, sizeof(components));
  return components;
}

void XsaveArea::ReadYmm(int index, uint8_t* bytes) const {
  // A component that is not saved is in its initial state, zero.
  std::memset(bytes, 0, 2 * kXmmBytes);
  const size_t at = static_cast<size_t>(index) * kXmmBytes;
  const uint64_t components = saved_components();
  if ((components & kSse) != 0) std::memcpy(bytes, area_ + kXmmOffset + at, kXmmBytes);
  if ((components & kAvx) != 0) std::memcpy(bytes + kXmmBytes, area_ + kYmmHighOffset + at, kXmmBytes);
}

void XsaveArea::WriteYmm(int index, const uint8_t* bytes) {
  uint64_t components = saved_components();
  // A component that becomes saved brings its other registers along, which are zero.
  if ((components & kSse) == 0) std::memset(area_ + kXmmOffset, 0, 16 * kXmmBytes);
  if ((components & kAvx) == 0) std::memset(area_ + kYmmHighOffset, 0, 16 * kXmmBytes);
  const size_t at = static_cast<size_t>(index) * kXmmBytes;
  std::memcpy(area_ + kXmmOffset + at, bytes, kXmmBytes);
  std::memcpy(area_ + kYmmHighOffset + at, bytes + kXmmBytes, kXmmBytes);
  if ((components & kZmmHigh) != 0) {
    const size_t zmm_high = ZmmHighOffset();
    if (zmm_high != 0) std::memset(area_ + zmm_high + static_cast<size_t>(index) * kZmmHighBytes, 0, kZmmHighBytes);
  }
  components |= kSse | kAvx;
  std::memcpy(area_ + kComponentsOffset, &components, sizeof(components));
}

}  // namespace burin::emulation

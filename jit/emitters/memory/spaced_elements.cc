#include "jit/emitters/memory/spaced_elements.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/check.h"
#include "jit/asm/assembler.h"
#include "jit/asm/reg_pool.h"

namespace burin::jit {
namespace {

constexpr int kElementBytes = 4;

// Elements of a vector of 128 bits.
constexpr int kQuarter = 4;

// Of the vectors of memory that hold spaced elements: how far into the memory each begins, in elements. The last one
// ends with the last element, so that no memory behind it is read.
int BeginOf(int chunk, int spacing, int lanes) {
  return chunk + 1 < spacing ? chunk * lanes : spacing * (lanes - 1) + 1 - lanes;
}

// Returns which of them has element `lane`.
int ChunkOf(int lane, int spacing, int lanes) { return std::min(lane * spacing / lanes, spacing - 1); }

// Returns the place of element `lane` in it.
int32_t PlaceOf(int lane, int spacing, int lanes) {
  return lane * spacing - BeginOf(ChunkOf(lane, spacing, lanes), spacing, lanes);
}

Address Table(Assembler& code, const std::vector<int32_t>& values) {
  return code.At(code.constants().Table(absl::Span<const int32_t>(values)));
}

Address Behind(const Address& address, int elements) { return ptr[address.getRegExp() + elements * kElementBytes]; }

// Calls emit(lane, address) for each lane of 128 bits, and moves `at` on.
template <class Emit>
void EachOfQuarter(Assembler& code, const Reg64& at, const Reg64& stride, const Emit& emit) {
  for (int lane = 0; lane < kQuarter; lane += 2) {
    emit(lane, ptr[at]);
    emit(lane + 1, ptr[at + stride]);
    code.lea(at, ptr[at + stride * 2]);
  }
}

void EmitLoadQuarter(Assembler& code, const Xmm& to, const Reg64& from, const Reg64& stride) {
  EachOfQuarter(code, from, stride, [&](int lane, const Address& address) {
    if (lane == 0) {
      code.vmovd(to, address);
    } else {
      code.vpinsrd(to, to, address, lane);
    }
  });
}

void EmitStoreQuarter(Assembler& code, const Reg64& to, const Reg64& stride, const Xmm& from) {
  EachOfQuarter(code, to, stride, [&](int lane, const Address& address) {
    if (lane == 0) {
      code.vmovd(address, from);
    } else {
      code.vextractps(address, from, lane);
    }
  });
}

void CheckSpacing(int spacing) {
  BURIN_CHECK(spacing >= 2 && spacing <= kMostSpacing) << "no distance of elements: " << spacing;
}

}  // namespace

void EmitLoadSpaced(VecAvx2& v, const Xmm& to, const Address& from, int spacing) {
  CheckSpacing(spacing);
  constexpr int kLanes = VecAvx2::kLanes;
  Assembler& code = v.code();
  std::vector<int32_t> places;
  for (int lane = 0; lane < kLanes; ++lane) places.push_back(PlaceOf(lane, spacing, kLanes));
  const VecReg table = v.New("places");
  const VecReg found = v.New("found");
  v.Load(table, Table(code, places));
  for (int chunk = 0; chunk < spacing; ++chunk) {
    const Xmm& part = chunk == 0 ? to : static_cast<const Xmm&>(found);
    code.vpermps(AsYmm(part), AsYmm(table), Behind(from, BeginOf(chunk, spacing, kLanes)));
    if (chunk == 0) continue;
    int here = 0;
    for (int lane = 0; lane < kLanes; ++lane) here |= (ChunkOf(lane, spacing, kLanes) == chunk ? 1 : 0) << lane;
    code.vblendps(AsYmm(to), AsYmm(to), AsYmm(found), static_cast<uint8_t>(here));
  }
}

void EmitLoadSpaced(VecAvx512& v, const Xmm& to, const Address& from, int spacing) {
  CheckSpacing(spacing);
  constexpr int kLanes = VecAvx512::kLanes;
  Assembler& code = v.code();
  const VecReg table = v.New("places");
  v.Load(to, from);
  for (int chunk = 1; chunk < spacing; ++chunk) {
    // Out of what is there, which in the first round is the first chunk, and this chunk.
    std::vector<int32_t> places;
    for (int lane = 0; lane < kLanes; ++lane) {
      const int of = ChunkOf(lane, spacing, kLanes);
      const int32_t place = PlaceOf(lane, spacing, kLanes);
      if (of == chunk) {
        places.push_back(kLanes + place);
      } else {
        places.push_back(chunk == 1 && of == 0 ? place : lane);
      }
    }
    v.Load(table, Table(code, places));
    code.vpermt2ps(AsZmm(to), AsZmm(table), Behind(from, BeginOf(chunk, spacing, kLanes)));
  }
}

void EmitStoreSpaced(VecAvx2& v, const Address& to, const Xmm& from, int spacing) {
  CheckSpacing(spacing);
  Assembler& code = v.code();
  const VecReg upper = v.New("upper");
  code.vextracti128(AsXmm(upper), AsYmm(from), 1);
  for (int lane = 0; lane < VecAvx2::kLanes; ++lane) {
    const Xmm part = lane < kQuarter ? AsXmm(from) : AsXmm(upper);
    if (lane % kQuarter == 0) {
      code.vmovd(Behind(to, lane * spacing), part);
    } else {
      code.vextractps(Behind(to, lane * spacing), part, lane % kQuarter);
    }
  }
}

void EmitStoreSpaced(VecAvx512& v, const Address& to, const Xmm& from, int spacing) {
  CheckSpacing(spacing);
  constexpr int kLanes = VecAvx512::kLanes;
  Assembler& code = v.code();
  const VecReg spread = v.New("spread");
  const MaskReg mask = v.NewMask("elements");
  const GprReg bits = code.regs().Gpr("bits");
  int before = 0;
  for (int chunk = 0; chunk < spacing; ++chunk) {
    std::vector<int32_t> places;
    int elements = 0;
    for (int place = chunk * kLanes; place < (chunk + 1) * kLanes; ++place) {
      places.push_back(place / spacing);
      if (place % spacing == 0) elements |= 1 << (place % kLanes);
    }
    if (elements != before) {
      code.mov(bits.cvt32(), elements);
      code.kmovw(mask, bits.cvt32());
      before = elements;
    }
    if (spacing == 2) {
      // Of half of them, each with a zero behind it.
      if (chunk == 1) code.vextracti64x4(AsYmm(spread), AsZmm(from), 1);
      code.vpmovzxdq(AsZmm(spread), chunk == 1 ? AsYmm(spread) : AsYmm(from));
    } else {
      v.Load(spread, Table(code, places));
      code.vpermps(AsZmm(spread), AsZmm(spread), AsZmm(from));
    }
    v.StoreMasked(Behind(to, chunk * kLanes), mask, spread);
  }
}

void EmitLoadStrided(VecAvx2& v, const Xmm& to, const Reg64& from, const Reg64& stride) {
  const VecReg upper = v.New("upper");
  EmitLoadQuarter(v.code(), AsXmm(to), from, stride);
  EmitLoadQuarter(v.code(), AsXmm(upper), from, stride);
  v.code().vinserti128(AsYmm(to), AsYmm(to), AsXmm(upper), 1);
}

void EmitLoadStrided(VecAvx512& v, const Xmm& to, const Reg64& from, const Reg64& stride) {
  const VecReg part = v.New("part");
  EmitLoadQuarter(v.code(), AsXmm(to), from, stride);
  for (int quarter = 1; quarter < VecAvx512::kLanes / kQuarter; ++quarter) {
    EmitLoadQuarter(v.code(), AsXmm(part), from, stride);
    v.code().vinserti32x4(AsZmm(to), AsZmm(to), AsXmm(part), static_cast<uint8_t>(quarter));
  }
}

void EmitStoreStrided(VecAvx2& v, const Reg64& to, const Reg64& stride, const Xmm& from) {
  const VecReg upper = v.New("upper");
  EmitStoreQuarter(v.code(), to, stride, AsXmm(from));
  v.code().vextracti128(AsXmm(upper), AsYmm(from), 1);
  EmitStoreQuarter(v.code(), to, stride, AsXmm(upper));
}

void EmitStoreStrided(VecAvx512& v, const Reg64& to, const Reg64& stride, const Xmm& from) {
  const VecReg part = v.New("part");
  EmitStoreQuarter(v.code(), to, stride, AsXmm(from));
  for (int quarter = 1; quarter < VecAvx512::kLanes / kQuarter; ++quarter) {
    v.code().vextracti32x4(AsXmm(part), AsZmm(from), static_cast<uint8_t>(quarter));
    EmitStoreQuarter(v.code(), to, stride, AsXmm(part));
  }
}

}  // namespace burin::jit

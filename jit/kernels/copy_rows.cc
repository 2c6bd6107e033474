#include "jit/kernels/copy_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/kernels/copy_args.h"
#include "jit/kernels/copy_loops.h"

namespace burin::jit {
namespace {

// What the main loop moves in one pass.
constexpr int kPassBytes = 256;

// Rows of up to this are moved without loops.
constexpr int kMaxShortBytes = 512;

class CopyRowsGenerator {
 public:
  CopyRowsGenerator(const CopyRowsSpec& spec, Assembler& code)
      : spec_(spec),
        code_(code),
        frame_(code),
        loops_(code, frame_),
        bytes_(code.regs().Gpr("bytes")),
        from_(code.regs().Gpr("from")),
        to_(code.regs().Gpr("to")),
        left_(code.regs().Gpr("left")),
        vector_bytes_(code.regs().vector_bits() / 8) {
    for (int i = 0; i < kPassBytes / vector_bytes_; ++i) vecs_.push_back(code.regs().Vec(absl::StrCat("v", i)));
  }

  void Emit() {
    frame_.Load(bytes_, BURIN_ARG_FIELD(CopyArgs, extent0));
    std::vector<int> halves;
    for (int half = fills() ? spec_.fill_bytes : 1; half <= kMaxShortBytes / 2; half *= 2) halves.push_back(half);
    std::vector<Label> places(halves.size());
    for (size_t i = 0; i < halves.size(); ++i) {
      code_.cmp(bytes_, 2 * halves[i]);
      code_.jbe(places[i]);
    }
    loops_.Emit([&] { EmitLongRow(); });
    code_.jmp(frame_.exit());
    for (size_t i = 0; i < halves.size(); ++i) {
      code_.Mark(absl::StrCat("rows of up to ", 2 * halves[i], " bytes"));
      code_.Bind(places[i]);
      loops_.Emit([&] { EmitShortRow(halves[i]); });
      code_.jmp(frame_.exit());
    }
    frame_.Finish();
  }

 private:
  bool fills() const { return spec_.fill_bytes > 0; }

  // Fills a vector with the row's element.
  void EmitValue() {
    const VecReg& value = vecs_[0];
    const Address element = ptr[loops_.source()];
    switch (spec_.fill_bytes) {
      case 1:
        return code_.vpbroadcastb(value, element);
      case 2:
        return code_.vpbroadcastw(value, element);
      case 4:
        return code_.vpbroadcastd(value, element);
      case 8:
        return code_.vpbroadcastq(value, element);
      default:
        if (vector_bytes_ == 64) return code_.vbroadcasti32x4(AsZmm(value), element);
        return code_.vbroadcasti128(AsYmm(value), element);
    }
  }

  Xmm Sized(const Xmm& vec, int bytes) const {
    return bytes == 64 ? Xmm(AsZmm(vec)) : bytes == 32 ? Xmm(AsYmm(vec)) : AsXmm(vec);
  }

  Reg64 Scalar(int index) const { return index == 0 ? from_ : to_; }

  void EmitLoadPiece(int piece, int index, const Address& address) {
    if (piece >= 16) return code_.vmovups(Sized(vecs_[index], piece), address);
    const Reg64 scalar = Scalar(index);
    if (piece == 8) return code_.mov(scalar, address);
    if (piece == 4) return code_.mov(scalar.cvt32(), address);
    if (piece == 2) return code_.movzx(scalar.cvt32(), word[address.getRegExp()]);
    code_.movzx(scalar.cvt32(), byte[address.getRegExp()]);
  }

  void EmitStorePiece(int piece, int index, const Address& address) {
    if (piece >= 16) return code_.vmovups(address, Sized(vecs_[fills() ? 0 : index], piece));
    if (fills()) {
      const Xmm value = AsXmm(vecs_[0]);
      if (piece == 8) return code_.vmovq(address, value);
      if (piece == 4) return code_.vmovd(address, value);
      if (piece == 2) return code_.vpextrw(address, value, 0);
      return code_.vpextrb(address, value, 0);
    }
    const Reg64 scalar = Scalar(index);
    if (piece == 8) return code_.mov(address, scalar);
    if (piece == 4) return code_.mov(address, scalar.cvt32());
    if (piece == 2) return code_.mov(address, scalar.cvt16());
    code_.mov(address, scalar.cvt8());
  }

  // Moves a row of at least `half` bytes and at most twice as many: its first and its last `half` bytes, which overlap
  // where it is shorter.
  void EmitShortRow(int half) {
    const int piece = std::min(half, vector_bytes_);
    if (fills()) EmitValue();
    for (int offset = 0; offset < half; offset += piece) {
      if (!fills()) {
        EmitLoadPiece(piece, 0, ptr[loops_.source() + offset]);
        EmitLoadPiece(piece, 1, ptr[loops_.source() + bytes_ + (offset - half)]);
      }
      EmitStorePiece(piece, 0, ptr[loops_.destination() + offset]);
      EmitStorePiece(piece, 1, ptr[loops_.destination() + bytes_ + (offset - half)]);
    }
  }

  // Moves the vector at `offset` from the present place.
  void EmitVector(int offset) {
    if (!fills()) code_.vmovups(vecs_[0], ptr[from_ + offset]);
    code_.vmovups(ptr[to_ + offset], vecs_[0]);
  }

  void EmitAdvance(int bytes) {
    if (!fills()) code_.add(from_, bytes);
    code_.add(to_, bytes);
  }

  // Moves kPassBytes at a time while there are as many; then `left_` is the rest.
  void EmitPasses(bool nontemporal) {
    Label pass;
    Label done;
    code_.sub(left_, kPassBytes);
    code_.jb(done);
    code_.Align(32);
    code_.Bind(pass);
    const int count = kPassBytes / vector_bytes_;
    for (int i = 0; i < count && !fills(); ++i) code_.vmovups(vecs_[i], ptr[from_ + i * vector_bytes_]);
    for (int i = 0; i < count; ++i) {
      const VecReg& vec = vecs_[fills() ? 0 : i];
      if (nontemporal) {
        code_.vmovntps(ptr[to_ + i * vector_bytes_], vec);
      } else {
        code_.vmovups(ptr[to_ + i * vector_bytes_], vec);
      }
    }
    EmitAdvance(kPassBytes);
    code_.sub(left_, kPassBytes);
    code_.jae(pass);
    code_.Bind(done);
    code_.add(left_, kPassBytes);
  }

  // Moves one vector, and goes on at the next aligned place of the destination.
  void EmitHead(const Label& unaligned) {
    if (spec_.fill_bytes > 1) {
      // Elements that do not lie at multiples of their size are not where a shifted vector has them.
      code_.test(to_.cvt32(), spec_.fill_bytes - 1);
      code_.jnz(unaligned);
    }
    EmitVector(0);
    const GprReg behind = code_.regs().Gpr("behind");
    code_.mov(behind, to_);
    code_.and_(behind, vector_bytes_ - 1);
    code_.sub(behind, vector_bytes_);
    if (!fills()) code_.sub(from_, behind);
    code_.sub(to_, behind);
    code_.add(left_, behind);
  }

  // Moves a row of more than kMaxShortBytes, with aligned stores.
  void EmitLongRow() {
    Label unaligned;
    Label done;
    if (fills()) {
      EmitValue();
    } else {
      code_.mov(from_, loops_.source());
    }
    code_.mov(to_, loops_.destination());
    code_.mov(left_, bytes_);
    EmitHead(unaligned);
    if (spec_.nontemporal) EmitPasses(true);
    code_.Bind(unaligned);
    EmitPasses(false);
    // The row's last bytes, of which some may be there already: no loop, whose end would be mispredicted.
    code_.test(left_, left_);
    code_.jz(done);
    for (int offset = 0; offset < kPassBytes; offset += vector_bytes_) {
      if (!fills()) code_.vmovups(vecs_[0], ptr[from_ + left_ + (offset - kPassBytes)]);
      code_.vmovups(ptr[to_ + left_ + (offset - kPassBytes)], vecs_[0]);
    }
    code_.Bind(done);
  }

  const CopyRowsSpec& spec_;
  Assembler& code_;
  AbiFrame frame_;
  CopyLoops loops_;
  GprReg bytes_;
  GprReg from_;
  GprReg to_;
  GprReg left_;
  const int vector_bytes_;
  std::vector<VecReg> vecs_;
};

}  // namespace

std::string CopyRowsSpec::Name() const {
  return absl::StrCat(fill_bytes > 0 ? absl::StrCat("fill_rows_", fill_bytes) : "copy_rows", nontemporal ? "_nt" : "");
}

Hash128 CopyRowsSpec::ContentKey() const {
  Hasher hasher;
  hasher.UpdateInt(fill_bytes);
  hasher.UpdateInt(nontemporal);
  return hasher.Finish();
}

absl::StatusOr<CodeBlob> GenerateCopyRows(const CopyRowsSpec& spec, const IsaSet& isa) {
  Assembler code(spec.Name(), isa);
  {
    CopyRowsGenerator generator(spec, code);
    generator.Emit();
  }
  return std::move(code).Finalize();
}

}  // namespace burin::jit

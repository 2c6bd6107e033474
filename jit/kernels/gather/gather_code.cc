#include "jit/kernels/gather/gather_code.h"

#include <optional>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/kernels/gather/gather_args.h"

namespace burin::jit {
namespace {

// Rows of up to this many bytes are moved without a loop.
constexpr int64_t kMaxStraightBytes = 512;

// Vectors of a pass of the loop over longer rows.
constexpr int kPassVectors = 4;

class GatherGenerator {
 public:
  GatherGenerator(const GatherCodeSpec& spec, Assembler& code)
      : spec_(spec),
        code_(code),
        frame_(code),
        source_(code.regs().Gpr("source")),
        destination_(code.regs().Gpr("destination")),
        indices_(code.regs().Gpr("indices")),
        left_(code.regs().Gpr("left")),
        extent_(code.regs().Gpr("extent")),
        stride_(code.regs().Gpr("stride")),
        missing_(code.regs().Gpr("missing")),
        row_(code.regs().Gpr("row")),
        scratch_(code.regs().Gpr("scratch")),
        outer_(frame_.Slot(8, "outer")),
        first_destination_(frame_.Slot(8, "first_destination")),
        vector_bytes_(code.regs().vector_bits() / 8),
        vec_(code.regs().Vec("vec")),
        zero_(code.regs().Vec("zero")) {}

  void Emit() {
    Label next_outer;
    frame_.Load(source_, BURIN_ARG_FIELD(GatherArgs, source));
    frame_.Load(destination_, BURIN_ARG_FIELD(GatherArgs, destination));
    frame_.Load(extent_, BURIN_ARG_FIELD(GatherArgs, extent));
    frame_.Load(stride_, BURIN_ARG_FIELD(GatherArgs, source_stride));
    frame_.Load(left_, BURIN_ARG_FIELD(GatherArgs, outer));
    code_.mov(outer_.At(), left_);
    code_.xor_(missing_.cvt32(), missing_.cvt32());
    code_.Bind(next_outer);
    code_.mov(first_destination_.At(), destination_);
    frame_.Load(indices_, BURIN_ARG_FIELD(GatherArgs, indices));
    frame_.Load(left_, BURIN_ARG_FIELD(GatherArgs, count));
    EmitRows();
    code_.mov(destination_, first_destination_.At());
    code_.add(destination_, frame_.Arg(BURIN_ARG_FIELD(GatherArgs, destination_outer_stride)));
    code_.add(source_, frame_.Arg(BURIN_ARG_FIELD(GatherArgs, source_outer_stride)));
    code_.sub(qword[outer_.At().getRegExp()], 1);
    code_.jnz(next_outer);
    frame_.Load(row_, BURIN_ARG_FIELD(GatherArgs, missing));
    code_.add(ptr[row_], missing_);
    frame_.Finish();
  }

 private:
  // Takes all indices; where rows are fetched ahead, the last ones have nothing to fetch.
  void EmitRows() {
    if (spec_.prefetch_rows > 0) {
      Label rest;
      code_.sub(left_, spec_.prefetch_rows);
      code_.jle(rest);
      EmitLoop(true);
      code_.Bind(rest);
      code_.add(left_, spec_.prefetch_rows);
    }
    EmitLoop(false);
  }

  // Takes as many indices as are left. Where rows are fetched ahead, each line that is copied goes with one of the row
  // ahead: so much is always on its way.
  void EmitLoop(bool prefetches) {
    if (prefetches) ahead_.emplace(code_.regs().Gpr("ahead"));
    Label start;
    Label next;
    Label absent;
    Label present;
    code_.jmp(start);
    code_.Bind(absent);
    code_.inc(missing_);
    EmitZeroRow();
    code_.jmp(next);
    code_.Align(32);
    code_.Bind(start);
    if (prefetches) {
      EmitRowOf(spec_.prefetch_rows);
      code_.imul(row_, stride_);
      code_.lea(*ahead_, ptr[source_ + row_]);
    }
    EmitRowOf(0);
    code_.cmp(row_, extent_);
    code_.jae(absent);
    code_.imul(row_, stride_);
    code_.add(row_, source_);
    EmitCopyRow();
    code_.Bind(next);
    code_.add(indices_, spec_.index_bytes);
    code_.add(destination_, frame_.Arg(BURIN_ARG_FIELD(GatherArgs, destination_stride)));
    code_.dec(left_);
    code_.jg(start);
    ahead_.reset();
  }

  // Sets `row_` to the number of the row of the index so many places ahead; negative ones count from the end. Those
  // outside stay outside: below 0, or not below the extent.
  void EmitRowOf(int ahead) {
    const Address index = ptr[indices_ + ahead * spec_.index_bytes];
    if (spec_.index_bytes == 8) {
      code_.mov(row_, index);
    } else {
      code_.movsxd(row_, dword[index.getRegExp()]);
    }
    code_.lea(scratch_, ptr[row_ + extent_]);
    code_.test(row_, row_);
    code_.cmovs(row_, scratch_);
  }

  void EmitCopyRow() {
    EmitPieces([&](int bytes, const Xbyak::RegExp& place) {
      if (bytes >= 16) {
        code_.vmovups(Sized(vec_, bytes), ptr[row_ + place]);
        code_.vmovups(ptr[destination_ + place], Sized(vec_, bytes));
      } else {
        EmitLoadScalar(bytes, row_ + place);
        EmitStoreScalar(bytes, ptr[destination_ + place]);
      }
      // Of shorter pieces there is one line, or two.
      if (ahead_.has_value()) code_.prefetcht0(ptr[*ahead_ + place]);
    });
  }

  void EmitZeroRow() {
    code_.vxorps(AsXmm(zero_), AsXmm(zero_), AsXmm(zero_));
    code_.xor_(scratch_.cvt32(), scratch_.cvt32());
    EmitPieces([&](int bytes, const Xbyak::RegExp& place) {
      const Address to = ptr[destination_ + place];
      if (bytes >= 16) {
        code_.vmovups(to, Sized(zero_, bytes));
      } else {
        EmitStoreScalar(bytes, to);
      }
    });
  }

  void EmitLoadScalar(int bytes, const Xbyak::RegExp& from) {
    switch (bytes) {
      case 8:
        return code_.mov(scratch_, ptr[from]);
      case 4:
        return code_.mov(scratch_.cvt32(), ptr[from]);
      case 2:
        return code_.movzx(scratch_.cvt32(), word[from]);
      default:
        return code_.movzx(scratch_.cvt32(), byte[from]);
    }
  }

  void EmitStoreScalar(int bytes, const Address& to) {
    switch (bytes) {
      case 8:
        return code_.mov(to, scratch_);
      case 4:
        return code_.mov(to, scratch_.cvt32());
      case 2:
        return code_.mov(to, scratch_.cvt16());
      default:
        return code_.mov(to, scratch_.cvt8());
    }
  }

  Xmm Sized(const Xmm& vec, int bytes) const {
    return bytes == 64 ? Xmm(AsZmm(vec)) : bytes == 32 ? Xmm(AsYmm(vec)) : AsXmm(vec);
  }

  // Emits a row in pieces of powers of two, the last of which may overlap the one before, with the place of each in its
  // row. Long rows take a loop.
  void EmitPieces(absl::FunctionRef<void(int bytes, const Xbyak::RegExp& place)> piece) {
    int bytes = vector_bytes_;
    while (bytes > spec_.row_bytes) bytes /= 2;
    if (spec_.row_bytes <= kMaxStraightBytes) {
      const int row_bytes = static_cast<int>(spec_.row_bytes);
      int offset = 0;
      for (; offset + bytes <= row_bytes; offset += bytes) piece(bytes, Xbyak::RegExp(static_cast<size_t>(offset)));
      if (offset < row_bytes) piece(bytes, Xbyak::RegExp(static_cast<size_t>(row_bytes - bytes)));
      return;
    }
    const int pass = kPassVectors * bytes;
    const int64_t passes = spec_.row_bytes / pass;
    const int rest = static_cast<int>(spec_.row_bytes - passes * pass);
    const GprReg end = code_.regs().Gpr("end");
    const GprReg at = code_.regs().Gpr("at");
    Label next;
    code_.mov(end, passes * pass);
    code_.xor_(at.cvt32(), at.cvt32());
    code_.Bind(next);
    for (int i = 0; i < kPassVectors; ++i) piece(bytes, at + i * bytes);
    code_.add(at, pass);
    code_.cmp(at, end);
    code_.jb(next);
    int done = 0;
    for (; done + bytes <= rest; done += bytes) piece(bytes, at + done);
    if (done < rest) piece(bytes, at + (rest - bytes));
  }

  const GatherCodeSpec& spec_;
  Assembler& code_;
  AbiFrame frame_;
  GprReg source_;
  GprReg destination_;
  GprReg indices_;
  GprReg left_;
  GprReg extent_;
  GprReg stride_;
  GprReg missing_;
  GprReg row_;
  GprReg scratch_;
  // The row that is fetched ahead, where one is.
  std::optional<GprReg> ahead_;
  StackSlot outer_;
  StackSlot first_destination_;
  const int vector_bytes_;
  VecReg vec_;
  VecReg zero_;
};

}  // namespace

std::string GatherCodeSpec::Name() const {
  return absl::StrCat("gather_rows_", row_bytes, index_bytes == 8 ? "_i64" : "_i32",
                      prefetch_rows > 0 ? absl::StrCat("_p", prefetch_rows) : "");
}

Hash128 GatherCodeSpec::ContentKey() const {
  Hasher hasher;
  hasher.UpdateInt(row_bytes);
  hasher.UpdateInt(index_bytes);
  hasher.UpdateInt(prefetch_rows);
  return hasher.Finish();
}

absl::StatusOr<CodeBlob> GenerateGather(const GatherCodeSpec& spec, const IsaSet& isa) {
  Assembler code(spec.Name(), isa);
  {
    GatherGenerator generator(spec, code);
    generator.Emit();
  }
  return std::move(code).Finalize();
}

}  // namespace burin::jit

#include "jit/kernels/copy_records.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/constant_pool.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/kernels/copy_args.h"
#include "jit/kernels/copy_byte_map.h"

namespace burin::jit {
namespace {

// Rows of a side, and vectors that one is made of, at most: each costs an instruction.
constexpr int kMostParts = 4;

// Vectors of a side at most, with 32 registers and with 16.
constexpr int kMostVectors = 12;
constexpr int kMostShortVectors = 8;

constexpr int kLaneBytes = 16;

bool PermutesBytes(const IsaSet& isa) { return isa.Supports(IsaLevel::kAvx512) && isa.Has(IsaFeature::kAvx512Vbmi); }

// Returns the bytes of a vector that records are mapped in: a whole one, or else one of its two lanes.
int MappedBytes(const IsaSet& isa) { return PermutesBytes(isa) ? 64 : kLaneBytes; }

CopyByteMap MapOf(const CopyRecordsSpec& spec, const IsaSet& isa) {
  return CopyByteMap::Of(spec.element_bytes, spec.count, spec.source, spec.destination, MappedBytes(isa));
}

// Has the loops that all such kernels have in common.
class CopyRecordsGenerator {
 public:
  CopyRecordsGenerator(const CopyRecordsSpec& spec, Assembler& code)
      : spec_(spec),
        code_(code),
        frame_(code),
        records_(spec.RecordsAtOnce(code.isa())),
        left_(code.regs().Gpr("left")),
        offset_(code.regs().Gpr("offset")),
        lot_source_(frame_.Slot(8, "lot_source")),
        lot_destination_(frame_.Slot(8, "lot_destination")),
        lots_(frame_.Slot(8, "lots")) {
    for (int i = 0; i < (spec.source.rows() ? spec.count : 1); ++i) from_.push_back(code.regs().Gpr("from"));
    for (int i = 0; i < (spec.destination.rows() ? spec.count : 1); ++i) to_.push_back(code.regs().Gpr("to"));
  }

  // Emits the kernel, whose `body` moves records_ records from where from() says to where to() says.
  void Emit(absl::FunctionRef<void()> body) {
    Label lot;
    frame_.Load(left_, BURIN_ARG_FIELD(CopyArgs, source));
    code_.mov(lot_source_.At(), left_);
    frame_.Load(left_, BURIN_ARG_FIELD(CopyArgs, destination));
    code_.mov(lot_destination_.At(), left_);
    frame_.Load(left_, BURIN_ARG_FIELD(CopyArgs, extent2));
    code_.mov(lots_.At(), left_);
    code_.Bind(lot);
    EmitLot(body);
    frame_.Load(left_, BURIN_ARG_FIELD(CopyArgs, source_stride2));
    code_.add(lot_source_.At(), left_);
    frame_.Load(left_, BURIN_ARG_FIELD(CopyArgs, destination_stride2));
    code_.add(lot_destination_.At(), left_);
    code_.mov(left_, lots_.At());
    code_.dec(left_);
    code_.mov(lots_.At(), left_);
    code_.jnz(lot);
    frame_.Finish();
  }

  AbiFrame& frame() { return frame_; }

  // Return the address of lane `lane` of a vector of `bytes` bytes.
  Address From(int vector, int bytes, int lane) const { return Place(spec_.source, from_, vector, bytes, lane); }
  Address To(int vector, int bytes, int lane) const { return Place(spec_.destination, to_, vector, bytes, lane); }

 private:
  Address Place(const CopyRecordsSide& side, const std::vector<GprReg>& places, int vector, int bytes, int lane) const {
    if (side.rows()) return ptr[places[static_cast<size_t>(vector)] + lane * bytes];
    const int vectors = CopyByteMap::VectorsOf(side, spec_.element_bytes, spec_.count);
    return ptr[places[0] + (lane * vectors + vector) * bytes];
  }

  void EmitLot(absl::FunctionRef<void()> body) {
    Label next;
    Label done;
    EmitPlaces(spec_.source, from_, lot_source_, frame_.Arg(BURIN_ARG_FIELD(CopyArgs, source_stride0)));
    EmitPlaces(spec_.destination, to_, lot_destination_, frame_.Arg(BURIN_ARG_FIELD(CopyArgs, destination_stride0)));
    frame_.Load(left_, BURIN_ARG_FIELD(CopyArgs, extent1));
    code_.sub(left_, records_);
    code_.Align(32);
    code_.Bind(next);
    body();
    for (const GprReg& place : from_) code_.add(place, records_ * BytesOf(spec_.source));
    for (const GprReg& place : to_) code_.add(place, records_ * BytesOf(spec_.destination));
    code_.sub(left_, records_);
    code_.jge(next);
    // What is left is moved with as many of the records before as there are at once.
    code_.cmp(left_, -records_);
    code_.je(done);
    EmitStepBack(spec_.source, from_);
    EmitStepBack(spec_.destination, to_);
    code_.xor_(left_.cvt32(), left_.cvt32());
    code_.jmp(next);
    code_.Bind(done);
  }

  // Returns how far apart records are.
  int BytesOf(const CopyRecordsSide& side) const { return side.rows() ? spec_.element_bytes : side.pitch; }

  // Sets the addresses of the first vectors of a side.
  void EmitPlaces(const CopyRecordsSide& side, const std::vector<GprReg>& places, const StackSlot& base,
                  const Address& stride) {
    code_.mov(places[0], base.At());
    for (size_t i = 1; i < places.size(); ++i) {
      code_.mov(places[i], places[i - 1]);
      code_.add(places[i], stride);
    }
    if (side.rows() || side.step >= 0) return;
    code_.add(places[0], (spec_.count - 1) * side.step);
  }

  void EmitStepBack(const CopyRecordsSide& side, const std::vector<GprReg>& places) {
    code_.imul(offset_, left_, BytesOf(side));
    for (const GprReg& place : places) code_.add(place, offset_);
  }

  const CopyRecordsSpec& spec_;
  Assembler& code_;
  AbiFrame frame_;
  const int records_;
  GprReg left_;
  GprReg offset_;
  std::vector<GprReg> from_;
  std::vector<GprReg> to_;
  StackSlot lot_source_;
  StackSlot lot_destination_;
  StackSlot lots_;
};

// Moves vectors of 512 bits: a byte comes from anywhere in one or two of them.
class LongPermutation {
 public:
  LongPermutation(const CopyRecordsSpec& spec, Assembler& code, CopyRecordsGenerator& generator)
      : code_(code), generator_(generator), map_(MapOf(spec, code.isa())) {
    for (int i = 0; i < map_.source_vectors; ++i) sources_.push_back(code.regs().Vec("source", 512));
    for (int i = 0; i < kAtOnce; ++i) results_.push_back(code.regs().Vec("result", 512));
    spare_mask_.emplace_back(code.regs().Mask("mask"));
    spare_.emplace_back(code.regs().Vec("indices", 512));
  }

  // Emits what stays in registers.
  void EmitConstants() {
    for (size_t d = 0; d < map_.destination.size(); ++d) {
      const int vector = static_cast<int>(d);
      const std::vector<int> parts = map_.PartsOf(vector);
      if (parts.empty() || IsIdentity(vector, parts)) continue;
      Keep(IndicesOf(vector, parts, 0));
      for (size_t i = 2; i < parts.size(); ++i) {
        Keep(IndicesOf(vector, parts, i));
        Keep(MaskOf(vector, parts[i]));
      }
    }
    for (int i = 0; i < map_.source_vectors; ++i) Keep(map_.UsedOf(i));
    for (size_t d = 0; d < map_.destination.size(); ++d) Keep(map_.WrittenOf(static_cast<int>(d)));
  }

  void EmitBody() {
    for (int i = 0; i < map_.source_vectors; ++i) {
      const uint64_t used = map_.UsedOf(i);
      const Address from = generator_.From(i, kBytes, 0);
      if (used == kAll) {
        code_.vmovdqu64(Zmm(sources_[i].getIdx()), from);
      } else if (used != 0) {
        code_.vmovdqu8(Zmm(sources_[i].getIdx()) | Mask(used) | T_z, from);
      }
    }
    for (size_t d = 0; d < map_.destination.size(); ++d) {
      const int vector = static_cast<int>(d);
      const uint64_t written = map_.WrittenOf(vector);
      if (written == 0) continue;
      const Zmm result = EmitResult(vector, Zmm(results_[d % kAtOnce].getIdx()));
      const Address to = generator_.To(vector, kBytes, 0);
      if (written == kAll) {
        code_.vmovdqu64(to, result);
      } else {
        code_.vmovdqu8(to | Mask(written), result);
      }
    }
  }

 private:
  using Indices = std::vector<uint8_t>;

  static constexpr int kBytes = 64;
  static constexpr int kAtOnce = 2;
  static constexpr uint64_t kAll = ~uint64_t{0};

  bool IsIdentity(int vector, const std::vector<int>& parts) const {
    if (parts.size() != 1) return false;
    const std::vector<CopyByteMap::Place>& bytes = map_.destination[static_cast<size_t>(vector)];
    for (int i = 0; i < kBytes; ++i) {
      if (bytes[static_cast<size_t>(i)].vector >= 0 && bytes[static_cast<size_t>(i)].byte != i) return false;
    }
    return true;
  }

  // Returns the indices of the bytes that come from part `first`; of those from the second, too, where it is 0.
  Indices IndicesOf(int vector, const std::vector<int>& parts, size_t first) const {
    Indices indices(kBytes, 0);
    const std::vector<CopyByteMap::Place>& bytes = map_.destination[static_cast<size_t>(vector)];
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i].vector == parts[first]) {
        indices[i] = static_cast<uint8_t>(bytes[i].byte);
      } else if (first == 0 && parts.size() > 1 && bytes[i].vector == parts[1]) {
        indices[i] = static_cast<uint8_t>(kBytes + bytes[i].byte);
      }
    }
    return indices;
  }

  // Returns the bytes that come from `part`, as bits.
  uint64_t MaskOf(int vector, int part) const {
    uint64_t mask = 0;
    const std::vector<CopyByteMap::Place>& bytes = map_.destination[static_cast<size_t>(vector)];
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i].vector == part) mask |= uint64_t{1} << i;
    }
    return mask;
  }

  void Keep(const Indices& indices) {
    if (kept_.count(indices) > 0 || code_.regs().available(RegClass::kVec) == 0) return;
    const auto [kept, inserted] = kept_.emplace(indices, code_.regs().Vec("indices", 512));
    code_.vmovdqu64(Zmm(kept->second.getIdx()), code_.Table(absl::Span<const uint8_t>(indices)));
  }

  void Keep(uint64_t mask) {
    if (mask == kAll || mask == 0 || kept_masks_.count(mask) > 0) return;
    if (code_.regs().available(RegClass::kMask) == 0) return;
    const auto [kept, inserted] = kept_masks_.emplace(mask, code_.regs().Mask("mask"));
    code_.kmovq(kept->second, code_.Scalar(mask));
  }

  // Returns a register with the mask, which is good until the next one is asked for.
  Opmask Mask(uint64_t mask) {
    const auto kept = kept_masks_.find(mask);
    if (kept != kept_masks_.end()) return kept->second;
    code_.kmovq(spare_mask_[0], code_.Scalar(mask));
    return spare_mask_[0];
  }

  // Returns a register with the indices, likewise.
  Zmm Register(const Indices& indices) {
    const auto kept = kept_.find(indices);
    if (kept != kept_.end()) return Zmm(kept->second.getIdx());
    const Zmm spare(spare_[0].getIdx());
    code_.vmovdqu64(spare, code_.Table(absl::Span<const uint8_t>(indices)));
    return spare;
  }

  // Returns the register that holds a vector of the destination: `result`, or one of the source as it is.
  Zmm EmitResult(int vector, const Zmm& result) {
    const std::vector<int> parts = map_.PartsOf(vector);
    const auto source = [&](size_t part) { return Zmm(sources_[static_cast<size_t>(parts[part])].getIdx()); };
    if (IsIdentity(vector, parts)) return source(0);
    const Indices first = IndicesOf(vector, parts, 0);
    if (parts.size() == 1) {
      code_.vpermb(result, Register(first), source(0));
      return result;
    }
    if (kept_.count(first) > 0) {
      code_.vmovdqa64(result, Register(first));
    } else {
      code_.vmovdqu64(result, code_.Table(absl::Span<const uint8_t>(first)));
    }
    code_.vpermi2b(result, source(0), source(1));
    for (size_t i = 2; i < parts.size(); ++i) {
      const Zmm indices = Register(IndicesOf(vector, parts, i));
      code_.vpermb(result | Mask(MaskOf(vector, parts[i])), indices, source(i));
    }
    return result;
  }

  Assembler& code_;
  CopyRecordsGenerator& generator_;
  const CopyByteMap map_;
  std::vector<VecReg> sources_;
  std::vector<VecReg> results_;
  std::vector<VecReg> spare_;
  std::vector<MaskReg> spare_mask_;
  std::map<Indices, VecReg> kept_;
  std::map<uint64_t, MaskReg> kept_masks_;
};

// Moves vectors of two lanes, of which each has records of its own.
class LanePermutation {
 public:
  LanePermutation(const CopyRecordsSpec& spec, Assembler& code, CopyRecordsGenerator& generator)
      : spec_(spec), code_(code), generator_(generator), map_(MapOf(spec, code.isa())) {
    for (int i = 0; i < map_.source_vectors; ++i) sources_.push_back(code.regs().Vec("source", 256));
    for (int i = 0; i < 2; ++i) results_.push_back(code.regs().Vec("result", 256));
    for (int i = 0; i < 2; ++i) parts_.push_back(code.regs().Vec("part", 256));
  }

  void EmitBody() {
    for (int i = 0; i < map_.source_vectors; ++i) {
      const Ymm vec = AsYmm(sources_[static_cast<size_t>(i)]);
      if (spec_.source.rows()) {
        code_.vmovdqu(vec, generator_.From(i, kLaneBytes, 0));
      } else {
        code_.vmovdqu(AsXmm(vec), generator_.From(i, kLaneBytes, 0));
        code_.vinserti128(vec, vec, generator_.From(i, kLaneBytes, 1), 1);
      }
    }
    for (size_t d = 0; d < map_.destination.size(); ++d) {
      const int vector = static_cast<int>(d);
      const Ymm result = AsYmm(results_[d % results_.size()]);
      const std::vector<int> parts = map_.PartsOf(vector);
      for (size_t i = 0; i < parts.size(); ++i) {
        const Ymm part = i == 0 ? result : AsYmm(parts_[i % parts_.size()]);
        code_.vpshufb(part, AsYmm(sources_[static_cast<size_t>(parts[i])]), Indices(vector, parts[i]));
        if (i > 0) code_.vpor(result, result, part);
      }
      if (spec_.destination.rows()) {
        code_.vmovdqu(generator_.To(vector, kLaneBytes, 0), result);
      } else {
        code_.vmovdqu(generator_.To(vector, kLaneBytes, 0), AsXmm(result));
        code_.vextracti128(generator_.To(vector, kLaneBytes, 1), result, 1);
      }
    }
  }

 private:
  // Returns the indices of the bytes that come from `part`; those of others make zeros.
  Address Indices(int vector, int part) {
    constexpr uint8_t kZero = 0x80;
    std::vector<uint8_t> indices(2 * kLaneBytes, kZero);
    const std::vector<CopyByteMap::Place>& bytes = map_.destination[static_cast<size_t>(vector)];
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i].vector != part) continue;
      indices[i] = static_cast<uint8_t>(bytes[i].byte);
      indices[kLaneBytes + i] = indices[i];
    }
    return code_.Table(absl::Span<const uint8_t>(indices));
  }

  const CopyRecordsSpec& spec_;
  Assembler& code_;
  CopyRecordsGenerator& generator_;
  const CopyByteMap map_;
  std::vector<VecReg> sources_;
  std::vector<VecReg> results_;
  std::vector<VecReg> parts_;
};

// Returns whether a side is as described.
bool IsSide(const CopyRecordsSide& side, const CopyRecordsSpec& spec) {
  if (side.rows()) return spec.count <= kMostParts;
  const int span = (spec.count - 1) * std::abs(side.step) + spec.element_bytes;
  return side.pitch > 0 && side.pitch % spec.element_bytes == 0 && side.step % spec.element_bytes == 0 &&
         (side.step != 0 || spec.count == 1) && span <= side.pitch;
}

bool IsDense(const CopyRecordsSide& side, const CopyRecordsSpec& spec) {
  return side.rows() || side.pitch == spec.count * spec.element_bytes;
}

std::string NameOf(const CopyRecordsSide& side, const CopyRecordsSpec& spec) {
  if (side.rows()) return "rows";
  const int step = side.step / spec.element_bytes;
  return absl::StrCat(side.pitch / spec.element_bytes, step == 1 || spec.count == 1 ? "" : absl::StrCat("by", step));
}

}  // namespace

int CopyRecordsSpec::RecordsAtOnce(const IsaSet& isa) const { return (PermutesBytes(isa) ? 64 : 32) / element_bytes; }

bool CopyRecordsSpec::Fits(const IsaSet& isa) const {
  if (source.rows() && destination.rows()) return false;
  if (!IsSide(source, *this) || !IsSide(destination, *this)) return false;
  const bool permutes = PermutesBytes(isa);
  if (!permutes && !(IsDense(source, *this) && IsDense(destination, *this))) return false;
  const int most = permutes ? kMostVectors : kMostShortVectors;
  if (CopyByteMap::VectorsOf(source, element_bytes, count) > most) return false;
  if (CopyByteMap::VectorsOf(destination, element_bytes, count) > most) return false;
  const CopyByteMap map = MapOf(*this, isa);
  for (size_t i = 0; i < map.destination.size(); ++i) {
    if (map.PartsOf(static_cast<int>(i)).size() > kMostParts) return false;
  }
  return true;
}

std::string CopyRecordsSpec::Name() const {
  return absl::StrCat("copy_records_", element_bytes, "x", count, "_", NameOf(source, *this), "_to_",
                      NameOf(destination, *this));
}

Hash128 CopyRecordsSpec::ContentKey() const {
  Hasher hasher;
  hasher.UpdateInt(element_bytes);
  hasher.UpdateInt(count);
  for (const CopyRecordsSide& side : {source, destination}) {
    hasher.UpdateInt(side.pitch);
    hasher.UpdateInt(side.step);
  }
  return hasher.Finish();
}

absl::StatusOr<CodeBlob> GenerateCopyRecords(const CopyRecordsSpec& spec, const IsaSet& isa) {
  if (!spec.Fits(isa)) return absl::InternalError(absl::StrCat("Records do not fit: ", spec.Name()));
  Assembler code(spec.Name(), isa);
  {
    CopyRecordsGenerator generator(spec, code);
    if (PermutesBytes(isa)) {
      LongPermutation permutation(spec, code, generator);
      permutation.EmitConstants();
      generator.Emit([&] { permutation.EmitBody(); });
    } else {
      LanePermutation permutation(spec, code, generator);
      generator.Emit([&] { permutation.EmitBody(); });
    }
  }
  return std::move(code).Finalize();
}

}  // namespace burin::jit

// Reads and writes vector registers of an interrupted thread, in the XSAVE area that the kernel put on its signal
// stack.
//
// Private to the emulator; async-signal-safe. Source: Intel SDM volume 1, chapter 13 (standard format), and Linux's
// struct _xstate.
#ifndef BURIN_TESTING_EMULATION_XSAVE_AREA_H_
#define BURIN_TESTING_EMULATION_XSAVE_AREA_H_

#include <cstdint>

namespace burin::emulation {

class XsaveArea {
 public:
  // `fpregs` is the pointer of that name in the machine context.
  explicit XsaveArea(void* fpregs) : area_(static_cast<uint8_t*>(fpregs)) {}

  // Returns whether the kernel saved more than the legacy part.
  bool is_valid() const;

  // Copies 32 bytes of register 0 to 15.
  void ReadYmm(int index, uint8_t* bytes) const;
  // Sets the register's 32 bytes; the rest of its 512 bits becomes zero, as with any VEX instruction.
  void WriteYmm(int index, const uint8_t* bytes);

 private:
  uint64_t saved_components() const;

  uint8_t* const area_;
};

}  // namespace burin::emulation

#endif  // BURIN_TESTING_EMULATION_XSAVE_AREA_H_

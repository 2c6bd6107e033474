// Describes the fields of the structs that kernels take as their only argument.
//
// Use it where such a struct is declared, to fix its layout, and where code is generated, to name its fields. The
// struct is read by machine code: its layout is a contract that the compiler checks here. Types and constants, hence
// thread-safe.
//
//   struct AddArgs {
//     const float* a;
//     float* out;
//     int64_t count;
//   };
//   BURIN_ARG_OFFSET(AddArgs, a, 0);
//   BURIN_ARG_OFFSET(AddArgs, out, 8);
//   BURIN_ARG_OFFSET(AddArgs, count, 16);
//   ...
//   frame.Load(count, BURIN_ARG_FIELD(AddArgs, count));
#ifndef BURIN_JIT_ASM_ARG_FIELD_H_
#define BURIN_JIT_ASM_ARG_FIELD_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace burin::jit {

// Tells where a field of an argument struct is, and what it is: `T` is the type of the field.
template <class T>
struct ArgField {
  static_assert(std::is_trivially_copyable_v<T>, "machine code reads plain data");

  // Bytes from the start of the struct.
  int32_t offset = 0;
  // Bytes of the field.
  static constexpr int32_t kBytes = static_cast<int32_t>(sizeof(T));
};

}  // namespace burin::jit

// Fails to compile unless the field of the struct is at this offset, in bytes.
#define BURIN_ARG_OFFSET(Struct, field, bytes)                                           \
  static_assert(std::is_standard_layout_v<Struct> && offsetof(Struct, field) == (bytes), \
                #Struct "::" #field " has another offset: kernels that were generated for this one break")

// Yields the ArgField of a field of a struct.
#define BURIN_ARG_FIELD(Struct, field) \
  (::burin::jit::ArgField<decltype(Struct::field)>{static_cast<int32_t>(offsetof(Struct, field))})

#endif  // BURIN_JIT_ASM_ARG_FIELD_H_

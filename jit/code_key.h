// Names a kernel by what it depends on, in 128 bits: the key of the code cache.
//
// Use it with jit/code_cache.h. A key is a fingerprint of the family's name, of what the code may use, and of the
// spec: two kernels with one key are the same code, so that a spec hashes every field that a generator reads, field by
// field (bytes of padding make equal specs differ). Stable across processes and builds. A value.
#ifndef BURIN_JIT_CODE_KEY_H_
#define BURIN_JIT_CODE_KEY_H_

#include <ostream>
#include <utility>

#include "absl/strings/string_view.h"
#include "base/hash.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"

namespace burin::jit {

// Holds a key. Keys of different families, or made from a target and from its instructions alone, differ.
class CodeKey {
 public:
  // Returns the key of the kernel of `family` with the fingerprint `spec`, for code that depends on instructions alone.
  static CodeKey Of(absl::string_view family, const IsaSet& isa, const Hash128& spec);

  // Returns the same for code that depends on all of the target: its cache sizes and parameters too.
  static CodeKey Of(absl::string_view family, const Target& target, const Hash128& spec);

  // Returns the fingerprint.
  const Hash128& hash() const { return hash_; }

  friend bool operator==(const CodeKey& a, const CodeKey& b) { return a.hash_ == b.hash_; }
  friend bool operator!=(const CodeKey& a, const CodeKey& b) { return a.hash_ != b.hash_; }
  template <class H>
  friend H AbslHashValue(H state, const CodeKey& key) {
    return H::combine(std::move(state), key.hash_);
  }
  friend std::ostream& operator<<(std::ostream& out, const CodeKey& key) { return out << key.hash_; }

 private:
  explicit CodeKey(const Hash128& hash) : hash_(hash) {}

  Hash128 hash_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_CODE_KEY_H_

#include "jit/code_key.h"

namespace burin::jit {
namespace {

// What the fingerprint of a key covers besides family and spec.
enum class Basis { kIsa, kTarget };

Hasher Start(absl::string_view family, Basis basis) {
  Hasher hasher;
  hasher.UpdateString(family);
  hasher.UpdateInt(basis);
  return hasher;
}

}  // namespace

CodeKey CodeKey::Of(absl::string_view family, const IsaSet& isa, const Hash128& spec) {
  Hasher hasher = Start(family, Basis::kIsa);
  // First, as the number of features varies.
  hasher.Update(spec);
  isa.AppendTo(hasher);
  return CodeKey(hasher.Finish());
}

CodeKey CodeKey::Of(absl::string_view family, const Target& target, const Hash128& spec) {
  Hasher hasher = Start(family, Basis::kTarget);
  hasher.Update(spec);
  hasher.Update(target.ContentKey());
  return CodeKey(hasher.Finish());
}

}  // namespace burin::jit

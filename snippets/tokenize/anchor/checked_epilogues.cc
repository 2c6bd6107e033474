#include "snippets/tokenize/anchor/checked_epilogues.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/structural.h"
#include "snippets/epilogue/epilogue.h"

namespace burin::snippets {

absl::Status CheckedEpilogues::Check(const ir::Model& epilogue) {
  const absl::StatusOr<Hash128> hash = ir::StructuralHash(epilogue);
  if (!hash.ok()) return absl::UnimplementedError(hash.status().message());
  if (good_.contains(*hash)) return absl::OkStatus();
  ++compiled_;
  const absl::Status status = Epilogue::Create(epilogue).status();
  // What is wrong is said with the names of the body at hand.
  if (!status.ok()) return absl::UnimplementedError(status.message());
  good_.insert(*hash);
  return absl::OkStatus();
}

}  // namespace burin::snippets

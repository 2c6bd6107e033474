// Feeds any bytes to the reader of the binary form: as they are, and as a graph section with the right checksum, behind
// which some constants lie. What is read is a valid model, and comes back from its own bytes.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/check.h"
#include "ir/binary.h"
#include "ir/forms/binary_testlib.h"
#include "ir/model.h"
#include "ir/storage.h"
#include "ir/verifier.h"

namespace {

absl::StatusOr<std::unique_ptr<burin::ir::Model>> Read(std::string bytes) {
  const auto owner = std::make_shared<std::string>(std::move(bytes));
  return burin::ir::DeserializeModel(burin::ir::Storage::Borrow(owner, owner->data(), owner->size()));
}

void Try(std::string bytes) {
  const absl::StatusOr<std::unique_ptr<burin::ir::Model>> model = Read(std::move(bytes));
  if (!model.ok()) return;
  BURIN_CHECK_OK(burin::ir::Verify(**model));
  absl::StatusOr<std::string> written = burin::ir::SerializeModel(**model);
  BURIN_CHECK_OK(written);
  BURIN_CHECK_OK(Read(*std::move(written)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  Try(std::string(bytes));
  Try(burin::ir::BinaryOf(bytes, std::string(256, '\x5a')));
  return 0;
}

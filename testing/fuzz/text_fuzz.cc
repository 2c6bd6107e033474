// Feeds any bytes to the parser of the textual form. What parses is a valid model, and comes back from its own text.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/check.h"
#include "ir/model.h"
#include "ir/text.h"
#include "ir/verifier.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  const absl::StatusOr<std::unique_ptr<burin::ir::Model>> model = burin::ir::ParseModel(text);
  if (!model.ok()) return 0;
  BURIN_CHECK_OK(burin::ir::Verify(**model));
  const absl::StatusOr<std::string> printed = burin::ir::PrintModel(**model);
  BURIN_CHECK_OK(printed);
  BURIN_CHECK_OK(burin::ir::ParseModel(*printed));
  return 0;
}

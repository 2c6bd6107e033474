// Feeds the ONNX reader with whatever libFuzzer invents. A crash, a hang, a leak, a memory error or a model that does
// not pass its verifier is a finding.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/check.h"
#include "ir/model.h"
#include "ir/storage.h"
#include "ir/verifier.h"
#include "runtime/readers/onnx/onnx_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // A copy of its own, so that the sanitizer sees reads past the end.
  const auto bytes = std::make_shared<const std::string>(reinterpret_cast<const char*>(data), size);
  burin::onnx::LooksLikeOnnx(*bytes);
  const absl::StatusOr<std::unique_ptr<burin::ir::Model>> model = burin::onnx::ReadOnnxModelFromBytes(
      burin::ir::Storage::Borrow(bytes, bytes->data(), bytes->size()), /*base_dir=*/"");
  if (model.ok()) BURIN_CHECK_OK(burin::ir::Verify(**model));
  return 0;
}

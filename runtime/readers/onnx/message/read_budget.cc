#include "runtime/readers/onnx/message/read_budget.h"

#include "absl/strings/str_cat.h"

namespace burin::onnx {
namespace {

constexpr uint64_t kFreeBytes = uint64_t{64} << 20;

}  // namespace

ReadBudget::ReadBudget(uint64_t file_bytes) : remaining_bytes_(kFreeBytes) { AddFile(file_bytes); }

void ReadBudget::AddFile(uint64_t file_bytes) { remaining_bytes_ += 2 * file_bytes; }

absl::Status ReadBudget::Charge(uint64_t bytes) {
  if (bytes > remaining_bytes_) {
    return absl::ResourceExhaustedError(
        absl::StrCat("The model asks for more memory than twice its file and 64 MB; bytes wanted beyond that: ",
                     bytes - remaining_bytes_));
  }
  remaining_bytes_ -= bytes;
  return absl::OkStatus();
}

}  // namespace burin::onnx

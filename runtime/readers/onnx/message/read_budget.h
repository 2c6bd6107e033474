// Bounds the memory that reading one file may take.
//
// A hostile file of a kilobyte can ask for gigabytes: an empty message takes two bytes on disk and a hundred in memory,
// and a constant may claim any shape. Whoever decodes or creates something in proportion to what a file says charges it
// here first. Mapped bytes that are only pointed to cost nothing. Not thread-safe; lives for one read.
#ifndef BURIN_RUNTIME_READERS_ONNX_MESSAGE_READ_BUDGET_H_
#define BURIN_RUNTIME_READERS_ONNX_MESSAGE_READ_BUDGET_H_

#include <cstdint>

#include "absl/status/status.h"

namespace burin::onnx {

class ReadBudget {
 public:
  // Grants twice the file plus 64 MB.
  explicit ReadBudget(uint64_t file_bytes);

  // Grants twice these bytes besides: of a file of external data that has been opened.
  void AddFile(uint64_t file_bytes);

  // Takes `bytes` from the budget. ResourceExhausted where it does not have them.
  absl::Status Charge(uint64_t bytes);

  uint64_t remaining_bytes() const { return remaining_bytes_; }

 private:
  uint64_t remaining_bytes_;
};

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_MESSAGE_READ_BUDGET_H_

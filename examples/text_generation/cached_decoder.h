// Runs a decoder token by token: each inference reads what the ones before it left in the caches.
//
// Two requests take turns, so that the caches that one has written are the memory that the other reads: nothing is
// copied, and no memory is read and written at once. Works for models whose inputs FindDecoderPorts understands, one
// text at a time. Not thread-safe.
#ifndef BURIN_EXAMPLES_TEXT_GENERATION_CACHED_DECODER_H_
#define BURIN_EXAMPLES_TEXT_GENERATION_CACHED_DECODER_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "burin/compiled_model.h"
#include "burin/infer_request.h"
#include "burin/tensor.h"
#include "examples/text_generation/decoder_ports.h"

namespace burin::text_generation {

class CachedDecoder {
 public:
  // Prepares a text without tokens. Errors of FindDecoderPorts and of the device.
  static absl::StatusOr<CachedDecoder> Create(const CompiledModel& compiled);

  // Appends tokens to the text and returns the token whose score behind them is the largest, of equal ones the first.
  // InvalidArgument for no tokens, for ones that the model refuses, and for scores of which none is a number; the text
  // is then as before. Errors of the device.
  absl::StatusOr<int64_t> Append(const std::vector<int64_t>& tokens);

  // Returns the scores that the last Append found: those behind its last token come last. Their memory is good until
  // the one after the next. FailedPrecondition where nothing was appended.
  absl::StatusOr<Tensor> Scores();

  // Returns the number of tokens in the text.
  int64_t length() const { return length_; }

 private:
  CachedDecoder(DecoderPorts ports, InferRequest reader, InferRequest writer)
      : ports_(std::move(ports)), last_(std::move(reader)), next_(std::move(writer)) {}

  // Sets what the next inference reads.
  absl::Status SetInputs(const std::vector<int64_t>& tokens);

  DecoderPorts ports_;
  InferRequest last_;  // Holds the caches of the text so far.
  InferRequest next_;
  int64_t length_ = 0;
};

// Returns the index of the largest of the last `count` elements of a dense tensor of f32, f16 or bf16, of equal ones
// the first. InvalidArgument where none is a number, or where the tensor has fewer.
absl::StatusOr<int64_t> LargestOfLast(const Tensor& tensor, int64_t count);

}  // namespace burin::text_generation

#endif  // BURIN_EXAMPLES_TEXT_GENERATION_CACHED_DECODER_H_

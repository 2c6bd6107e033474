// Reads ONNX files: the front door of this folder.
//
// Any IR version from 1 to 13 and any opset of ai.onnx from 1 to 27. Weights are not copied: constants point into the
// file's bytes, which live as long as they do. A damaged or hostile file gives a Status, in time linear in its size and
// in memory within twice the file plus 64 MB. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_READERS_ONNX_ONNX_READER_H_
#define BURIN_RUNTIME_READERS_ONNX_ONNX_READER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/storage.h"
#include "ir/tensor.h"

namespace burin::onnx {

// Reads a model from bytes that `bytes` keeps alive. Files of external data are looked for in `base_dir` and nowhere
// else, and mapped or, without `use_mmap`, read into memory; where it is empty, external data is refused.
// InvalidArgument where the bytes are damaged or break ONNX's rules, Unimplemented with one list of everything that is
// not supported, ResourceExhausted where they ask for more memory than is granted, and the errors of opening files.
absl::StatusOr<std::unique_ptr<ir::Model>> ReadOnnxModelFromBytes(std::shared_ptr<ir::Storage> bytes,
                                                                  const std::string& base_dir, bool use_mmap = true);

// As above, with external data inside `weights`, which is dense: constants share its memory and keep its storage. The
// model may name one file, whose content that is. An empty tensor: external data is refused.
absl::StatusOr<std::unique_ptr<ir::Model>> ReadOnnxModelFromMemory(std::shared_ptr<ir::Storage> bytes,
                                                                   ir::Tensor weights);

// Reads a TensorProto, as test data files hold one. `name`, where not null, receives the tensor's name. InvalidArgument
// for damaged bytes, Unimplemented for strings and complex numbers.
absl::StatusOr<ir::Tensor> ReadOnnxTensor(std::shared_ptr<ir::Storage> bytes, std::string* name = nullptr);

// Returns whether a file that begins with these bytes (a few hundred suffice) can be an ONNX model.
bool LooksLikeOnnx(absl::string_view first_bytes);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_ONNX_READER_H_

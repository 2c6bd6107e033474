// Public header "burin/compiled_model.h": a model compiled for a device.
//
// A handle; copies refer to one compiled model. Thread-safe.
#ifndef BURIN_RUNTIME_API_COMPILED_MODEL_H_
#define BURIN_RUNTIME_API_COMPILED_MODEL_H_

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/api/infer_request.h"
#include "runtime/api/model.h"
#include "runtime/api/properties.h"
#include "runtime/api/remote_context.h"
#include "runtime/dev/port.h"

namespace burin {

class ICompiledModel;

class CompiledModel {
 public:
  // Wraps a device's compiled model. For the Core; users get one from Core::CompileModel.
  explicit CompiledModel(std::shared_ptr<ICompiledModel> compiled) : compiled_(std::move(compiled)) {}

  // Returns a request that keeps this model alive. Any number may exist and run at once.
  absl::StatusOr<InferRequest> CreateInferRequest() const;

  const std::vector<Port>& inputs() const;
  const std::vector<Port>& outputs() const;
  // Return one port. NotFound or InvalidArgument, listing the ports, where there is none.
  absl::StatusOr<Port> input(size_t index) const;
  absl::StatusOr<Port> input(const std::string& name) const;
  absl::StatusOr<Port> output(size_t index) const;
  absl::StatusOr<Port> output(const std::string& name) const;

  // Returns what is executed, as a model whose nodes carry execution facts. Unimplemented where the device has none.
  absl::StatusOr<Model> GetRuntimeModel() const;
  // Writes the compiled form that Core::ImportModel reads. Unimplemented where the device cannot.
  absl::Status ExportModel(std::ostream& stream) const;

  // Returns a property that took effect. NotFound, listing what can be read, for any other.
  absl::StatusOr<std::string> GetProperty(const std::string& name) const;
  template <class T>
  absl::StatusOr<T> GetProperty(const Property<T>& property) const {
    absl::StatusOr<std::string> text = GetProperty(std::string(property.name));
    if (!text.ok()) return text.status();
    return property.Parse(*text);
  }
  absl::Status SetProperty(const PropertyMap& properties);

  // Returns the context whose memory the model uses. Unimplemented where the device has none.
  absl::StatusOr<RemoteContext> GetContext() const;
  // Drops buffers that can be made again.
  absl::Status ReleaseMemory();

 private:
  std::shared_ptr<ICompiledModel> compiled_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_API_COMPILED_MODEL_H_

// Public header "burin/remote_context.h": memory as a device likes it best.
//
// A handle; copies refer to one context. Not needed to run a model: any tensor can be given to any device. CPU devices
// compute in host memory: their context gives aligned host tensors, which they read and write without a copy.
// Thread-safe.
#ifndef BURIN_RUNTIME_API_REMOTE_CONTEXT_H_
#define BURIN_RUNTIME_API_REMOTE_CONTEXT_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "runtime/api/properties.h"
#include "runtime/api/tensor.h"

namespace burin {

class IRemoteContext;

class RemoteContext {
 public:
  // Wraps a device's context. For the Core; users get one from Core or CompiledModel.
  explicit RemoteContext(std::shared_ptr<IRemoteContext> context) : context_(std::move(context)) {}

  // Returns the name of the device whose memory this is.
  const std::string& device_name() const;

  // Allocates in the device's own memory, as `properties` ask. Unimplemented where it has none.
  absl::StatusOr<Tensor> CreateTensor(ElementType type, const Shape& shape, const PropertyMap& properties = {}) const;
  // Allocates host memory that the device uses without a copy: dense, row-major, uninitialised, aligned to at least 64
  // bytes. InvalidArgument for a bad shape or type, ResourceExhausted where the memory is denied.
  absl::StatusOr<Tensor> CreateHostTensor(ElementType type, const Shape& shape) const;

  // Returns the device's context behind. For the Core.
  IRemoteContext& context() const { return *context_; }

 private:
  std::shared_ptr<IRemoteContext> context_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_API_REMOTE_CONTEXT_H_

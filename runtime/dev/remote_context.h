// A device's memory, as a plugin offers it: the interface, and the context of devices that compute in host memory.
//
// Not for tensors as such: any ir::Tensor can be given to any device; a context allocates where the device likes it
// best. Thread-safe.
#ifndef BURIN_RUNTIME_DEV_REMOTE_CONTEXT_H_
#define BURIN_RUNTIME_DEV_REMOTE_CONTEXT_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/dev/property_map.h"

namespace burin {

// Owned by a shared_ptr: a compiled model that needs its context later holds shared_from_this().
class IRemoteContext : public std::enable_shared_from_this<IRemoteContext> {
 public:
  explicit IRemoteContext(std::string device_name) : device_name_(std::move(device_name)) {}
  virtual ~IRemoteContext() = default;
  IRemoteContext(const IRemoteContext&) = delete;
  IRemoteContext& operator=(const IRemoteContext&) = delete;

  // Returns the name of the device whose memory this is.
  const std::string& device_name() const { return device_name_; }

  // Allocates in the device's own memory, as `properties` ask. Unimplemented where it has none.
  virtual absl::StatusOr<ir::Tensor> CreateTensor(ElementType type, const ir::Shape& shape,
                                                  const PropertyMap& properties);
  // Allocates host memory that the device reads and writes without a copy: dense, row-major, uninitialised, aligned to
  // at least 64 bytes. InvalidArgument for a bad shape or type, ResourceExhausted where the memory is denied.
  virtual absl::StatusOr<ir::Tensor> CreateHostTensor(ElementType type, const ir::Shape& shape);

 private:
  const std::string device_name_;
};

// The context of a device that computes in host memory and has no other: CreateTensor is Unimplemented.
class HostContext final : public IRemoteContext {
 public:
  using IRemoteContext::IRemoteContext;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_REMOTE_CONTEXT_H_

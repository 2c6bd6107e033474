// Public header "burin/remote_context.h": memory that lives on a device.
//
// Opaque: no device of this build has memory of its own, and every call that needs a context says so with
// Unimplemented.
#ifndef BURIN_RUNTIME_API_REMOTE_CONTEXT_H_
#define BURIN_RUNTIME_API_REMOTE_CONTEXT_H_

#include <string>
#include <utility>

namespace burin {

class RemoteContext {
 public:
  explicit RemoteContext(std::string device_name) : device_name_(std::move(device_name)) {}
  const std::string& device_name() const { return device_name_; }

 private:
  std::string device_name_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_API_REMOTE_CONTEXT_H_

// Which operations of a model a device runs, and why it refuses the others.
//
// Value type.
#ifndef BURIN_RUNTIME_DEV_MODEL_SUPPORT_H_
#define BURIN_RUNTIME_DEV_MODEL_SUPPORT_H_

#include <map>
#include <string>

namespace burin {

struct ModelSupport {
  // Original op name -> the device that runs it. An op is here only if all that became of it is supported.
  std::map<std::string, std::string> supported;
  // Original op name -> why the device refuses it. No name is in both maps.
  std::map<std::string, std::string> refused;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_MODEL_SUPPORT_H_

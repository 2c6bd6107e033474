// Which operations of a model a device runs, and why it refuses the others.
//
// Value type and a pure function.
#ifndef BURIN_RUNTIME_DEV_MODEL_SUPPORT_H_
#define BURIN_RUNTIME_DEV_MODEL_SUPPORT_H_

#include <map>
#include <string>
#include <vector>

#include "ir/model.h"

namespace burin {

// Returns the names by which answers speak of a node: those of the user's operations that it stands for, or its own
// where no file names it.
std::vector<std::string> OriginalNames(const ir::Node& node);

struct ModelSupport {
  // Original op name -> the device that runs it. An op is here only if all that became of it is supported.
  std::map<std::string, std::string> supported;
  // Original op name -> why the device refuses it. No name is in both maps.
  std::map<std::string, std::string> refused;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_MODEL_SUPPORT_H_

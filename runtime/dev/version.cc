#include "runtime/dev/version.h"

namespace burin {

Version BuildVersion(const std::string& description) { return Version{"0.1.0", description}; }

}  // namespace burin

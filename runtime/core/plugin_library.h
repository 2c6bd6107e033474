// Finds and loads plugin libraries, and creates plugins from them.
//
// A library that was accepted stays mapped until the process ends, also when its last plugin is gone: tensors, models,
// definitions of operations, Statuses and threads that came from it refer to its code, and no reference count sees them
// all. One that is refused is closed again. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_CORE_PLUGIN_LIBRARY_H_
#define BURIN_RUNTIME_CORE_PLUGIN_LIBRARY_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/dev/plugin.h"

namespace burin {

// Returns what to load for a library that is called `location` in a file of the folder `folder`:
//   an absolute path     itself;
//   one with a '/'       the path from `folder`, absolute, without symbolic links;
//   a bare name "x"      "libx.so" (a name that has ".so" stays as it is) in `folder` where that exists, else the bare
//                        file name, which CreatePluginFromLibrary looks up in the loader's search path.
// An empty `folder` stands for no file: paths are then from the working directory, bare names for the loader.
std::string LocatePluginLibrary(const std::string& location, const std::string& folder);

// Loads a library that BURIN_DEFINE_PLUGIN is part of (runtime/dev/plugin_abi.h), checks that it fits this program, and
// has it create the plugin of a device. `library` is a path, or a bare file name for the loader's search path; a path
// without '/' is never looked up in the working directory. Every error names the library and the reason: NotFound where
// there is no such file; InvalidArgument where it cannot be loaded, or exports no plugin; FailedPrecondition, with each
// difference, where it was built for another program; Internal where it creates nothing; otherwise what its create
// function says.
absl::StatusOr<std::unique_ptr<Plugin>> CreatePluginFromLibrary(const std::string& library,
                                                                const std::string& device_name);

}  // namespace burin

#endif  // BURIN_RUNTIME_CORE_PLUGIN_LIBRARY_H_

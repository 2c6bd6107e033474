// Devices for tests of the core: they run nothing, and their every answer tells what reached them.
//
// For tests only. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_CORE_FAKE_PLUGIN_TESTLIB_H_
#define BURIN_RUNTIME_CORE_FAKE_PLUGIN_TESTLIB_H_

#include <string>
#include <vector>

#include "runtime/core/core_impl.h"
#include "runtime/core/static_plugins.h"
#include "runtime/dev/property_map.h"

namespace burin {

// Returns devices of the given names, all with PERF_COUNT and DEVICE_ID. Some are special:
//   BROKEN            is never created: "needs AVX2"
//   SILENT            does not say which instances it has, and has no contexts
//   TWO               has the instances 0 and 1
//   HINTED            has PERFORMANCE_HINT and an OPTIMAL_BATCH_SIZE of 8
//   a virtual device  has what can be set on those, and takes a list
std::vector<StaticPlugin> Fakes(const std::vector<const char*>& names);

// Compiles a model, by default an empty one, and returns with what: "NAME: PROPERTIES" in force, sorted, or the error.
// "NAME: mapped PROPERTIES" where a file called kFakeModelFileName is mapped meanwhile.
std::string Compiled(CoreImpl& core, const std::string& device, const PropertyMap& properties = {},
                     const CoreImpl::ModelSource* source = nullptr);
inline constexpr const char* kFakeModelFileName = "fake_plugin_model.onnx";

// Returns whether a file of that name is mapped into this process.
bool IsMapped(const std::string& file_name);

}  // namespace burin

#endif  // BURIN_RUNTIME_CORE_FAKE_PLUGIN_TESTLIB_H_

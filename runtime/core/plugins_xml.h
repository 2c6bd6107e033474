// Reads plugins.xml: the devices that a file adds, with their libraries and default properties.
//
//   <burin>
//     <plugins>
//       <plugin name="NPU" location="libnpu_plugin.so">
//         <properties>
//           <property key="PERF_COUNT" value="YES"/>
//         </properties>
//       </plugin>
//     </plugins>
//   </burin>
//
// The root may have any name. Nothing is loaded here. Pure function of the file system, thread-safe.
#ifndef BURIN_RUNTIME_CORE_PLUGINS_XML_H_
#define BURIN_RUNTIME_CORE_PLUGINS_XML_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/core/plugin_registry.h"

namespace burin {

// Returns what the file describes, in its order, each with its library located as LocatePluginLibrary says and the
// file as its source. NotFound or PermissionDenied for the file, InvalidArgument for a directory, for more than 1 MiB,
// for text that is no XML, and for any element, attribute or text that has no meaning here, naming file, line and
// device; likewise for a device name that is none or occurs twice, a missing name, location, key or value, and a key
// that occurs twice. Unimplemented for <extensions>.
absl::StatusOr<std::vector<PluginDescription>> ReadPluginsXml(const std::string& path);

}  // namespace burin

#endif  // BURIN_RUNTIME_CORE_PLUGINS_XML_H_

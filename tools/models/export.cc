// //tools/models:export: writes a built-in network as an ONNX file, for other runtimes and for the reader.
//
//   bazel run //tools/models:export -- "resnet50(image=64,width=0.5)" /tmp/resnet.onnx
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "tools/models/builtin.h"
#include "tools/models/onnx_builder.h"

namespace burin::models {
namespace {

absl::Status Export(const std::string& network_text, const std::string& path) {
  BURIN_ASSIGN_OR_RETURN(Builtin network, Builtin::Parse(network_text));
  OnnxBuilder builder(network.name());
  BURIN_RETURN_IF_ERROR(network.Build(&builder));
  BURIN_ASSIGN_OR_RETURN(std::string bytes, builder.Finish());
  BURIN_RETURN_IF_ERROR(WriteFileAtomically(path, bytes));
  std::printf("%s: %s, %.1f MB\n", path.c_str(), network.ToString().c_str(), static_cast<double>(bytes.size()) / 1e6);
  return absl::OkStatus();
}

// Exit codes: 0 written, 2 not written.
int Main(const std::vector<std::string>& arguments) {
  if (arguments.size() != 2) {
    std::fprintf(stderr, "Usage: export NAME|NAME(key=value,...) OUT.onnx\n\nNetworks with their defaults:\n%s",
                 ListBuiltins().c_str());
    return 2;
  }
  const absl::Status status = Export(arguments[0], arguments[1]);
  if (status.ok()) return 0;
  std::fprintf(stderr, "export: %s\n", status.ToString().c_str());
  return 2;
}

}  // namespace
}  // namespace burin::models

int main(int argc, char** argv) { return burin::models::Main(std::vector<std::string>(argv + 1, argv + argc)); }

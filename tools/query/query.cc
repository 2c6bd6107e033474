// //tools:query: what does a device support, before anything is compiled?
//
// Exits with 0 where the device supports the whole model (or none was asked about), 1 where it refuses any of it, 2 on
// any error.
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/api/core.h"
#include "tools/query/command.h"

int main(int argc, char** argv) {
  const burin::Core core;
  std::string output;
  const absl::StatusOr<int> code =
      burin::query::RunCommand(std::vector<std::string>(argv + 1, argv + argc), core, &output);
  std::fputs(output.c_str(), stdout);
  if (code.ok()) return *code;
  std::fprintf(stderr, "query: %s\n", code.status().ToString().c_str());
  return 2;
}

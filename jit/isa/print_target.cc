// print_target [LEVEL]: prints the machine that code would be generated for, capped at LEVEL where one is given. Exit
// status 1, with the reason on standard error, where there is none.
#include <iostream>

#include "absl/status/statusor.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"

namespace {

absl::StatusOr<burin::jit::Target> TargetFor(int argc, char** argv) {
  if (argc < 2) return burin::jit::Target::Host();
  const absl::StatusOr<burin::jit::IsaLevel> cap = burin::jit::ParseIsaLevel(argv[1]);
  if (!cap.ok()) return cap.status();
  return burin::jit::Target::Host(*cap);
}

}  // namespace

int main(int argc, char** argv) {
  const absl::StatusOr<burin::jit::Target> target = TargetFor(argc, argv);
  if (!target.ok()) {
    std::cerr << target.status() << '\n';
    return 1;
  }
  std::cout << target->ToString();
  return 0;
}

// //tools:jit_dump: what does the machine code of a kernel look like?
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "jit/asm/asm_dump.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/disassembler.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "tools/jit_dump/fused.h"
#include "tools/jit_dump/kernels.h"
#include "tools/options/options.h"

namespace burin::jit_dump {
namespace {

constexpr options::Option kOptions[] = {
    {"isa", "LEVEL", "The instruction set level that code is generated for. Default: the highest with the kernel."},
    {"o", "DIR", "Writes NAME.bin, the bytes, and NAME.s, the text, into this folder instead of printing the text."},
    {"list", nullptr, "Lists the kernels: what each is called at which level."},
    {"body", "FILE", "Shows the kernel of a Subgraph's body: a model of static shapes in the textual form."},
    {"linear", "FILE", "Shows the kernel of loops, as -body prints them."},
};

constexpr char kUsage[] = "jit_dump NAME | -body FILE | -linear FILE [-isa LEVEL] [-o DIR] | -list [-isa LEVEL]";

absl::StatusOr<std::optional<jit::IsaLevel>> ReadLevel(const options::Options& given) {
  if (!given.Has("isa")) return std::optional<jit::IsaLevel>();
  const absl::StatusOr<jit::IsaLevel> level = jit::ParseIsaLevel(given.Text("isa"));
  if (!level.ok()) return absl::InvalidArgumentError(absl::StrCat("Option -isa: ", level.status().message()));
  return std::optional<jit::IsaLevel>(*level);
}

absl::Status Dump(const jit::CodeBlob& blob, const options::Options& given) {
  if (given.Has("o")) {
    const std::string folder = given.Text("o");
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
      return absl::InvalidArgumentError(absl::StrCat("Option -o: cannot make folder ", folder, ": ", error.message()));
    }
    return jit::DumpAsm(blob, folder);
  }
  // The text can do without the instructions; whoever asks for them cannot.
  BURIN_RETURN_IF_ERROR(jit::Disassemble(absl::MakeConstSpan(blob.bytes.data(), blob.code_bytes)).status());
  std::fputs(jit::FormatAsm(blob).c_str(), stdout);
  return absl::OkStatus();
}

// Shows the forms of the kernel that the file named by option `name` holds.
absl::Status DumpFused(const char* name, const std::optional<jit::IsaLevel>& level, const options::Options& given) {
  BURIN_ASSIGN_OR_RETURN(const jit::Target target, TargetOf(level.value_or(*std::rbegin(jit::kAllIsaLevels))));
  BURIN_ASSIGN_OR_RETURN(const std::string text, ReadFile(given.Text(name)));
  const bool is_body = absl::string_view(name) == "body";
  BURIN_ASSIGN_OR_RETURN(const FusedForms forms, is_body ? FormsOfBody(text, target) : FormsOfLinearIr(text, target));
  BURIN_RETURN_IF_ERROR(Dump(forms.code, given));
  if (!given.Has("o")) {
    std::printf("\n; body\n%s\n; loops\n%s", forms.body.c_str(), forms.linear_ir.c_str());
    return absl::OkStatus();
  }
  const std::string path = absl::StrCat(given.Text("o"), "/", jit::DumpFileName(forms.code.name));
  if (is_body) BURIN_RETURN_IF_ERROR(WriteFileAtomically(path + ".body.txt", forms.body));
  return WriteFileAtomically(path + ".linear.txt", forms.linear_ir);
}

absl::Status Run(const options::Options& given, const std::vector<std::string>& names) {
  BURIN_ASSIGN_OR_RETURN(const std::optional<jit::IsaLevel> level, ReadLevel(given));
  for (const char* option : {"body", "linear"}) {
    if (!given.Has(option)) continue;
    if (!names.empty()) return absl::InvalidArgumentError(absl::StrCat("Option -", option, " takes no name"));
    return DumpFused(option, level, given);
  }
  const std::vector<Generator> generators = AllGenerators();
  if (given.Has("list")) {
    if (!names.empty()) return absl::InvalidArgumentError("Option -list takes no name of a kernel");
    std::fputs(ListKernels(generators, level).c_str(), stdout);
    return absl::OkStatus();
  }
  if (names.empty()) return absl::InvalidArgumentError("The name of a kernel is required (-list lists them)");
  for (const std::string& name : names) {
    BURIN_ASSIGN_OR_RETURN(const jit::CodeBlob blob, FindKernel(generators, name, level));
    BURIN_RETURN_IF_ERROR(Dump(blob, given));
  }
  return absl::OkStatus();
}

// Exit codes: 0 done, 2 it could not be done.
int Main(const std::vector<std::string>& arguments) {
  // Names stand before the options, which know no text of their own.
  size_t first_option = 0;
  while (first_option < arguments.size() && !absl::StartsWith(arguments[first_option], "-")) ++first_option;
  const auto middle = arguments.begin() + static_cast<std::ptrdiff_t>(first_option);
  const std::vector<std::string> names(arguments.begin(), middle);
  const absl::StatusOr<options::Options> given =
      options::Options::Parse(kOptions, std::vector<std::string>(middle, arguments.end()));
  if (given.ok() && given->help()) {
    std::fputs(options::HelpText(kUsage, kOptions).c_str(), stdout);
    return 0;
  }
  const absl::Status status = given.ok() ? Run(*given, names) : given.status();
  if (!status.ok()) {
    std::fprintf(stderr, "jit_dump: %s\n", status.ToString().c_str());
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace burin::jit_dump

int main(int argc, char** argv) { return burin::jit_dump::Main(std::vector<std::string>(argv + 1, argv + argc)); }

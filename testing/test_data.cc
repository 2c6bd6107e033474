#include "testing/test_data.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

namespace burin {
namespace {

// `bazel test` names the folder of runfiles; beside an executable that is started by hand lies the same folder.
std::filesystem::path RunfilesDir() {
  if (const char* dir = std::getenv("TEST_SRCDIR"); dir != nullptr) return dir;
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).concat(".runfiles");
}

std::optional<std::string> Folder(const char* name) {
  const std::filesystem::path path = RunfilesDir() / "burin_test_data" / "data" / name;
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return std::nullopt;
  return path.string();
}

}  // namespace

std::optional<std::string> ModelsDir() { return Folder("models"); }

std::optional<std::string> AmxVectorsDir() { return Folder("amx_vectors"); }

std::optional<std::string> ConformanceDir() { return Folder("conformance"); }

std::optional<std::string> OnnxTestDataDir() { return Folder("onnx_testdata"); }

}  // namespace burin

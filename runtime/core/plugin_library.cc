#include "runtime/core/plugin_library.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "runtime/dev/plugin_abi.h"

namespace burin {

namespace {

std::string DlError() {
  const char* text = dlerror();
  return text == nullptr ? "no reason given" : absl::CHexEscape(text);
}

// One opening of a library; the library stays mapped where it was kept, or where somebody else has it open.
class LoadedLibrary {
 public:
  explicit LoadedLibrary(void* handle) : handle_(handle) {}
  ~LoadedLibrary() { dlclose(handle_); }
  LoadedLibrary(const LoadedLibrary&) = delete;
  LoadedLibrary& operator=(const LoadedLibrary&) = delete;

  // Returns an exported function; null where there is none.
  template <class Function>
  Function Find(const char* symbol) const {
    return reinterpret_cast<Function>(dlsym(handle_, symbol));
  }

 private:
  void* const handle_;
};

// The loader would block on a pipe, and its messages do not tell a missing library from a missing dependency of it.
absl::Status CheckFile(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    const int error = errno;
    const std::string reason = absl::StrCat("The library cannot be opened: ", std::strerror(error));
    if (error == ENOENT || error == ENOTDIR) return absl::NotFoundError(reason);
    return error == EACCES ? absl::PermissionDeniedError(reason) : absl::InvalidArgumentError(reason);
  }
  if (!S_ISREG(status.st_mode)) return absl::InvalidArgumentError("The library is not a regular file");
  return absl::OkStatus();
}

// Returns whether the loader's search path has no file of this name, as opposed to one that it cannot load.
bool LoaderFindsNone(absl::string_view message, const std::string& library) {
  return absl::StrContains(message, absl::StrCat(library, ": cannot open shared object file: No such file"));
}

absl::StatusOr<std::unique_ptr<Plugin>> LoadAndCreate(const std::string& library, const std::string& device_name) {
  // dlopen takes an empty name for the program itself, and a name with a NUL for what stands before that.
  if (library.empty() || library.find('\0') != std::string::npos) {
    return absl::InvalidArgumentError("That is no name of a library");
  }
  if (library.find('/') != std::string::npos) BURIN_RETURN_IF_ERROR(CheckFile(library));
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const std::string reason = DlError();
    const std::string message = absl::StrCat("The library cannot be loaded: ", reason);
    return LoaderFindsNone(reason, library) ? absl::NotFoundError(message) : absl::InvalidArgumentError(message);
  }
  const LoadedLibrary loaded(handle);

  const auto abi = loaded.Find<PluginAbiFunction>(BURIN_PLUGIN_ABI_SYMBOL);
  const auto create = loaded.Find<PluginCreateFunction>(BURIN_PLUGIN_CREATE_SYMBOL);
  if (abi == nullptr || create == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("The library is no plugin of Burin: it has no symbol ",
                     abi == nullptr ? BURIN_PLUGIN_ABI_SYMBOL : BURIN_PLUGIN_CREATE_SYMBOL));
  }
  const AbiDescription* const description = abi();
  if (description == nullptr) return absl::InvalidArgumentError("The library has no description of its ABI");
  BURIN_RETURN_IF_ERROR(CheckAbi(HostAbi(), *description));

  // Accepted: from here on objects may refer to its code. The second opening only marks the first.
  void* const kept = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD | RTLD_NODELETE);
  if (kept == nullptr) return absl::InternalError(absl::StrCat("The library cannot be kept: ", DlError()));
  dlclose(kept);

  absl::StatusOr<std::unique_ptr<Plugin>> plugin = absl::InternalError("The library's create function set no result");
  create(device_name, &plugin);
  if (plugin.ok() && *plugin == nullptr) {
    return absl::InternalError("The library's create function returned neither a plugin nor an error");
  }
  return plugin;
}

}  // namespace

std::string LocatePluginLibrary(const std::string& location, const std::string& folder) {
  if (absl::StartsWith(location, "/")) return location;
  const std::filesystem::path base(folder);
  std::error_code error;
  if (location.find('/') != std::string::npos) {
    // Absolute, so that the loader takes it for a path although it may be left without a '/'.
    const std::filesystem::path path = std::filesystem::absolute(base / location, error);
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, error);
    return error ? path.string() : canonical.string();
  }
  const bool is_file_name = absl::EndsWith(location, ".so") || absl::StrContains(location, ".so.");
  const std::string name = is_file_name ? location : absl::StrCat("lib", location, ".so");
  if (folder.empty()) return name;
  const std::filesystem::path beside = base / name;
  return std::filesystem::exists(beside, error) ? beside.string() : name;
}

absl::StatusOr<std::unique_ptr<Plugin>> CreatePluginFromLibrary(const std::string& library,
                                                                const std::string& device_name) {
  absl::StatusOr<std::unique_ptr<Plugin>> plugin = LoadAndCreate(library, device_name);
  if (!plugin.ok()) {
    return WithContext(plugin.status(), absl::StrCat("Plugin library \"", absl::CHexEscape(library), "\""));
  }
  return plugin;
}

}  // namespace burin

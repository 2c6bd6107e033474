// What a plugin library exports, and how the host finds out whether the two fit together.
//
// Host and library share C++ classes, so they must agree on every size and switch that their headers depend on. The
// library carries a record of those, written by its own compiler, and the host compares it field by field with its own
// before it calls anything else. A plugin that is linked into the program needs none of this.
//
// Exactly one source file of a plugin library, which no program links statically, says
//
//   BURIN_DEFINE_PLUGIN(burin::trace::CreatePlugin)
//
// Stateless, thread-safe.
#ifndef BURIN_RUNTIME_DEV_PLUGIN_ABI_H_
#define BURIN_RUNTIME_DEV_PLUGIN_ABI_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/base/config.h"
#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/attributes.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/tensor.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/plugin.h"
#include "runtime/dev/port.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/remote_context.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/dev/task_executor.h"
#include "runtime/dev/version.h"

namespace burin {

// One thing that host and library must agree on: a text, or a number where `text` is null. Plain C layout, which never
// changes; kPluginAbiFormat would.
struct AbiField {
  const char* name;
  const char* text;
  uint64_t number;
};

struct AbiDescription {
  uint32_t format;
  uint32_t field_count;
  const AbiField* fields;
};

// What the two exported symbols are. The first may be called in any library; the second once the descriptions agree.
using PluginAbiFunction = const AbiDescription* (*)();
using PluginCreateFunction = void (*)(const std::string& device_name, absl::StatusOr<std::unique_ptr<Plugin>>* plugin);
#define BURIN_PLUGIN_ABI_SYMBOL "burin_plugin_abi"
#define BURIN_PLUGIN_CREATE_SYMBOL "burin_create_plugin"

// Returns the description of this program.
const AbiDescription& HostAbi();

// Compares two descriptions; FailedPrecondition naming each field that differs with both values, or that one of them
// lacks.
absl::Status CheckAbi(const AbiDescription& host, const AbiDescription& library);

// Everything below is evaluated by the compiler of whoever expands it. It must not refer to any function or variable
// with linkage that is Burin's own, besides the probes: the dynamic linker may bind the library's reference to the
// host's copy, and the host would be compared with itself.
namespace plugin_abi {

enum : uint32_t { kFormat = 1 };

enum : uint64_t {
  // Raised by hand with every change of a virtual method, its order or its meaning in runtime/dev or of a class of ir
  // that plugins use.
  kInterface = 1,
#ifdef NDEBUG
  kAssertions = 0,
#else
  kAssertions = 1,
#endif
#ifdef BURIN_ENABLE_DCHECK
  kDebugChecks = BURIN_ENABLE_DCHECK,
#else
  kDebugChecks = 0,
#endif
#ifdef _GLIBCXX_USE_CXX11_ABI
  kCxx11Abi = _GLIBCXX_USE_CXX11_ABI,
#else
  kCxx11Abi = 0,
#endif
#ifdef _GLIBCXX_DEBUG
  kDebugContainers = 1,
#else
  kDebugContainers = 0,
#endif
#ifdef _GLIBCXX_RELEASE
  kStandardLibrary = _GLIBCXX_RELEASE,
#else
  kStandardLibrary = 0,
#endif
#ifdef ABSL_LTS_RELEASE_VERSION
  kAbseil = ABSL_LTS_RELEASE_VERSION,
#else
  kAbseil = 0,
#endif
  // Which of absl's types are the standard library's.
  kAbseilTypes = (ABSL_OPTION_USE_STD_ANY) | (ABSL_OPTION_USE_STD_OPTIONAL << 2) |
                 (ABSL_OPTION_USE_STD_STRING_VIEW << 4) | (ABSL_OPTION_USE_STD_VARIANT << 6),
#ifdef ABSL_HAVE_ADDRESS_SANITIZER
  kAddressSanitizer = 1,
#else
  kAddressSanitizer = 0,
#endif
#ifdef ABSL_HAVE_THREAD_SANITIZER
  kThreadSanitizer = 1,
#else
  kThreadSanitizer = 0,
#endif
};

}  // namespace plugin_abi

#define BURIN_PLUGIN_ABI_TEXT_OF(x) #x
#define BURIN_PLUGIN_ABI_VERSION_TEXT(name, major) name " " BURIN_PLUGIN_ABI_TEXT_OF(major)
#if defined(__clang__)
#define BURIN_PLUGIN_ABI_COMPILER BURIN_PLUGIN_ABI_VERSION_TEXT("clang", __clang_major__)
#elif defined(__GNUC__)
#define BURIN_PLUGIN_ABI_COMPILER BURIN_PLUGIN_ABI_VERSION_TEXT("gcc", __GNUC__)
#else
#error "Burin is compiled with gcc or clang"
#endif

// The fields, as TEXT(name, literal) and NUMBER(name, value), in the order in which differences are reported.
#define BURIN_PLUGIN_ABI_FIELDS(TEXT, NUMBER)                                                                     \
  TEXT("Burin version", BURIN_BUILD_VERSION)                                                                      \
  NUMBER("plugin interface", ::burin::plugin_abi::kInterface)                                                     \
  TEXT("compiler", BURIN_PLUGIN_ABI_COMPILER)                                                                     \
  NUMBER("C++ standard", __cplusplus)                                                                             \
  NUMBER("C++ ABI of the compiler", __GXX_ABI_VERSION)                                                            \
  NUMBER("libstdc++ release", ::burin::plugin_abi::kStandardLibrary)                                              \
  NUMBER("_GLIBCXX_USE_CXX11_ABI", ::burin::plugin_abi::kCxx11Abi)                                                \
  NUMBER("_GLIBCXX_DEBUG", ::burin::plugin_abi::kDebugContainers)                                                 \
  NUMBER("assertions (no NDEBUG)", ::burin::plugin_abi::kAssertions)                                              \
  NUMBER("BURIN_ENABLE_DCHECK", ::burin::plugin_abi::kDebugChecks)                                                \
  NUMBER("address sanitizer", ::burin::plugin_abi::kAddressSanitizer)                                             \
  NUMBER("thread sanitizer", ::burin::plugin_abi::kThreadSanitizer)                                               \
  NUMBER("Abseil release", ::burin::plugin_abi::kAbseil)                                                          \
  NUMBER("Abseil's choice of standard types", ::burin::plugin_abi::kAbseilTypes)                                  \
  NUMBER("sizeof std::string", sizeof(::std::string))                                                             \
  NUMBER("sizeof absl::Status", sizeof(::absl::Status))                                                           \
  NUMBER("sizeof ir::Tensor", sizeof(::burin::ir::Tensor))                                                        \
  NUMBER("sizeof ir::ValueInfo", sizeof(::burin::ir::ValueInfo))                                                  \
  NUMBER("sizeof ir::OpDef", sizeof(::burin::ir::OpDef))                                                          \
  NUMBER("sizeof ir::Node", sizeof(::burin::ir::Node))                                                            \
  NUMBER("sizeof ir::Model", sizeof(::burin::ir::Model))                                                          \
  NUMBER("sizeof Port", sizeof(::burin::Port))                                                                    \
  NUMBER("sizeof ProfilingInfo", sizeof(::burin::ProfilingInfo))                                                  \
  NUMBER("sizeof ITaskExecutor", sizeof(::burin::ITaskExecutor))                                                  \
  NUMBER("sizeof IRemoteContext", sizeof(::burin::IRemoteContext))                                                \
  NUMBER("sizeof ISyncInferRequest", sizeof(::burin::ISyncInferRequest))                                          \
  NUMBER("sizeof AsyncInferRequest", sizeof(::burin::AsyncInferRequest))                                          \
  NUMBER("sizeof ICompiledModel", sizeof(::burin::ICompiledModel))                                                \
  NUMBER("sizeof Plugin", sizeof(::burin::Plugin))                                                                \
  /* Hashes start from an address inside Abseil: with two copies of it, no hash table could cross the border. */  \
  NUMBER("Abseil's hash of 1 (differs where the library has a copy of Abseil of its own)",                        \
         ::absl::Hash<uint64_t>{}(1))                                                                             \
  /* Attributes know their type by an address. */                                                                 \
  NUMBER("address of a type tag (differs where the program does not export its symbols: link it with -rdynamic)", \
         reinterpret_cast<uintptr_t>(::burin::ir::NoAttributes::StaticTypeTag()))

#define BURIN_PLUGIN_ABI_TEXT_FIELD(name, value) {name, value, 0},
#define BURIN_PLUGIN_ABI_NUMBER_FIELD(name, value) {name, nullptr, static_cast<uint64_t>(value)},

// The body of a function that returns the description of the code that is being compiled.
#define BURIN_RETURN_PLUGIN_ABI                                                                    \
  static const ::burin::AbiField fields[] = {                                                      \
      BURIN_PLUGIN_ABI_FIELDS(BURIN_PLUGIN_ABI_TEXT_FIELD, BURIN_PLUGIN_ABI_NUMBER_FIELD)};        \
  static const ::burin::AbiDescription description = {::burin::plugin_abi::kFormat,                \
                                                      sizeof(fields) / sizeof(fields[0]), fields}; \
  return &description

// Exports a plugin library's two symbols. `create_function` has the type of CreatePlugin in runtime/plugins:
// absl::StatusOr<std::unique_ptr<Plugin>>(const std::string& device_name).
#define BURIN_DEFINE_PLUGIN(create_function)                                                            \
  extern "C" __attribute__((visibility("default"))) const ::burin::AbiDescription* burin_plugin_abi() { \
    BURIN_RETURN_PLUGIN_ABI;                                                                            \
  }                                                                                                     \
  extern "C" __attribute__((visibility("default"))) void burin_create_plugin(                           \
      const ::std::string& device_name, ::absl::StatusOr<::std::unique_ptr<::burin::Plugin>>* plugin) { \
    *plugin = create_function(device_name);                                                             \
  }                                                                                                     \
  static_assert(true, "a semicolon ends the macro")

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_PLUGIN_ABI_H_

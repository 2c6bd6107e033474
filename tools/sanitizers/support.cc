// What uninstrumented system libraries need to live with a sanitizer. Only linked in --config=asan, ubsan and tsan.
#include <dlfcn.h>

extern "C" {

// Opens a library as the next dlopen does, without RTLD_DEEPBIND: oneTBB loads libtbbbind with it, at which the
// sanitizer runtimes abort.
__attribute__((visibility("default"))) void* dlopen(const char* name, int flags) {
  using Function = void* (*)(const char*, int);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "dlopen"));
  return next(name, flags & ~RTLD_DEEPBIND);
}

// A program and the plugin libraries that it loads have a copy each of what both use, and the program's counts. What is
// left to find is copies of different sizes.
__attribute__((visibility("default"))) const char* __asan_default_options() { return "detect_odr_violation=1"; }

// Returns the allocations that oneTBB keeps until the end of the process.
__attribute__((visibility("default"))) const char* __lsan_default_suppressions() {
  return "leak:tbb::detail::r1::observe\n"
         "leak:__TBB_internal_allocate_binding_handler\n"
         "leak:hwloc_\n";
}

// Threads that share a Status, such as an inference's result, give up their references inside of the distribution's
// Abseil, which is not instrumented: the last one's delete looks like a race with the others' reads.
__attribute__((visibility("default"))) const char* __tsan_default_suppressions() {
  return "race:absl::*Status::Unref\n";
}

}  // extern "C"

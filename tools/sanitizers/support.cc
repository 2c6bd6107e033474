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

// Returns the allocations that oneTBB keeps until the end of the process.
__attribute__((visibility("default"))) const char* __lsan_default_suppressions() {
  return "leak:tbb::detail::r1::observe\n"
         "leak:__TBB_internal_allocate_binding_handler\n"
         "leak:hwloc_\n";
}

}  // extern "C"

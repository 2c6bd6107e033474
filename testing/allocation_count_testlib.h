// Counts what a test program allocates: operator new, and malloc and its kin in the code that is linked into it.
//
// The library replaces operator new and wraps malloc (linker option --wrap, which it brings along): it is for a program
// of its own. Libraries loaded at run time are counted where they call operator new. Thread-safe.
#ifndef BURIN_TESTING_ALLOCATION_COUNT_TESTLIB_H_
#define BURIN_TESTING_ALLOCATION_COUNT_TESTLIB_H_

#include <cstdint>
#include <functional>

namespace burin {

// Returns how many allocations all threads together make in 1000 calls, after a few that may warm up; -1 where a call
// returns false.
int64_t AllocationsOf(const std::function<bool()>& call);

}  // namespace burin

#endif  // BURIN_TESTING_ALLOCATION_COUNT_TESTLIB_H_

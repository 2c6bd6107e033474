// Makes a thread take denormal numbers for zeros for a while.
//
// Arithmetic on them is many times slower than on others; results that would be one become 0 too. A scope: what the
// thread did before comes back at its end. Of the calling thread alone.
#ifndef BURIN_RUNTIME_EXECUTOR_FLUSH_DENORMALS_H_
#define BURIN_RUNTIME_EXECUTOR_FLUSH_DENORMALS_H_

#include <immintrin.h>

namespace burin::executor {

class FlushDenormals {
 public:
  // Does nothing unless `flush`.
  explicit FlushDenormals(bool flush) : flush_(flush), before_(flush ? _mm_getcsr() : 0) {
    if (flush_) _mm_setcsr(before_ | kFlushToZero | kDenormalsAreZero);
  }
  ~FlushDenormals() {
    if (flush_) _mm_setcsr((_mm_getcsr() & ~kBoth) | (before_ & kBoth));
  }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  // Bits of MXCSR: of results, and of operands. Intel 64 and IA-32 Architectures SDM, volume 1, 10.2.3.
  static constexpr unsigned kFlushToZero = 1U << 15;
  static constexpr unsigned kDenormalsAreZero = 1U << 6;
  static constexpr unsigned kBoth = kFlushToZero | kDenormalsAreZero;

  const bool flush_;
  const unsigned before_;
};

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_FLUSH_DENORMALS_H_

#include "jit/kernels/pooling/pooling_code_spec.h"

#include <cstddef>

#include "absl/strings/str_cat.h"

namespace burin::jit {

std::set<int64_t> PoolingCodeSpec::ColumnsOf(int windows) const {
  std::set<int64_t> columns;
  for (int w = 0; w < windows; ++w) {
    for (int t = 0; t < strip_taps; ++t) {
      columns.insert(int64_t{w} * strip_window_step + int64_t{t} * strip_tap_step);
    }
  }
  return columns;
}

int PoolingCodeSpec::StripColumns(int windows) const { return static_cast<int>(ColumnsOf(windows).size()); }

std::string PoolingCodeSpec::Name() const {
  constexpr const char* kKinds[] = {"max", "average", "lp"};
  return absl::StrCat("pool_", kKinds[static_cast<size_t>(kind)], kind == PoolingKind::kLp ? absl::StrCat(p) : "",
                      has_indices() ? "_indices" : "",
                      strip_windows > 0 ? absl::StrCat("_k", strip_taps, "_w", strip_windows, "x", strip_vectors) : "",
                      "_v", single_vectors, tail_channels > 0 ? absl::StrCat("_t", tail_channels) : "");
}

Hash128 PoolingCodeSpec::ContentKey() const {
  Hasher hasher;
  hasher.UpdateInt(static_cast<int>(kind));
  hasher.UpdateInt(p);
  hasher.UpdateInt(static_cast<int>(index_type));
  hasher.UpdateInt(strip_windows);
  hasher.UpdateInt(strip_vectors);
  hasher.UpdateInt(strip_taps);
  hasher.UpdateInt(strip_tap_step);
  hasher.UpdateInt(strip_window_step);
  hasher.UpdateInt(strip_output_step);
  hasher.UpdateInt(first_begin);
  hasher.UpdateInt(last_windows);
  hasher.UpdateInt(last_end);
  hasher.UpdateInt(is_one_strip);
  hasher.UpdateInt(single_vectors);
  hasher.UpdateInt(tail_channels);
  return hasher.Finish();
}

}  // namespace burin::jit

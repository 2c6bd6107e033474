#include "runtime/executor/work_split.h"

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace burin::executor {

namespace {

// Returns `items` * `part` / `parts` rounded down, without overflow; `part` <= `parts`.
int64_t Share(int64_t items, int64_t part, int64_t parts) {
  return items / parts * part + items % parts * part / parts;
}

// Returns into how many chunks of at least `grain` items may be cut; at least one where there are items.
int64_t MostChunks(int64_t items, int64_t grain) { return items <= 0 ? 0 : std::max<int64_t>(1, items / grain); }

}  // namespace

WorkSplit WorkSplit::Static(int64_t items, int members) {
  BURIN_DCHECK_GE(members, 1);
  return WorkSplit(items, std::min<int64_t>(MostChunks(items, 1), members), 0);
}

WorkSplit WorkSplit::Dynamic(int64_t items, int64_t grain, int members) {
  BURIN_DCHECK_GE(members, 1);
  BURIN_DCHECK_GE(grain, 1);
  const int64_t wanted = members == 1 ? 1 : kChunksPerMember * members;
  return WorkSplit(items, std::min(MostChunks(items, grain), wanted), 0);
}

WorkSplit WorkSplit::Fixed(int64_t items, int64_t grain) {
  BURIN_DCHECK_GE(grain, 1);
  if (items <= 0) return WorkSplit(0, 0, grain);
  return WorkSplit(items, items / grain + (items % grain != 0 ? 1 : 0), grain);
}

ItemRange WorkSplit::Range(int64_t chunk) const {
  BURIN_DCHECK(chunk >= 0 && chunk < chunks_);
  if (grain_ > 0) {
    const int64_t begin = chunk * grain_;
    return {begin, items_ - begin < grain_ ? items_ : begin + grain_};
  }
  return {Share(items_, chunk, chunks_), Share(items_, chunk + 1, chunks_)};
}

GridSplit GridSplit::Create(const GridAxis& rows, const GridAxis& columns, int members) {
  BURIN_DCHECK_GE(members, 1);
  const int64_t most_rows = MostChunks(rows.items, rows.grain);
  const int64_t most_columns = MostChunks(columns.items, columns.grain);
  const int64_t wanted = members == 1 ? 1 : kChunksPerMember * members;
  if (most_rows == 0 || most_columns == 0) return GridSplit(WorkSplit::Static(0, 1), WorkSplit::Static(0, 1));
  // Each row is read by every chunk of columns, and the other way round. Where the grains do not allow as many chunks
  // as are wanted, more chunks come before fewer bytes.
  int64_t best_rows = 1;
  int64_t best_columns = 1;
  int64_t best_chunks = 0;
  double least_bytes = std::numeric_limits<double>::infinity();
  for (int64_t by_rows = 1; by_rows <= std::min(most_rows, wanted); ++by_rows) {
    const int64_t by_columns = std::min(most_columns, (wanted + by_rows - 1) / by_rows);
    const int64_t chunks = std::min(by_rows * by_columns, wanted);
    const double bytes = static_cast<double>(rows.items) * rows.bytes_per_item * static_cast<double>(by_columns) +
                         static_cast<double>(columns.items) * columns.bytes_per_item * static_cast<double>(by_rows);
    if (chunks < best_chunks || (chunks == best_chunks && bytes >= least_bytes)) continue;
    best_chunks = chunks;
    least_bytes = bytes;
    best_rows = by_rows;
    best_columns = by_columns;
  }
  return GridSplit(WorkSplit::Static(rows.items, static_cast<int>(best_rows)),
                   WorkSplit::Static(columns.items, static_cast<int>(best_columns)));
}

}  // namespace burin::executor

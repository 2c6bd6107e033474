// How the work of a node is cut into the chunks that a team of threads takes (runtime/executor/team.h).
//
// Pure arithmetic. Use Static() where chunks cost the same and the same member should find its rows in its own cache
// from node to node, Dynamic() where costs vary or cores may be stolen, Fixed() where results depend on where the cuts
// are (partial sums), GridSplit where work is a matrix of tiles. Values; thread-safe.
#ifndef BURIN_RUNTIME_EXECUTOR_WORK_SPLIT_H_
#define BURIN_RUNTIME_EXECUTOR_WORK_SPLIT_H_

#include <cstdint>

namespace burin::executor {

// The items from `begin` up to `end`.
struct ItemRange {
  int64_t begin = 0;
  int64_t end = 0;

  friend bool operator==(const ItemRange& a, const ItemRange& b) { return a.begin == b.begin && a.end == b.end; }
};

// How many chunks a team takes per member where cores may be stolen: a member that is away for long delays no more than
// a chunk, which is this part of its share.
inline constexpr int64_t kChunksPerMember = 4;

// Some items, numbered from 0, in chunks of neighbouring items, none empty.
class WorkSplit {
 public:
  // Cuts `items` into one chunk for each of `members` >= 1; sizes differ by one item at most.
  static WorkSplit Static(int64_t items, int members);

  // Cuts `items` into up to kChunksPerMember chunks for each of `members` >= 1, each of at least `grain` >= 1 items,
  // where there are as many; sizes differ by one item at most. One chunk for one member.
  static WorkSplit Dynamic(int64_t items, int64_t grain, int members);

  // Cuts `items` into chunks of exactly `grain` >= 1 items and one of the rest: the same ones for any team.
  static WorkSplit Fixed(int64_t items, int64_t grain);

  // Returns the number of chunks; 0 where there are no items.
  int64_t chunks() const { return chunks_; }

  // Returns the items of a chunk, 0 to chunks().
  ItemRange Range(int64_t chunk) const;

 private:
  WorkSplit(int64_t items, int64_t chunks, int64_t grain) : items_(items), chunks_(chunks), grain_(grain) {}

  int64_t items_ = 0;
  int64_t chunks_ = 0;
  // Of Fixed(); 0 where the chunks are even.
  int64_t grain_ = 0;
};

// One axis of a matrix of work.
struct GridAxis {
  int64_t items = 0;
  // The fewest items of a chunk, at least 1.
  int64_t grain = 1;
  // What it costs each chunk to read what one of its items needs: bytes of a row of A, of a panel of B. Positive.
  double bytes_per_item = 1;
};

// A matrix of work in chunks that are rectangles, none empty.
class GridSplit {
 public:
  // Cuts into about kChunksPerMember rectangles for each of `members` >= 1, as far as the grains allow, so that the
  // bytes that all of them read together are fewest. One chunk for one member.
  static GridSplit Create(const GridAxis& rows, const GridAxis& columns, int members);

  // Returns the number of chunks; 0 where there is no row or no column.
  int64_t chunks() const { return rows_.chunks() * columns_.chunks(); }

  // Returns the rows of a chunk, and its columns. Chunks follow each other along the columns.
  ItemRange Rows(int64_t chunk) const { return rows_.Range(chunk / columns_.chunks()); }
  ItemRange Columns(int64_t chunk) const { return columns_.Range(chunk % columns_.chunks()); }

 private:
  GridSplit(WorkSplit rows, WorkSplit columns) : rows_(rows), columns_(columns) {}

  WorkSplit rows_;
  WorkSplit columns_;
};

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_WORK_SPLIT_H_

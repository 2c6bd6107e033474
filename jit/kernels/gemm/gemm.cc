#include "jit/kernels/gemm/gemm.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "jit/kernels/dot/dot_args.h"
#include "jit/kernels/panels/panel_layout.h"

namespace burin::jit {
namespace {

constexpr int kElementBytes = 4;

// Work items that a large product has at least, so that threads can share it.
constexpr int64_t kLeastUnits = 8;

int64_t Pieces(int64_t count, int64_t size) { return (count + size - 1) / size; }

// Takes batch dimensions that are rows as well into the rows, and drops those of one product.
GemmSpec Simplify(GemmSpec spec) {
  spec.batch.erase(
      std::remove_if(spec.batch.begin(), spec.batch.end(), [](const GemmBatchDim& dim) { return dim.extent == 1; }),
      spec.batch.end());
  while (!spec.batch.empty() && spec.m.has_value()) {
    const GemmBatchDim& last = spec.batch.back();
    if (last.b_stride != 0 || last.a_stride != *spec.m * spec.a_row_stride ||
        last.c_stride != *spec.m * spec.c_row_stride) {
      break;
    }
    *spec.m *= last.extent;
    spec.batch.pop_back();
  }
  return spec;
}

}  // namespace

absl::StatusOr<Gemm> Gemm::Create(const GemmSpec& spec, const EpilogueEmitter* epilogue, const Target& target,
                                  CodeCache& cache, const std::optional<BrgemmTile>& tile) {
  BURIN_RETURN_IF_ERROR(spec.Validate());
  const GemmSpec simple = Simplify(spec);
  const EpilogueRegisters registers = epilogue == nullptr ? EpilogueRegisters() : epilogue->Registers(target.isa());
  Gemm gemm(simple, GemmPlan::Of(simple, registers, target, tile));
  gemm.batch_size_ = simple.BatchSize();
  gemm.chunks_ = std::max<int64_t>(1, gemm.plan_.Chunks(simple));
  gemm.strips_ = gemm.plan_.Strips(simple);
  gemm.uses_c_ = epilogue == nullptr || simple.add_to_c || gemm.chunks_ > 1;
  gemm.whole_strip_ = gemm.AddColumns(gemm.plan_.whole_strip);
  gemm.last_strip_ = gemm.AddColumns(gemm.plan_.last_strip);
  if (simple.m.has_value()) gemm.grid_ = gemm.MakeGrid(*simple.m);
  BURIN_RETURN_IF_ERROR(gemm.CreateKernels(epilogue, target, cache));
  if (gemm.plan_.along_strips) BURIN_RETURN_IF_ERROR(gemm.CreateAlongStrips(epilogue, target, cache));
  if (gemm.plan_.source == GemmSource::kScratch) BURIN_RETURN_IF_ERROR(gemm.CreatePackers(target, cache));
  return gemm;
}

std::vector<Gemm::Columns> Gemm::AddColumns(const std::vector<GemmColumns>& parts) {
  std::vector<Columns> columns;
  for (const GemmColumns& part : parts) {
    size_t kind = 0;
    while (kind < kernels_.size() &&
           !(kernels_[kind].tile == part.tile && (kernels_[kind].last_columns > 0) == (part.last_columns > 0))) {
      ++kind;
    }
    if (kind == kernels_.size()) {
      kernels_.emplace_back();
      kernels_.back().tile = part.tile;
      kernels_.back().last_columns = part.last_columns;
    }
    BURIN_CHECK(kind < kMostKinds) << "kinds of tiles: " << kind;
    columns.push_back({part, static_cast<int>(kind)});
  }
  return columns;
}

std::array<bool, BrgemmSpec::kMaxRows + 1> Gemm::Heights(const BrgemmTile& tile) const {
  std::array<bool, BrgemmSpec::kMaxRows + 1> heights = {};
  if (!spec_.m.has_value()) {
    for (int rows = 1; rows <= tile.rows; ++rows) heights[static_cast<size_t>(rows)] = true;
    return heights;
  }
  const RowSplit& blocks = grid_.blocks;
  for (const int64_t block : {int64_t{0}, blocks.tiles - 1}) {
    if (blocks.tiles == 0) break;
    const RowSplit split = RowSplit::Of(blocks.RowsOf(block), tile.rows);
    heights[static_cast<size_t>(split.RowsOf(0))] = true;
    heights[static_cast<size_t>(split.rows)] = true;
  }
  return heights;
}

absl::Status Gemm::CreateKernels(const EpilogueEmitter* epilogue, const Target& target, CodeCache& cache) {
  for (Kernels& kernels : kernels_) {
    if (plan_.source == GemmSource::kDot) {
      BURIN_RETURN_IF_ERROR(CreateDots(kernels, epilogue, target, cache));
    } else {
      BURIN_RETURN_IF_ERROR(CreateKind(kernels, epilogue, target, cache));
    }
  }
  return absl::OkStatus();
}

bool Gemm::HasPlace(int place) const {
  if (chunks_ == 1) return place == (kFirst | kLast);
  return place == kFirst || place == kLast || (place == kMiddle && chunks_ > 2);
}

BrgemmSpec Gemm::TileSpec(const BrgemmTile& tile, int rows, int place) const {
  BrgemmSpec spec;
  spec.type = spec_.type;
  spec.rows = rows;
  spec.vectors = tile.vectors;
  spec.broadcast = tile.broadcast;
  spec.b_padded = plan_.source != GemmSource::kInPlace;
  spec.start = (place & kFirst) != 0 && !spec_.add_to_c ? BrgemmStart::kZero : BrgemmStart::kAddToC;
  if (spec_.a_depth_stride != kElementBytes) spec.a_step.reset();
  if (plan_.source == GemmSource::kInPlace) spec.b_step.reset();
  if (plan_.fixed_depth) spec.depth = spec_.k;
  spec.prefetch_lines = plan_.prefetch_lines;
  spec.prefetch_c = plan_.prefetch_c;
  return spec;
}

absl::Status Gemm::CreateKind(Kernels& kernels, const EpilogueEmitter* epilogue, const Target& target,
                              CodeCache& cache) {
  const std::array<bool, BrgemmSpec::kMaxRows + 1> heights = Heights(kernels.tile);
  for (int place = 0; place < 4; ++place) {
    if (!HasPlace(place)) continue;
    for (int rows = 1; rows <= BrgemmSpec::kMaxRows; ++rows) {
      if (!heights[static_cast<size_t>(rows)]) continue;
      BrgemmSpec tile = TileSpec(kernels.tile, rows, place);
      tile.partial = kernels.last_columns > 0;
      BURIN_ASSIGN_OR_RETURN(kernels.by_place[static_cast<size_t>(place)][static_cast<size_t>(rows)],
                             Brgemm::Create(tile, (place & kLast) != 0 ? epilogue : nullptr, target.isa(), cache));
    }
  }
  return absl::OkStatus();
}

absl::Status Gemm::CreateDots(Kernels& kernels, const EpilogueEmitter* epilogue, const Target& target,
                              CodeCache& cache) {
  const std::array<bool, BrgemmSpec::kMaxRows + 1> heights = Heights(kernels.tile);
  DotSpec spec;
  spec.type = spec_.type;
  spec.group = kernels.tile.vectors;
  spec.add_to_c = spec_.add_to_c;
  spec.prefetch = plan_.prefetch_lines > 0;
  for (spec.rows = 1; spec.rows <= DotSpec::kMaxRows; ++spec.rows) {
    const auto rows = static_cast<size_t>(spec.rows);
    if (!heights[rows]) continue;
    BURIN_ASSIGN_OR_RETURN(kernels.dots[rows], DotKernel::Create(spec, epilogue, target.isa(), cache));
  }
  return absl::OkStatus();
}

absl::Status Gemm::CreateAlongStrips(const EpilogueEmitter* epilogue, const Target& target, CodeCache& cache) {
  for (int place = 0; place < 4; ++place) {
    if (!HasPlace(place) || ((place & kLast) != 0 && epilogue != nullptr)) continue;
    BrgemmSpec tile = TileSpec(whole_strip_[0].part.tile, whole_strip_[0].part.tile.rows, place);
    tile.unroll = static_cast<int>(plan_.chunk_steps);
    tile.repeated = true;
    BURIN_ASSIGN_OR_RETURN(along_strips_[static_cast<size_t>(place)],
                           Brgemm::Create(tile, nullptr, target.isa(), cache));
  }
  return absl::OkStatus();
}

absl::Status Gemm::CreatePackers(const Target& target, CodeCache& cache) {
  const int64_t last_steps = spec_.k - (chunks_ - 1) * plan_.chunk_steps;
  const int64_t last_columns = spec_.n - (strips_ - 1) * plan_.strip_columns;
  for (const bool last_chunk : {false, true}) {
    for (const bool last_strip : {false, true}) {
      BURIN_ASSIGN_OR_RETURN(
          const PanelLayout layout,
          PanelLayout::Create(spec_.type, last_chunk ? last_steps : plan_.chunk_steps,
                              last_strip ? std::max<int64_t>(0, last_columns) : plan_.strip_columns));
      scratch_bytes_ = std::max(scratch_bytes_, layout.bytes());
      BURIN_ASSIGN_OR_RETURN(PanelPacker packer,
                             PanelPacker::Create(layout, spec_.b_depth_stride, spec_.b_column_stride, target, cache));
      packers_[last_chunk ? 1 : 0][last_strip ? 1 : 0].push_back(std::move(packer));
    }
  }
  return absl::OkStatus();
}

RowSplit Gemm::BlocksOf(int64_t rows) const {
  int64_t blocks = Pieces(rows, plan_.block_rows);
  // A product of few strips is cut at more rows than the caches ask for, as long as each block is worth it.
  const int64_t others = std::max<int64_t>(1, strips_ * batch_size_);
  // Without a sum there is C to read and to write.
  const int64_t steps = std::max<int64_t>(1, spec_.k);
  const int64_t work_of_row = std::max<int64_t>(1, std::min(spec_.n, plan_.strip_columns) * steps);
  const int64_t most = std::min(rows / (2 * BrgemmSpec::kMaxRows), rows / Pieces(plan_.item_work, work_of_row));
  blocks = std::max(blocks, std::min(Pieces(kLeastUnits, others), most));
  return RowSplit::Of(rows, static_cast<int>(std::max<int64_t>(1, Pieces(rows, std::max<int64_t>(1, blocks)))));
}

Gemm::Grid Gemm::MakeGrid(int64_t rows) const {
  Grid grid;
  grid.rows = rows;
  grid.blocks = BlocksOf(rows);
  grid.units = batch_size_ * grid.blocks.tiles * strips_;
  const int64_t width = std::min(spec_.n, plan_.strip_columns);
  const int64_t steps = std::max<int64_t>(1, spec_.k);
  const int64_t work = std::max<int64_t>(1, std::max(1, grid.blocks.rows) * width * steps);
  grid.units_per_item = std::max<int64_t>(1, plan_.item_work / work);
  grid.items = Pieces(grid.units, grid.units_per_item);
  for (size_t kind = 0; kind < kernels_.size(); ++kind) {
    for (const int taller : {0, 1}) {
      grid.splits[static_cast<size_t>(taller)][kind] =
          RowSplit::Of(grid.blocks.rows + taller, kernels_[kind].tile.rows);
    }
  }
  return grid;
}

int64_t Gemm::work_items(const GemmArgs& args) const {
  if (spec_.m.has_value()) return grid_.items;
  return MakeGrid(args.m).items;
}

void Gemm::Run(const GemmArgs& args, int64_t begin, int64_t end) const {
  BURIN_DCHECK(0 <= begin && begin <= end && end <= work_items(args)) << "items out of range: " << begin << ", " << end;
  if (spec_.m.has_value()) {
    RunUnits(args, grid_, begin * grid_.units_per_item, std::min(end * grid_.units_per_item, grid_.units));
  } else {
    const Grid grid = MakeGrid(args.m);
    RunUnits(args, grid, begin * grid.units_per_item, std::min(end * grid.units_per_item, grid.units));
  }
}

void Gemm::RunUnits(const GemmArgs& args, const Grid& grid, int64_t begin, int64_t end) const {
  Task task;
  task.args = &args;
  while (begin < end) {
    // Divisions take as long as a small product does.
    const int64_t row_of_units = begin < strips_ ? 0 : begin / strips_;
    int64_t product = row_of_units < grid.blocks.tiles ? 0 : row_of_units / grid.blocks.tiles;
    const int64_t block = row_of_units - product * grid.blocks.tiles;
    task.first_strip = begin - row_of_units * strips_;
    task.last_strip = std::min(strips_, task.first_strip + end - begin);
    begin += task.last_strip - task.first_strip;
    const int64_t first_row = grid.blocks.First(block);
    task.splits = &grid.splits[block < grid.blocks.taller ? 1 : 0];
    task.row = product * grid.rows + first_row;
    task.a = static_cast<const char*>(args.a) + first_row * spec_.a_row_stride;
    task.b = static_cast<const char*>(args.b);
    task.c = static_cast<char*>(args.c) + first_row * spec_.c_row_stride;
    for (size_t i = spec_.batch.size(); i-- > 0;) {
      const GemmBatchDim& dim = spec_.batch[i];
      const int64_t index = product % dim.extent;
      product /= dim.extent;
      task.a += index * dim.a_stride;
      task.b += index * dim.b_stride;
      task.c += index * dim.c_stride;
    }
    RunTask(task);
  }
}

void Gemm::RunTask(const Task& task) const {
  for (int64_t chunk = 0; chunk < chunks_; ++chunk) {
    if (along_strips_[static_cast<size_t>(PlaceOf(chunk))]) {
      RunAlongStrips(task, chunk);
      continue;
    }
    const int64_t step = chunk * plan_.chunk_steps;
    for (int64_t strip = task.first_strip; strip < task.last_strip; ++strip) {
      switch (plan_.source) {
        case GemmSource::kPanels: {
          const int64_t panel_bytes = spec_.k * PanelLayout::kStepBytes;
          const char* const b = task.b + strip * panel_bytes + step * PanelLayout::kStepBytes;
          const bool ends = strip + 1 == task.last_strip;
          const char* const next =
              ends ? task.b + task.first_strip * panel_bytes + (step + plan_.chunk_steps) * PanelLayout::kStepBytes
                   : b + panel_bytes;
          RunStrip(task, strip, chunk, b, ends && chunk + 1 == chunks_ ? b : next);
          break;
        }
        case GemmSource::kInPlace: {
          const char* const b =
              task.b + step * spec_.b_depth_stride + strip * plan_.strip_columns * spec_.b_column_stride;
          RunStrip(task, strip, chunk, b, b);
          break;
        }
        case GemmSource::kScratch: {
          const size_t last_chunk = chunk + 1 == chunks_ ? 1 : 0;
          const size_t last_strip = strip + 1 == strips_ ? 1 : 0;
          const PanelPacker& packer = packers_[last_chunk][last_strip][0];
          packer.Run(task.b + step * spec_.b_depth_stride + strip * plan_.strip_columns * spec_.b_column_stride,
                     task.args->scratch, 0, packer.work_items());
          const auto* const b = static_cast<const char*>(task.args->scratch);
          RunStrip(task, strip, chunk, b, b);
          break;
        }
        case GemmSource::kDot:
          RunDots(task, strip);
          break;
      }
    }
  }
}

BrgemmArgs Gemm::ArgsOf(const Task& task, int64_t chunk) const {
  const int64_t step = chunk * plan_.chunk_steps;
  BrgemmArgs args;
  args.a = task.a + step * spec_.a_depth_stride;
  args.a_row_stride = spec_.a_row_stride;
  args.c_row_stride = spec_.c_row_stride;
  args.a_step = spec_.a_depth_stride;
  args.b_step = spec_.b_depth_stride;
  args.depth = std::min(plan_.chunk_steps, spec_.k - step);
  args.places = task.args->places;
  args.row = task.row;
  return args;
}

void Gemm::RunAlongStrips(const Task& task, int64_t chunk) const {
  const int64_t whole = std::min(task.last_strip, strips_ - (last_strip_.empty() ? 0 : 1));
  const char* const b = task.b + chunk * plan_.chunk_steps * spec_.b_depth_stride;
  const int64_t strip_bytes = plan_.strip_columns * kElementBytes;
  if (whole > task.first_strip) {
    BrgemmArgs args = ArgsOf(task, chunk);
    args.b = b + task.first_strip * strip_bytes;
    args.c = task.c + task.first_strip * strip_bytes;
    args.repeats = whole - task.first_strip;
    along_strips_[static_cast<size_t>(PlaceOf(chunk))].Run(args);
  }
  if (task.last_strip > whole) RunStrip(task, whole, chunk, b + whole * strip_bytes, b);
}

void Gemm::RunDots(const Task& task, int64_t strip) const {
  const Kernels& kernels = kernels_[0];
  const RowSplit& split = (*task.splits)[0];
  const int64_t first = strip * plan_.strip_columns;
  DotArgs args;
  args.a = task.a;
  args.b = task.b + first * spec_.b_column_stride;
  args.c = task.c + first * kElementBytes;
  args.a_row_stride = spec_.a_row_stride;
  args.b_column_stride = spec_.b_column_stride;
  args.c_row_stride = spec_.c_row_stride;
  args.depth = spec_.k;
  args.columns = std::min(plan_.strip_columns, spec_.n - first);
  args.places = task.args->places;
  args.row = task.row;
  args.column = first;
  for (int64_t i = 0; i < split.tiles; ++i) {
    const int rows = split.RowsOf(i);
    kernels.dots[static_cast<size_t>(rows)].Run(args);
    args.a = static_cast<const char*>(args.a) + rows * spec_.a_row_stride;
    if (args.c != nullptr) args.c = static_cast<char*>(args.c) + rows * spec_.c_row_stride;
    args.row += rows;
  }
}

void Gemm::RunStrip(const Task& task, int64_t strip, int64_t chunk, const char* b, const char* next) const {
  const bool is_last = strip + 1 == strips_ && !last_strip_.empty();
  const std::vector<Columns>& parts = is_last ? last_strip_ : whole_strip_;
  const auto place = static_cast<size_t>(PlaceOf(chunk));
  BrgemmArgs args = ArgsOf(task, chunk);
  // What is fetched early is spread over the calls.
  const int64_t fetched = args.depth / BrgemmSpec::kUnroll * plan_.prefetch_lines * 64;
  const int64_t bytes = args.depth * PanelLayout::kStepBytes;
  int64_t fetch = 0;
  int64_t call = 0;
  // Parts of a strip have equal heights of tiles. They follow each other, so that rows of A stay in the level 1 cache.
  const RowSplit& split = (*task.splits)[static_cast<size_t>(parts[0].kernels)];
  const int64_t calls = split.tiles * static_cast<int64_t>(parts.size());
  char* c = task.c + strip * plan_.strip_columns * kElementBytes;
  for (int64_t i = 0; i < split.tiles; ++i) {
    const int rows = split.RowsOf(i);
    for (const Columns& part : parts) {
      args.b = b + part.part.first * kElementBytes;
      args.c = c + part.part.first * kElementBytes;
      args.column = strip * plan_.strip_columns + part.part.first;
      args.last_columns = part.part.last_columns;
      if (plan_.prefetch_lines > 0) {
        const bool due = fetch < bytes && fetch * calls < bytes * (call + 1);
        args.prefetch = due ? next + fetch : b;
        args.prefetch_step = due ? plan_.prefetch_lines * 64 : 0;
        if (due) fetch += fetched;
        ++call;
      }
      kernels_[static_cast<size_t>(part.kernels)].by_place[place][static_cast<size_t>(rows)].Run(args);
    }
    args.a = static_cast<const char*>(args.a) + rows * spec_.a_row_stride;
    c += rows * spec_.c_row_stride;
    args.row += rows;
  }
}

}  // namespace burin::jit

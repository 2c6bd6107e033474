#include "tools/jit_dump/kernels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "jit/emitters/catalogue.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/kernels/copy_args.h"
#include "jit/kernels/copy_blocks.h"
#include "jit/kernels/copy_byte_map.h"
#include "jit/kernels/copy_elements.h"
#include "jit/kernels/copy_records.h"
#include "jit/kernels/copy_rows.h"
#include "jit/kernels/copy_tiles.h"
#include "jit/limits/loops.h"
#include "tools/jit_dump/family_kernels.h"

namespace burin::jit_dump {
namespace {

using jit::CodeBlob;
using jit::IsaLevel;
using jit::Target;

constexpr size_t kMostNear = 5;

void AddEmitters(std::vector<Generator>& generators) {
  for (const jit::CatalogueEntry& entry : jit::EmitterCatalogue()) {
    generators.push_back({absl::StrCat("row_", entry.function.name),
                          [&entry](const Target& target) { return jit::RowKernel::Generate(entry.function, target); }});
  }
}

void AddLoops(std::vector<Generator>& generators) {
  constexpr jit::LoopOp kOps[] = {jit::LoopOp::kDependentAdd, jit::LoopOp::kFma, jit::LoopOp::kFmaAndAdd,
                                  jit::LoopOp::kDotBf16, jit::LoopOp::kDotInt8};
  for (const jit::LoopOp op : kOps) {
    for (const int bits : {256, 512}) {
      const jit::LoopSpec spec{op, bits, 12};
      if (op == jit::LoopOp::kDependentAdd && bits == 512) continue;
      generators.push_back(
          {spec.Name(), [spec](const Target& target) { return jit::RegisterLoop::Generate(target.isa(), spec); }});
    }
  }
  generators.push_back({"read", [](const Target& target) { return jit::ReadLoop::Generate(target.isa()); }});
  generators.push_back({"copy", [](const Target& target) { return jit::CopyLoop::Generate(target.isa()); }});
}

void AddTiles(std::vector<Generator>& generators) {
  for (const int bytes : {1, 2, 4, 8, 16}) {
    for (const jit::CopyTileShape shape :
         {jit::CopyTileShape::kLine, jit::CopyTileShape::kSmall, jit::CopyTileShape::kMasked}) {
      const bool is_line = shape == jit::CopyTileShape::kLine;
      for (const bool wide : {false, true}) {
        // Of whole lines half vectors, of masks few columns.
        for (const bool variant : {false, true}) {
          if ((wide && !is_line) || (variant && shape == jit::CopyTileShape::kSmall)) continue;
          jit::CopyTilesSpec spec;
          spec.element_bytes = bytes;
          spec.shape = shape;
          spec.wide = wide;
          spec.half_lines = variant && is_line;
          spec.few_columns = variant && !is_line;
          generators.push_back({spec.Name(), [spec](const Target& target) -> absl::StatusOr<CodeBlob> {
                                  if (spec.shape == jit::CopyTileShape::kMasked) {
                                    BURIN_RETURN_IF_ERROR(target.Require(IsaLevel::kAvx512));
                                  }
                                  return jit::GenerateCopyTiles(spec, target.isa());
                                }});
        }
      }
    }
  }
}

void AddBlocks(std::vector<Generator>& generators) {
  for (const int bytes : {1, 2, 4, 8, 16}) {
    for (const int run_bytes : {64, 128, 256}) {
      for (const bool nontemporal : {false, true}) {
        jit::CopyBlocksSpec spec;
        spec.element_bytes = bytes;
        spec.source_run_bytes = run_bytes;
        spec.destination_run_bytes = run_bytes;
        spec.nontemporal = nontemporal;
        if (2 * spec.ScratchBytes() > jit::kCopyScratchBytes) continue;
        generators.push_back(
            {spec.Name(), [spec](const Target& target) { return jit::GenerateCopyBlocks(spec, target.isa()); }});
      }
    }
  }
}

// Planes to pixels of 2 to 4 channels, and back: the records that images are made of.
void AddRecords(std::vector<Generator>& generators) {
  for (const int bytes : {1, 2, 4}) {
    for (const int count : {2, 3, 4}) {
      const jit::CopyRecordsSide planes;
      jit::CopyRecordsSide pixels;
      pixels.pitch = count * bytes;
      pixels.step = bytes;
      for (const bool to_pixels : {false, true}) {
        const jit::CopyRecordsSpec spec = {bytes, count, to_pixels ? planes : pixels, to_pixels ? pixels : planes};
        generators.push_back(
            {spec.Name(), [spec](const Target& target) { return jit::GenerateCopyRecords(spec, target.isa()); }});
      }
    }
  }
}

void AddMovements(std::vector<Generator>& generators) {
  for (const int fill_bytes : {0, 1, 2, 4, 8, 16}) {
    for (const bool nontemporal : {false, true}) {
      const jit::CopyRowsSpec spec{fill_bytes, nontemporal};
      generators.push_back(
          {spec.Name(), [spec](const Target& target) { return jit::GenerateCopyRows(spec, target.isa()); }});
    }
  }
  for (const int bytes : {1, 2, 4, 8, 16}) {
    const jit::CopyElementsSpec spec{bytes};
    generators.push_back(
        {spec.Name(), [spec](const Target& target) { return jit::GenerateCopyElements(spec, target.isa()); }});
  }
  AddTiles(generators);
  AddBlocks(generators);
  AddRecords(generators);
}

// The levels to look at, each behind those that it includes.
std::vector<IsaLevel> Levels(const std::optional<IsaLevel>& level) {
  if (level.has_value()) return {*level};
  return std::vector<IsaLevel>(std::begin(jit::kAllIsaLevels), std::end(jit::kAllIsaLevels));
}

// How many letters are to be changed, added or taken away to make `b` of `a`.
size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      const size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above + 1, row[j - 1] + 1, changed});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// The names that are most like `name`: those that contain it, then those with the fewest letters to change.
std::vector<std::string> NearNames(absl::Span<const Generator> generators, absl::string_view name) {
  const std::string wanted = absl::AsciiStrToLower(name);
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const Generator& generator : generators) {
    const std::string candidate = absl::AsciiStrToLower(generator.name);
    ranked.emplace_back(absl::StrContains(candidate, wanted) ? 0 : EditDistance(wanted, candidate), generator.name);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(kMostNear, ranked.size()); ++i) names.push_back(ranked[i].second);
  return names;
}

}  // namespace

std::vector<Generator> AllGenerators() {
  std::vector<Generator> generators;
  AddEmitters(generators);
  AddLoops(generators);
  AddMovements(generators);
  AddDenseKernels(generators);
  AddSelectionKernels(generators);
  std::sort(generators.begin(), generators.end(),
            [](const Generator& a, const Generator& b) { return a.name < b.name; });
  return generators;
}

absl::StatusOr<Target> TargetOf(IsaLevel level) { return Target::ForTesting(jit::IsaSet::From(level)); }

absl::StatusOr<CodeBlob> FindKernel(absl::Span<const Generator> generators, absl::string_view name,
                                    const std::optional<IsaLevel>& level) {
  absl::Status last = absl::OkStatus();
  std::vector<IsaLevel> levels = Levels(level);
  std::reverse(levels.begin(), levels.end());
  for (const IsaLevel candidate : levels) {
    BURIN_ASSIGN_OR_RETURN(const Target target, TargetOf(candidate));
    for (const Generator& generator : generators) {
      const bool by_generator = generator.name == name;
      // A kernel's own name begins with its generator's.
      if (!by_generator && !absl::StartsWith(name, generator.name)) continue;
      absl::StatusOr<CodeBlob> blob = generator.generate(target);
      if (!blob.ok()) {
        if (by_generator) last = blob.status();
        continue;
      }
      if (by_generator || blob->name == name) return blob;
    }
  }
  if (!last.ok()) return last;
  return absl::NotFoundError(absl::StrCat(
      "No kernel has this name; near ones: ", absl::StrJoin(NearNames(generators, name), ", "), "; got: ", name));
}

std::string ListKernels(absl::Span<const Generator> generators, const std::optional<IsaLevel>& level) {
  const std::vector<IsaLevel> levels = Levels(level);
  std::string text;
  for (const Generator& generator : generators) {
    std::vector<std::string> kernels;
    std::vector<uint8_t> last;
    for (const IsaLevel candidate : levels) {
      const absl::StatusOr<Target> target = TargetOf(candidate);
      if (!target.ok()) continue;
      const absl::StatusOr<CodeBlob> blob = generator.generate(*target);
      if (!blob.ok() || blob->bytes == last) continue;
      kernels.push_back(absl::StrCat(blob->name, " (", jit::Name(candidate), ", ", blob->code_bytes, " bytes)"));
      last = blob->bytes;
    }
    absl::StrAppend(&text, generator.name, ": ", kernels.empty() ? "not at this level" : absl::StrJoin(kernels, ", "),
                    "\n");
  }
  return text;
}

}  // namespace burin::jit_dump

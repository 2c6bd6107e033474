#include "tools/benchmark/data/input_sources.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "tools/benchmark/data/picture.h"

namespace burin::benchmark {

namespace {

using Kind = InputSource::Kind;

absl::StatusOr<Kind> KindOf(const std::string& piece) {
  if (piece == "random") return Kind::kRandom;
  if (piece == "image_info") return Kind::kImageInfo;
  if (HasPictureName(piece)) return Kind::kPictures;
  if (absl::EndsWith(piece, ".npy") || absl::EndsWith(piece, ".bin")) return Kind::kArrays;
  return absl::UnimplementedError(absl::StrCat("Input files are read from .npy, .bin, .png and .bmp alone: ", piece));
}

// Adds one of the pieces between commas to its input's source.
absl::Status AddPiece(const std::string& piece, const Port& port, bool is_first, InputSource* source) {
  BURIN_ASSIGN_OR_RETURN(Kind kind, KindOf(piece));
  const bool is_word = kind == Kind::kRandom || kind == Kind::kImageInfo;
  if (!is_first && (is_word || kind != source->kind)) {
    return absl::InvalidArgumentError(absl::StrCat("Option -i: input ", ToString(port),
                                                   " takes arrays (.npy, .bin), pictures (.png, .bmp), or one of the "
                                                   "words random and image_info; found besides others: ",
                                                   piece));
  }
  source->kind = kind;
  if (!is_word) source->files.push_back(piece);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<InputSource>> ParseInputSources(const std::string& text, const std::vector<Port>& inputs) {
  std::vector<InputSource> sources(inputs.size());
  if (text.empty()) return sources;
  std::vector<bool> is_named(inputs.size(), false);
  std::optional<size_t> current;
  if (inputs.size() == 1) current = 0;
  for (absl::string_view piece : absl::StrSplit(text, ',')) {
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(piece, absl::MaxSplits(':', 1));
    for (const Port& port : inputs) {
      if (parts.first.size() == piece.size() || !port.HasName(std::string(parts.first))) continue;
      if (is_named[port.index]) {
        return absl::InvalidArgumentError(absl::StrCat("Option -i: input is named twice: ", ToString(port)));
      }
      current = port.index;
      piece = parts.second;
      break;
    }
    if (!current.has_value() || piece.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("Option -i: expected NAME:FILE with one of the inputs ",
                                                     NamesOf(inputs), ", found \"", piece, "\""));
    }
    const bool is_first = !is_named[*current];
    is_named[*current] = true;
    BURIN_RETURN_IF_ERROR(AddPiece(std::string(piece), inputs[*current], is_first, &sources[*current]));
  }
  return sources;
}

}  // namespace burin::benchmark

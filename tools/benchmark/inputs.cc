#include "tools/benchmark/inputs.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "ir/shape.h"
#include "tools/benchmark/npy.h"
#include "tools/benchmark/shapes.h"
#include "tools/check/data_set.h"

namespace burin::benchmark {

namespace {

// What the options say of one input.
struct Source {
  std::vector<std::string> files;
  std::vector<ir::Shape> shapes;

  // Returns how many sets it is good for.
  size_t size() const { return std::max({files.size(), shapes.size(), size_t{1}}); }
};

// Splits "in1:a.npy,b.npy,in2:c.bin" by input. A colon that does not follow an input's name belongs to a path.
absl::Status ParseFiles(const std::string& text, const std::vector<Port>& inputs, std::vector<Source>* sources) {
  std::optional<size_t> current;
  if (inputs.size() == 1) current = 0;
  for (absl::string_view piece : absl::StrSplit(text, ',')) {
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(piece, absl::MaxSplits(':', 1));
    for (const Port& port : inputs) {
      if (parts.first.size() == piece.size() || !port.HasName(std::string(parts.first))) continue;
      if (!(*sources)[port.index].files.empty()) {
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
    (*sources)[*current].files.emplace_back(piece);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Source>> CollectSources(const std::vector<Port>& inputs, const std::string& files,
                                                   const std::string& data_shape) {
  std::vector<Source> sources(inputs.size());
  if (!files.empty()) BURIN_RETURN_IF_ERROR(ParseFiles(files, inputs, &sources));
  if (data_shape.empty()) return sources;
  if (std::all_of(inputs.begin(), inputs.end(), [](const Port& port) { return port.shape.is_static(); })) {
    return absl::InvalidArgumentError(
        "Option -data_shape is for models with dynamic inputs, and this one has none; -shape reshapes it");
  }
  BURIN_ASSIGN_OR_RETURN(std::vector<std::vector<ir::Shape>> shapes, ParseDataShapes(data_shape, inputs));
  for (size_t i = 0; i < inputs.size(); ++i) sources[i].shapes = std::move(shapes[i]);
  return sources;
}

// Returns the shape that the options or the port give, or nothing.
std::optional<ir::Shape> KnownShape(const Port& port, const Source& source, size_t set) {
  if (!source.shapes.empty()) return source.shapes[set % source.shapes.size()];
  if (port.shape.is_static()) return port.shape.ToShape();
  return std::nullopt;
}

absl::Status ShapeMissing(const Port& port) {
  return absl::InvalidArgumentError(
      absl::StrCat("Input has a dynamic shape: ", ToString(port), "; -data_shape says which shape its data has"));
}

absl::StatusOr<ir::Tensor> ReadRaw(const std::string& path, const Port& port, const ir::Shape& shape) {
  BURIN_ASSIGN_OR_RETURN(std::string bytes, ReadFile(path));
  BURIN_ASSIGN_OR_RETURN(ir::Tensor tensor, ir::Tensor::Create(port.element_type, shape));
  if (bytes.size() != tensor.byte_size()) {
    return absl::InvalidArgumentError(absl::StrCat("Input ", ToString(port), " takes ", tensor.byte_size(),
                                                   " bytes as ", ir::ToString(shape), "; the file has ", bytes.size(),
                                                   ": ", path));
  }
  if (!bytes.empty()) std::memcpy(tensor.mutable_data(), bytes.data(), bytes.size());
  return tensor;
}

absl::StatusOr<ir::Tensor> ReadInput(const std::string& path, const Port& port, const std::optional<ir::Shape>& shape) {
  if (absl::EndsWith(path, ".bin")) {
    if (!shape.has_value()) return ShapeMissing(port);
    return ReadRaw(path, port, *shape);
  }
  if (!absl::EndsWith(path, ".npy")) {
    return absl::UnimplementedError(absl::StrCat("Input files are read from .npy and .bin alone: ", path));
  }
  BURIN_ASSIGN_OR_RETURN(ir::Tensor tensor, ReadNpy(path));
  const bool fits = shape.has_value() ? tensor.shape() == *shape : port.shape.Accepts(tensor.shape());
  if (tensor.element_type() != port.element_type || !fits) {
    const std::string data = shape.has_value() ? absl::StrCat(" with data ", ir::ToString(*shape)) : "";
    return absl::InvalidArgumentError(absl::StrCat("Input is ", ToString(port), data, "; the file holds ",
                                                   Name(tensor.element_type()), ir::ToString(tensor.shape()), ": ",
                                                   path));
  }
  return tensor;
}

int64_t FramesOf(const std::vector<ir::Tensor>& tensors) {
  std::optional<int64_t> frames;
  for (const ir::Tensor& tensor : tensors) {
    if (tensor.shape().empty()) continue;
    if (frames.has_value() && *frames != tensor.shape().front()) return 1;
    frames = tensor.shape().front();
  }
  return frames.value_or(1);
}

absl::StatusOr<InputSet> MakeSet(const std::vector<Port>& inputs, const std::vector<Source>& sources, size_t set,
                                 uint64_t seed) {
  InputSet made;
  made.tensors.resize(inputs.size());
  made.sources.resize(inputs.size());
  std::vector<Port> without_file;
  for (const Port& port : inputs) {
    const Source& source = sources[port.index];
    const std::optional<ir::Shape> shape = KnownShape(port, source, set);
    if (source.files.empty()) {
      if (!shape.has_value()) return ShapeMissing(port);
      without_file.push_back(port);
      without_file.back().shape = *shape;
      made.sources[port.index] = absl::StrCat("random, seed ", seed + set);
      continue;
    }
    const std::string& path = source.files[set % source.files.size()];
    BURIN_ASSIGN_OR_RETURN(made.tensors[port.index], ReadInput(path, port, shape));
    made.sources[port.index] = path;
  }
  BURIN_ASSIGN_OR_RETURN(check::DataSet data, check::MakeDataSet(without_file, seed + set));
  for (size_t i = 0; i < without_file.size(); ++i) made.tensors[without_file[i].index] = std::move(data.inputs[i]);
  made.frames = FramesOf(made.tensors);
  return made;
}

}  // namespace

absl::StatusOr<std::vector<InputSet>> MakeInputSets(const std::vector<Port>& inputs, const std::string& files,
                                                    const std::string& data_shape, uint64_t seed) {
  BURIN_ASSIGN_OR_RETURN(std::vector<Source> sources, CollectSources(inputs, files, data_shape));
  size_t count = 1;
  for (const Source& source : sources) count = std::max(count, source.size());
  for (const Port& port : inputs) {
    for (size_t given : {sources[port.index].files.size(), sources[port.index].shapes.size()}) {
      if (given > 1 && given != count) {
        return absl::InvalidArgumentError(absl::StrCat("Inputs have different numbers of files or shapes: ", given,
                                                       " for ", ToString(port), ", ", count, " for another"));
      }
    }
  }
  std::vector<InputSet> sets;
  for (size_t set = 0; set < count; ++set) {
    BURIN_ASSIGN_OR_RETURN(InputSet made, MakeSet(inputs, sources, set, seed));
    sets.push_back(std::move(made));
  }
  return sets;
}

}  // namespace burin::benchmark

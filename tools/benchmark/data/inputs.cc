#include "tools/benchmark/data/inputs.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "ir/shape.h"
#include "tools/benchmark/data/input_sources.h"
#include "tools/benchmark/data/npy.h"
#include "tools/benchmark/data/picture.h"
#include "tools/benchmark/data/shapes.h"
#include "tools/check/data_set.h"

namespace burin::benchmark {

namespace {

using Kind = InputSource::Kind;

// What the options say of one input.
struct Source {
  InputSource data;
  std::vector<ir::Shape> shapes;
  size_t files_per_set = 1;

  // Returns how many sets its files make.
  size_t FileSets() const { return (data.files.size() + files_per_set - 1) / files_per_set; }
  // Returns how many sets it is good for.
  size_t size() const { return std::max({FileSets(), shapes.size(), size_t{1}}); }
  std::vector<std::string> FilesOf(size_t set) const {
    std::vector<std::string> files;
    for (size_t i = 0; i < std::min(files_per_set, data.files.size()); ++i) {
      files.push_back(data.files[(set * files_per_set + i) % data.files.size()]);
    }
    return files;
  }
};

// Returns the port with the shape that -data_shape gives its data in that set, if any.
Port PortOf(const Port& port, const Source& source, size_t set) {
  Port narrowed = port;
  if (!source.shapes.empty()) narrowed.shape = source.shapes[set % source.shapes.size()];
  return narrowed;
}

absl::StatusOr<std::vector<Source>> CollectSources(const std::vector<Port>& inputs, const std::string& files,
                                                   const std::string& data_shape) {
  std::vector<Source> sources(inputs.size());
  BURIN_ASSIGN_OR_RETURN(std::vector<InputSource> data, ParseInputSources(files, inputs));
  for (size_t i = 0; i < inputs.size(); ++i) sources[i].data = std::move(data[i]);
  if (!data_shape.empty()) {
    if (std::all_of(inputs.begin(), inputs.end(), [](const Port& port) { return port.shape.is_static(); })) {
      return absl::InvalidArgumentError(
          "Option -data_shape is for models with dynamic inputs, and this one has none; -shape reshapes it");
    }
    BURIN_ASSIGN_OR_RETURN(std::vector<std::vector<ir::Shape>> shapes, ParseDataShapes(data_shape, inputs));
    for (size_t i = 0; i < inputs.size(); ++i) sources[i].shapes = std::move(shapes[i]);
  }
  for (const Port& port : inputs) {
    Source& source = sources[port.index];
    if (source.data.kind != Kind::kPictures) continue;
    BURIN_ASSIGN_OR_RETURN(int64_t count, PicturesPerTensor(PortOf(port, source, 0)));
    source.files_per_set = static_cast<size_t>(count);
  }
  return sources;
}

absl::Status ShapeMissing(const Port& port) {
  return absl::InvalidArgumentError(
      absl::StrCat("Input has a dynamic shape: ", ToString(port), "; -data_shape says which shape its data has"));
}

absl::StatusOr<ir::Tensor> ReadRaw(const std::string& path, const Port& port) {
  if (port.shape.is_dynamic()) return ShapeMissing(port);
  const ir::Shape shape = port.shape.ToShape();
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

absl::StatusOr<ir::Tensor> ReadArray(const std::string& path, const Port& port) {
  if (absl::EndsWith(path, ".bin")) return ReadRaw(path, port);
  BURIN_ASSIGN_OR_RETURN(ir::Tensor tensor, ReadNpy(path));
  if (tensor.element_type() != port.element_type || !port.shape.Accepts(tensor.shape())) {
    return absl::InvalidArgumentError(absl::StrCat("Input is ", ToString(port), "; the file holds ",
                                                   Name(tensor.element_type()), ir::ToString(tensor.shape()), ": ",
                                                   path));
  }
  return tensor;
}

// Fills rows of (height, width, 1, ...) for the first other input that takes pictures.
absl::StatusOr<ir::Tensor> MakeImageInfo(const Port& port, const std::vector<Port>& inputs,
                                         const std::vector<ir::Tensor>& tensors) {
  if (port.shape.is_dynamic()) return ShapeMissing(port);
  const ir::Shape shape = port.shape.ToShape();
  if (shape.size() != 2 || shape.back() < 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("Option -i: image_info wants an input of rank 2 with 2 columns or more: ", ToString(port)));
  }
  for (const Port& other : inputs) {
    if (!tensors[other.index].has_value()) continue;
    Port picture = other;
    picture.shape = tensors[other.index].shape();
    const absl::StatusOr<PictureAxes> axes = FindPictureAxes(picture);
    if (!axes.ok()) continue;
    const double row[] = {static_cast<double>(picture.shape[axes->height].value()),
                          static_cast<double>(picture.shape[axes->width].value())};
    BURIN_ASSIGN_OR_RETURN(ir::Tensor info, ir::Tensor::Create(port.element_type, shape));
    for (int64_t i = 0; i < info.element_count(); ++i) {
      const int64_t column = i % shape.back();
      StoreFromDouble(port.element_type, info.mutable_data(), i, column < 2 ? row[column] : 1);
    }
    return info;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("Option -i: image_info for ", ToString(port), ": no input takes pictures; -layout says which does"));
}

// Returns what the inputs' dimensions N agree on, or nothing where no layout has one.
std::optional<int64_t> BatchOf(const std::vector<Port>& inputs, const std::vector<ir::Tensor>& tensors) {
  std::optional<int64_t> batch;
  for (const Port& port : inputs) {
    const ir::Shape& shape = tensors[port.index].shape();
    const auto axis = port.layout.Find("N", static_cast<int64_t>(shape.size()));
    if (!axis.ok() || !axis->has_value()) continue;
    const int64_t size = shape[static_cast<size_t>(**axis)];
    if (batch.has_value() && *batch != size) return 1;
    batch = size;
  }
  return batch;
}

int64_t FramesOf(const std::vector<Port>& inputs, const std::vector<ir::Tensor>& tensors) {
  std::optional<int64_t> frames = BatchOf(inputs, tensors);
  if (frames.has_value()) return *frames;
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
  std::vector<Port> random;
  for (const Port& input : inputs) {
    const Source& source = sources[input.index];
    const Port port = PortOf(input, source, set);
    ir::Tensor& tensor = made.tensors[port.index];
    const std::vector<std::string> files = source.FilesOf(set);
    made.sources[port.index] = absl::StrJoin(files, ", ");
    switch (source.data.kind) {
      case Kind::kRandom:
        if (port.shape.is_dynamic()) return ShapeMissing(port);
        random.push_back(port);
        made.sources[port.index] = absl::StrCat("random, seed ", seed + set);
        break;
      case Kind::kImageInfo:
        made.sources[port.index] = "image_info";
        break;
      case Kind::kArrays: {
        BURIN_ASSIGN_OR_RETURN(tensor, ReadArray(files.front(), port));
        break;
      }
      case Kind::kPictures: {
        BURIN_ASSIGN_OR_RETURN(tensor, ReadPictures(files, port));
        break;
      }
    }
  }
  BURIN_ASSIGN_OR_RETURN(check::DataSet data, check::MakeDataSet(random, seed + set));
  for (size_t i = 0; i < random.size(); ++i) made.tensors[random[i].index] = std::move(data.inputs[i]);
  for (const Port& input : inputs) {
    const Source& source = sources[input.index];
    if (source.data.kind != Kind::kImageInfo) continue;
    BURIN_ASSIGN_OR_RETURN(made.tensors[input.index], MakeImageInfo(PortOf(input, source, set), inputs, made.tensors));
  }
  made.frames = FramesOf(inputs, made.tensors);
  return made;
}

}  // namespace

absl::StatusOr<std::vector<InputSet>> MakeInputSets(const std::vector<Port>& inputs, const std::string& files,
                                                    const std::string& data_shape, uint64_t seed) {
  BURIN_ASSIGN_OR_RETURN(std::vector<Source> sources, CollectSources(inputs, files, data_shape));
  size_t count = 1;
  for (const Source& source : sources) count = std::max(count, source.size());
  for (const Port& port : inputs) {
    for (size_t given : {sources[port.index].FileSets(), sources[port.index].shapes.size()}) {
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

// Makes an input of pictures: which dimension means what, resizing, one picture per item of the batch.
//
// The samples are taken as they are, 0 to 255, red before green before blue: a model that wants them scaled does it
// itself. Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_DATA_PICTURE_H_
#define BURIN_TOOLS_BENCHMARK_DATA_PICTURE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/dev/port.h"

namespace burin::benchmark {

// The dimensions of an input that takes pictures.
struct PictureAxes {
  std::optional<int64_t> batch;
  int64_t channels = 0;
  int64_t height = 0;
  int64_t width = 0;
};

// Finds them in the port's layout, or, where that says nothing, by the one place that holds 1, 3 or 4 channels in a
// shape of rank 3 or 4. InvalidArgument where neither tells.
absl::StatusOr<PictureAxes> FindPictureAxes(const Port& port);

// Returns whether the file's name ends as a picture's, in any case: .png or .bmp.
bool HasPictureName(const std::string& path);

// Returns how many pictures one tensor of that port takes: its batch; 1 where the batch is dynamic or there is none.
// InvalidArgument as above, and for an empty batch.
absl::StatusOr<int64_t> PicturesPerTensor(const Port& port);

// Reads pictures, of which there is at least one, into a tensor for `port`: each item of the batch takes the next, and
// after the last the first. They are resized bilinearly (pixel centres aligned) to the port's height and width, or,
// where those are dynamic, to the first picture's. InvalidArgument where the port takes no pictures (no layout, another
// number of channels, a dynamic dimension besides batch, height and width), Unimplemented for an element type that
// cannot hold samples, the errors of reading pictures.
absl::StatusOr<ir::Tensor> ReadPictures(const std::vector<std::string>& paths, const Port& port);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_DATA_PICTURE_H_

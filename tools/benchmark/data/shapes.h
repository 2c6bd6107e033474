// Reads the values of -shape, -data_shape and -layout, in the form of tools/benchmark/data/port_values.h.
//
// Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_DATA_SHAPES_H_
#define BURIN_TOOLS_BENCHMARK_DATA_SHAPES_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "runtime/dev/port.h"

namespace burin::benchmark {

// Reads -shape. Returns each named input's port index with its shape, in order of index. InvalidArgument for text that
// is no list of shapes, an unknown input (listing the inputs), or one that is named twice.
absl::StatusOr<std::vector<std::pair<size_t, ir::PartialShape>>> ParseShapes(const std::string& text,
                                                                             const std::vector<Port>& inputs);

// Reads -data_shape, where several shapes may follow a name: `in[1,128][1,256]`. Returns the shapes by port index; none
// for an input that is not named. InvalidArgument as above, or for a shape that is not static or that the input cannot
// have.
absl::StatusOr<std::vector<std::vector<ir::Shape>>> ParseDataShapes(const std::string& text,
                                                                    const std::vector<Port>& inputs);

// Reads -layout, "in1[NCHW],in2[N,C]", into the ports' layouts. InvalidArgument as above, or for a layout that is none
// or that does not fit the input's rank.
absl::Status ParseLayouts(const std::string& text, std::vector<Port>* inputs);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_DATA_SHAPES_H_

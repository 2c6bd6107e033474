// Saves inputs and outputs as //tools:check and //tools:bisect read them (tools/check/data_set.h). Stateless.
#ifndef BURIN_TOOLS_BISECT_DATA_SET_WRITER_H_
#define BURIN_TOOLS_BISECT_DATA_SET_WRITER_H_

#include <string>

#include "absl/status/status.h"
#include "tools/check/data_set.h"

namespace burin::bisect {

// Writes input_0.pb, ..., output_0.pb, ... into the folder, which is made where it is missing. Errors of the file
// system; Unimplemented for an element type that ONNX has no number for.
absl::Status WriteDataSet(const std::string& folder, const check::DataSet& data);

}  // namespace burin::bisect

#endif  // BURIN_TOOLS_BISECT_DATA_SET_WRITER_H_

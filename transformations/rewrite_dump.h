// Writes the model before and after each rewrite into files, to be read beside each other.
//
// For debugging: each rewrite costs two files of the whole model. Stateless.
#ifndef BURIN_TRANSFORMATIONS_REWRITE_DUMP_H_
#define BURIN_TRANSFORMATIONS_REWRITE_DUMP_H_

#include <functional>
#include <string>

#include "transformations/driver.h"

namespace burin::transformations {

// Returns an observer for PipelineOptions that writes `FOLDER/00012_ConstantFolding_before.txt` and `..._after.txt`, in
// the text form with large constants left out. The folder must exist; what cannot be written is logged as a warning.
std::function<void(const RewriteEvent& event)> DumpRewritesTo(std::string folder);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_REWRITE_DUMP_H_

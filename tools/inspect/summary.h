// What a model consists of, in lines for people.
//
// Stateless, thread-safe.
#ifndef BURIN_TOOLS_INSPECT_SUMMARY_H_
#define BURIN_TOOLS_INSPECT_SUMMARY_H_

#include <string>

#include "ir/model.h"

namespace burin::inspect {

// Prints inputs, outputs, variables, the constants' number and bytes, and how often each operation occurs (bodies
// included), most frequent first.
std::string Summarize(const ir::Model& model);

}  // namespace burin::inspect

#endif  // BURIN_TOOLS_INSPECT_SUMMARY_H_

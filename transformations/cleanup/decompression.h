// The mark on operations that decompress constant weights, which constant folding leaves alone.
//
// Weights stay small in memory only if their Convert or dequantisation is not folded: whoever lowers the operation that
// reads them takes both together. Set by the pass DecompressionMarking. Stateless.
#ifndef BURIN_TRANSFORMATIONS_CLEANUP_DECOMPRESSION_H_
#define BURIN_TRANSFORMATIONS_CLEANUP_DECOMPRESSION_H_

#include "ir/model.h"
#include "ir/runtime_info.h"

namespace burin::transformations {

// The key in a node's runtime info; the value is kDecompressionKept.
inline constexpr char kDecompressionKey[] = "decompression";
inline constexpr char kDecompressionKept[] = "kept";

// Returns whether the node decompresses constant weights and is not to be folded.
bool IsKeptDecompression(const ir::Node& node);

// Returns the mark alone where the node has it, else nothing: the runtime info of a node that takes its place.
ir::RuntimeInfo DecompressionMarkOf(const ir::Node& node);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_CLEANUP_DECOMPRESSION_H_

// The mark on operations that decompress constant weights, which constant folding leaves alone or folds however large.
//
// Weights stay small in memory only if their Convert or dequantisation is not folded: whoever lowers the operation that
// reads them takes both together. Where nobody does, they are decompressed once instead of in every inference. Set by
// the pass DecompressionMarking. Stateless.
#ifndef BURIN_TRANSFORMATIONS_CLEANUP_DECOMPRESSION_H_
#define BURIN_TRANSFORMATIONS_CLEANUP_DECOMPRESSION_H_

#include "ir/model.h"
#include "ir/runtime_info.h"

namespace burin::transformations {

// The key in a node's runtime info, and its values.
inline constexpr char kDecompressionKey[] = "decompression";
inline constexpr char kDecompressionKept[] = "kept";
inline constexpr char kDecompressionFolded[] = "folded";

// Returns whether the node decompresses constant weights and is not to be folded.
bool IsKeptDecompression(const ir::Node& node);

// Returns whether the node decompresses constant weights and is to be folded.
bool IsFoldedDecompression(const ir::Node& node);

// Returns the mark alone where the node is kept, else nothing: the runtime info of a node that takes its place.
ir::RuntimeInfo DecompressionMarkOf(const ir::Node& node);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_CLEANUP_DECOMPRESSION_H_

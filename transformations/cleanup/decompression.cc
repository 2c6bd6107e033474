#include "transformations/cleanup/decompression.h"

#include "ir/runtime_info.h"

namespace burin::transformations {

bool IsKeptDecompression(const ir::Node& node) {
  const ir::RuntimeInfo& info = node.runtime_info();
  const auto it = info.find(kDecompressionKey);
  return it != info.end() && it->second == kDecompressionKept;
}

ir::RuntimeInfo DecompressionMarkOf(const ir::Node& node) {
  if (!IsKeptDecompression(node)) return {};
  return {{kDecompressionKey, kDecompressionKept}};
}

}  // namespace burin::transformations

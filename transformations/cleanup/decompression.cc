#include "transformations/cleanup/decompression.h"

#include "ir/runtime_info.h"

namespace burin::transformations {
namespace {

bool HasMark(const ir::Node& node, const char* value) {
  const ir::RuntimeInfo& info = node.runtime_info();
  const auto it = info.find(kDecompressionKey);
  return it != info.end() && it->second == value;
}

}  // namespace

bool IsKeptDecompression(const ir::Node& node) { return HasMark(node, kDecompressionKept); }

bool IsFoldedDecompression(const ir::Node& node) { return HasMark(node, kDecompressionFolded); }

ir::RuntimeInfo DecompressionMarkOf(const ir::Node& node) {
  if (!IsKeptDecompression(node)) return {};
  return {{kDecompressionKey, kDecompressionKept}};
}

}  // namespace burin::transformations

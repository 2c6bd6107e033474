// The compact form of a model: written into compiled blobs, read back without copying constants.
//
// Layout, all integers little-endian (ir/forms/binary_format.h has the header's fields):
//
//   0    header, 64 bytes: magic, version, offset and size of both sections, checksum
//   64   graph: nodes in topological order with attributes by name, variables, bodies nested
//   ...  zeros up to a multiple of 64
//   ...  constants' bytes, each aligned to 64; those that share memory come once
//
// The checksum covers header and graph, not the constants: reading does not touch those. Stable across builds within a
// version; files of every version so far are read. Stateless, thread-safe.
#ifndef BURIN_IR_BINARY_H_
#define BURIN_IR_BINARY_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/storage.h"

namespace burin::ir {

// Returns the bytes. InvalidArgument where the model has a cycle, ResourceExhausted where there is no memory for a
// dense copy of a tensor.
absl::StatusOr<std::string> SerializeModel(const Model& model);

// Reads a model from `bytes`; its constants refer to them (aligned as written), so the storage lives as long as they
// do. Every offset, count and length is checked before use: DataLoss for bytes that are truncated or corrupt or
// describe no valid model, Unimplemented for an unknown version, op or attribute, InvalidArgument for null.
absl::StatusOr<std::unique_ptr<Model>> DeserializeModel(std::shared_ptr<Storage> bytes);

}  // namespace burin::ir

#endif  // BURIN_IR_BINARY_H_

// Adds what the caller knows to a status that comes from below.
//
// Use it where a name is known that the callee did not know: a node, a pass, a file. Not for changing the code of a
// status: the code is part of the callee's contract. Stateless, hence thread-safe.
#ifndef BURIN_BASE_STATUS_CONTEXT_H_
#define BURIN_BASE_STATUS_CONTEXT_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace burin {

// Returns `status` with its message changed to "prefix: message" (or "prefix" where the message is empty). The code and
// all payloads are kept. Returns an OK status unchanged.
absl::Status WithContext(const absl::Status& status, absl::string_view prefix);

}  // namespace burin

#endif  // BURIN_BASE_STATUS_CONTEXT_H_

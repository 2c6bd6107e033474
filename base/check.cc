#include "base/check.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace burin {
namespace internal {

CheckFailure::CheckFailure(const char* file, int line, const char* what) {
  stream_ << file << ":" << line << ": Check failed: " << what << " ";
}

CheckFailure::~CheckFailure() {
  const std::string text = absl::StrCat(stream_.str(), "\n");
  // One write, so that failures of several threads do not mix.
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
  std::abort();
}

std::unique_ptr<std::string> CheckOk(const absl::Status& status, const char* text) {
  if (status.ok()) return nullptr;
  return std::make_unique<std::string>(absl::StrCat(text, " is OK (", status.ToString(), ")"));
}

}  // namespace internal
}  // namespace burin

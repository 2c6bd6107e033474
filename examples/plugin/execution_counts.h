// How often each kind of operation was executed.
//
// Thread-safe: requests that run at once count together.
#ifndef BURIN_EXAMPLES_PLUGIN_EXECUTION_COUNTS_H_
#define BURIN_EXAMPLES_PLUGIN_EXECUTION_COUNTS_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace burin::trace {

class ExecutionCounts {
 public:
  // Counts operations of these types alone; all where there are none.
  explicit ExecutionCounts(const std::vector<std::string>& op_types);

  // Counts one execution, unless the type is not of interest.
  void Add(const std::string& op_type);

  // Returns "TYPE=COUNT" for each type that was executed, in order of type.
  std::vector<std::string> ToStrings() const;

 private:
  const bool all_;
  mutable std::mutex mutex_;
  std::map<std::string, int64_t> counts_;  // Guarded by mutex_. Holds every type of interest unless all_ is set.
};

}  // namespace burin::trace

#endif  // BURIN_EXAMPLES_PLUGIN_EXECUTION_COUNTS_H_

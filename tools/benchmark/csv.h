// Writes lines of fields separated by semicolons, as benchmark_app's reports are.
//
// Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_CSV_H_
#define BURIN_TOOLS_BENCHMARK_CSV_H_

#include <string>
#include <vector>

namespace burin::benchmark {

// Appends one line. A field with a semicolon, a quote or a line break is quoted, its quotes doubled (RFC 4180).
void AppendCsvLine(const std::vector<std::string>& fields, std::string* text);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_CSV_H_

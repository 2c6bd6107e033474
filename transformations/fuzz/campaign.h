// Checks many random models and counts what happened: which passes fired, which operations and types took part.
//
// Deterministic but for the time it takes. Not thread-safe.
#ifndef BURIN_TRANSFORMATIONS_FUZZ_CAMPAIGN_H_
#define BURIN_TRANSFORMATIONS_FUZZ_CAMPAIGN_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "transformations/fuzz/case_check.h"
#include "transformations/fuzz/fuzz_case.h"

namespace burin::transformations {

struct Failure {
  uint64_t seed = 0;
  std::string what;
  std::string rewrite;  // The rewrite that does it.
  std::string model;    // Shrunk, as a text.
};

struct Tally {
  int64_t rewrites = 0;
  int64_t graphs = 0;
};

struct CampaignReport {
  int64_t graphs = 0;
  int64_t exact = 0;
  int64_t same = 0;
  int64_t refused = 0;
  int64_t sensitive = 0;
  int64_t samples = 0;  // Compared.
  int64_t nodes = 0;
  std::vector<Failure> failures;
  std::vector<uint64_t> sensitive_seeds;
  // Every pass, every operation (bodies' nodes included) and every element type that an output has, none left out.
  std::map<std::string, Tally> passes;
  std::map<std::string, int64_t> ops;
  std::map<std::string, int64_t> types;

  // Prints everything as a table; failures with their models.
  std::string ToString() const;
};

struct CampaignOptions {
  int64_t graphs = 100;
  uint64_t first_seed = 1;
  int steps = 20;
  // More wrong cases are counted without being shrunk.
  int64_t max_shrunk = 20;
  CheckOptions check;
};

// Checks the graphs of the seeds first_seed, first_seed + 1, ...
CampaignReport RunCampaign(const CampaignOptions& options);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_FUZZ_CAMPAIGN_H_

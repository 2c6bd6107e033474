#include "tools/kernel_bench/families/families.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tools/kernel_bench/family.h"

namespace burin::kernel_bench {
namespace {

TEST(FamiliesTest, NamesTellFamiliesAndCasesApart) {
  std::set<std::string> families;
  for (const std::unique_ptr<Family>& family : AllFamilies()) {
    EXPECT_TRUE(families.insert(std::string(family->name())).second) << family->name();
    EXPECT_FALSE(family->description().empty());
    const std::vector<std::string> names = family->CaseNames();
    EXPECT_FALSE(names.empty());
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << family->name();
  }
  EXPECT_FALSE(families.empty());
}

}  // namespace
}  // namespace burin::kernel_bench

#include <gtest/gtest.h>
#include <xxhash.h>

namespace burin {
namespace {

// The value of the reference implementation for empty input and seed 0.
TEST(XxhashTest, HashesEmptyInput) { EXPECT_EQ(XXH3_64bits("", 0), 0x2d06800538d394c2u); }

}  // namespace
}  // namespace burin

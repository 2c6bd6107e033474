#include "tools/benchmark/data/input_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/gtest/status_matchers.h"

namespace burin::benchmark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = InputSource::Kind;

std::vector<Port> Ports(const std::vector<std::string>& names) {
  std::vector<Port> ports(names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    ports[i].index = i;
    ports[i].names = {names[i]};
  }
  return ports;
}

TEST(InputSourcesTest, FilesAndWordsByName) {
  ASSERT_OK_AND_ASSIGN(std::vector<InputSource> sources,
                       ParseInputSources("c:x.png,Y.BMP,a:1.npy,2.bin,d:image_info", Ports({"a", "b", "c", "d"})));
  EXPECT_EQ(sources[0].kind, Kind::kArrays);
  EXPECT_THAT(sources[0].files, ElementsAre("1.npy", "2.bin"));
  EXPECT_EQ(sources[1].kind, Kind::kRandom);
  EXPECT_EQ(sources[2].kind, Kind::kPictures);
  EXPECT_THAT(sources[2].files, ElementsAre("x.png", "Y.BMP"));
  EXPECT_EQ(sources[3].kind, Kind::kImageInfo);
  EXPECT_THAT(sources[3].files, IsEmpty());
}

TEST(InputSourcesTest, OneInputNeedsNoName) {
  ASSERT_OK_AND_ASSIGN(std::vector<InputSource> sources, ParseInputSources("C:/a.bin,x:b.bin", Ports({"x.y"})));
  EXPECT_THAT(sources[0].files, ElementsAre("C:/a.bin", "x:b.bin"));
  ASSERT_OK_AND_ASSIGN(sources, ParseInputSources("random", Ports({"x"})));
  EXPECT_EQ(sources[0].kind, Kind::kRandom);
  ASSERT_OK_AND_ASSIGN(sources, ParseInputSources("", Ports({"x", "y"})));
  EXPECT_EQ(sources[1].kind, Kind::kRandom);
}

TEST(InputSourcesTest, OtherTextIsRefused) {
  const struct {
    const char* text;
    absl::StatusCode code;
    const char* message;
  } kCases[] = {
      {"a.npy", absl::StatusCode::kInvalidArgument, "one of the inputs \"a\", \"b\""},
      {"a:1.npy,", absl::StatusCode::kInvalidArgument, "found \"\""},
      {"a:1.npy,a:2.npy", absl::StatusCode::kInvalidArgument, "named twice"},
      {"a:random,a:1.npy", absl::StatusCode::kInvalidArgument, "named twice"},
      {"a:1.npy,2.png", absl::StatusCode::kInvalidArgument, "found besides others: 2.png"},
      {"a:1.npy,random", absl::StatusCode::kInvalidArgument, "found besides others: random"},
      {"a:random,1.npy", absl::StatusCode::kInvalidArgument, "found besides others: 1.npy"},
      {"a:1.jpg", absl::StatusCode::kUnimplemented, "alone: 1.jpg"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(ParseInputSources(c.text, Ports({"a", "b"})), StatusIs(c.code, HasSubstr(c.message))) << c.text;
  }
}

}  // namespace
}  // namespace burin::benchmark

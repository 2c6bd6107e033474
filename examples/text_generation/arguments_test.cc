#include "examples/text_generation/arguments.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin::text_generation {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(ArgumentsTest, EveryFlag) {
  ASSERT_OK_AND_ASSIGN(const Arguments arguments,
                       ParseArguments({"-m", "a.onnx", "-tokenizer", "t.bin", "-prompt", "Once upon", "-n", "7",
                                       "-end_ids", "2,3", "-d", "REFERENCE"}));
  EXPECT_EQ(arguments.model, "a.onnx");
  EXPECT_EQ(arguments.tokenizer, "t.bin");
  EXPECT_EQ(arguments.prompt, "Once upon");
  EXPECT_EQ(arguments.count, 7);
  EXPECT_THAT(arguments.end_ids, ElementsAre(2, 3));
  EXPECT_EQ(arguments.device, "REFERENCE");
  for (const char* const flag : {"-m", "-tokenizer", "-prompt", "-prompt_ids", "-n", "-end_ids", "-d"}) {
    EXPECT_THAT(std::string(kUsage), HasSubstr(flag));
  }
}

TEST(ArgumentsTest, TokensInsteadOfText) {
  ASSERT_OK_AND_ASSIGN(const Arguments arguments, ParseArguments({"-m", "a.onnx", "-prompt_ids", "1, 9690,198"}));
  EXPECT_THAT(arguments.prompt_ids, ElementsAre(1, 9690, 198));
  EXPECT_EQ(arguments.count, 200);
  EXPECT_THAT(arguments.end_ids, IsEmpty());
  EXPECT_EQ(arguments.device, "CPU");
}

void ExpectRefuses(const std::vector<std::string>& words, const std::string& why) {
  EXPECT_THAT(ParseArguments(words), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(why)));
}

TEST(ArgumentsTest, RefusesWhatCannotBeMeant) {
  ExpectRefuses({}, "-m is missing");
  ExpectRefuses({"-m"}, "without a value: -m");
  ExpectRefuses({"-m", "a.onnx"}, "-tokenizer or -prompt_ids");
  ExpectRefuses({"-m", "a.onnx", "-prompt_ids", "1,x"}, "number of a token: x");
  ExpectRefuses({"-m", "a.onnx", "-prompt_ids", "-1"}, "number of a token: -1");
  ExpectRefuses({"-m", "a.onnx", "-prompt_ids", "1", "-n", "-3"}, "-3");
  ExpectRefuses({"-m", "a.onnx", "-prompt_ids", "1", "-prompt", "x"}, "goes with -tokenizer");
  ExpectRefuses({"-m", "a.onnx", "-tokenizer", "t", "-prompt_ids", "1", "-prompt", "x"}, "not with -prompt_ids");
  ExpectRefuses({"-k", "1"}, "Unknown flag: -k");
}

}  // namespace
}  // namespace burin::text_generation

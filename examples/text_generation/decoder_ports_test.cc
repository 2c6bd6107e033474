#include "examples/text_generation/decoder_ports.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin::text_generation {
namespace {

using ::testing::HasSubstr;

Port MakePort(const std::string& name, ElementType type, const std::string& shape) {
  Port port;
  port.names = {name};
  port.element_type = type;
  port.shape = PartialShape::Parse(shape).value();
  return port;
}

const Port kTokens = MakePort("input_ids", ElementType::kI64, "[?,?]");
const Port kPositions = MakePort("position_ids", ElementType::kI64, "[?,?]");
const Port kMask = MakePort("attention_mask", ElementType::kI64, "[?,?]");
const Port kLogits = MakePort("logits", ElementType::kF32, "[?,?,512]");
const Port kPast = MakePort("past_key_values.3.key", ElementType::kF16, "[?,4,?,8]");
const Port kPresent = MakePort("present.3.key", ElementType::kF16, "[?,4,?,8]");

TEST(DecoderPortsTest, RolesAreFoundInAnyOrder) {
  ASSERT_OK_AND_ASSIGN(const DecoderPorts ports,
                       FindDecoderPorts({kPast, kMask, kTokens, kPositions}, {kPresent, kLogits}));
  EXPECT_EQ(ports.tokens.name(), "input_ids");
  EXPECT_EQ(ports.positions->name(), "position_ids");
  EXPECT_EQ(ports.mask->name(), "attention_mask");
  EXPECT_EQ(ports.logits.name(), "logits");
  ASSERT_EQ(ports.caches.size(), 1u);
  EXPECT_EQ(ports.caches[0].past.name(), "past_key_values.3.key");
  EXPECT_EQ(ports.caches[0].present.name(), "present.3.key");
  EXPECT_EQ(ports.caches[0].time_axis, 2);
}

TEST(DecoderPortsTest, PositionsAndMaskMayBeMissingAndOtherNamesDo) {
  ASSERT_OK_AND_ASSIGN(const DecoderPorts ports,
                       FindDecoderPorts({MakePort("ids", ElementType::kI32, "[?]"),
                                         MakePort("past_0", ElementType::kF32, "[2,1,4,?,8]")},
                                        {MakePort("scores", ElementType::kBf16, "[1,?,9]"),
                                         MakePort("present_0", ElementType::kF32, "[2,1,4,?,8]")}));
  EXPECT_EQ(ports.tokens.name(), "ids");
  EXPECT_FALSE(ports.positions.has_value());
  EXPECT_FALSE(ports.mask.has_value());
  EXPECT_EQ(ports.logits.name(), "scores");
  EXPECT_EQ(ports.caches[0].time_axis, 3);
}

void ExpectRefuses(const std::vector<Port>& inputs, const std::vector<Port>& outputs, const std::string& why) {
  EXPECT_THAT(FindDecoderPorts(inputs, outputs), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(why)));
}

TEST(DecoderPortsTest, RefusesWhatIsNoDecoder) {
  ExpectRefuses({kPast}, {kPresent, kLogits}, "No input of tokens");
  ExpectRefuses({kTokens}, {kLogits}, "No cache");
  ExpectRefuses({kTokens, kPast}, {kPresent}, "No output of scores");
  ExpectRefuses({kTokens, kPast}, {kLogits}, "no output \"present.3.key\"");
  ExpectRefuses({kTokens, kPast}, {kLogits, MakePort("present.3.key", ElementType::kF32, "[?,4,?,8]")}, "another type");
  ExpectRefuses({kTokens, MakePort("past_0", ElementType::kF32, "[1,4,63,8]")},
                {kLogits, MakePort("present_0", ElementType::kF32, "[1,4,64,8]")}, "no axis that grows");
  ExpectRefuses({kTokens, MakePort("past_0", ElementType::kF32, "[...]")},
                {kLogits, MakePort("present_0", ElementType::kF32, "[...]")}, "no axis that grows");
  ExpectRefuses({kTokens, MakePort("seqlens_k", ElementType::kI32, "[?]"), kPast}, {kLogits, kPresent},
                "Two inputs have one meaning");
  ExpectRefuses({MakePort("embeds", ElementType::kF32, "[?,?]"), kPast}, {kLogits, kPresent}, "nor of integers");
  ExpectRefuses({kTokens, MakePort("mask", ElementType::kI64, "[?,1,?,?]"), kPast}, {kLogits, kPresent}, "no list");
  ExpectRefuses({kTokens, kPast}, {kLogits, MakePort("loss", ElementType::kF32, "[]"), kPresent}, "Two outputs");
  ExpectRefuses({kTokens, kPast}, {MakePort("next", ElementType::kI64, "[?,?]"), kPresent}, "not f32, f16 or bf16");
}

}  // namespace
}  // namespace burin::text_generation

#include "tools/benchmark/trace.h"

#include <gtest/gtest.h>

#include "nlohmann/json.hpp"

namespace burin::benchmark {
namespace {

using Json = nlohmann::ordered_json;

ProfilingInfo Node(const std::string& name, int64_t start_ns, int64_t real_ns) {
  ProfilingInfo info;
  info.status = ProfilingInfo::Status::kExecuted;
  info.node_name = name;
  info.op_type = "Relu";
  info.kernel = "k";
  info.count = 3;
  info.last_start_ns = start_ns;
  info.last_real_time_ns = real_ns;
  return info;
}

TEST(TraceTest, EachRequestHasATrackOfWhatRan) {
  ProfilingInfo untaken = Node("b", 0, 0);
  untaken.count = 0;
  const Json trace = Json::parse(ToTrace("m", {{Node("a", 5000, 2000), untaken}, {Node("a", 4000, 1500)}}));
  const Json& events = trace["traceEvents"];
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events[0]["args"]["name"], "m");
  EXPECT_EQ(events[1]["args"]["name"], "request 0");
  EXPECT_EQ(events[2]["name"], "a");
  EXPECT_EQ(events[2]["ph"], "X");
  EXPECT_EQ(events[2]["cat"], "Relu");
  EXPECT_EQ(events[2]["ts"], 1.0);
  EXPECT_EQ(events[2]["dur"], 2.0);
  EXPECT_EQ(events[2]["tid"], 0);
  EXPECT_EQ(events[2]["args"]["kernel"], "k");
  EXPECT_EQ(events[3]["args"]["name"], "request 1");
  EXPECT_EQ(events[4]["ts"], 0.0);
  EXPECT_EQ(events[4]["dur"], 1.5);
  EXPECT_EQ(events[4]["tid"], 1);
}

TEST(TraceTest, WithoutExecutionsThereAreNamesAlone) {
  EXPECT_EQ(Json::parse(ToTrace("m", {{}}))["traceEvents"].size(), 2u);
}

TEST(TraceTest, AnyNameGivesJson) { EXPECT_FALSE(Json::parse(ToTrace("\xff", {{Node("\xfe", 1, 1)}})).empty()); }

}  // namespace
}  // namespace burin::benchmark

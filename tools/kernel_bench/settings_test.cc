#include "tools/kernel_bench/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "jit/isa/isa.h"
#include "testing/gtest/status_matchers.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/case_set.h"
#include "tools/kernel_bench/family.h"
#include "tools/options/options.h"

namespace burin::kernel_bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

absl::StatusOr<Settings> ReadAll(const std::vector<std::string>& arguments) {
  BURIN_ASSIGN_OR_RETURN(const options::Options given, options::Options::Parse(OptionTable(), arguments));
  return Settings::Read(given);
}

class NamedFamily : public Family {
 public:
  NamedFamily(std::string name, std::vector<std::string> cases) : name_(std::move(name)), cases_(std::move(cases)) {}

  absl::string_view name() const override { return name_; }
  absl::string_view description() const override { return "Named."; }
  std::vector<std::string> CaseNames() const override { return cases_; }
  std::vector<std::string> CasesOf(const CaseSet& set) const override { return {"all", name_ + set.name}; }
  absl::StatusOr<BenchCase> MakeCase(absl::string_view, const CaseOptions&) const override { return BenchCase(); }

 private:
  const std::string name_;
  const std::vector<std::string> cases_;
};

std::vector<std::unique_ptr<Family>> SomeFamilies() {
  std::vector<std::unique_ptr<Family>> families;
  families.push_back(std::make_unique<NamedFamily>("unary", std::vector<std::string>{"Exp/1x4096", "Tanh/1x4096"}));
  families.push_back(std::make_unique<NamedFamily>("copy", std::vector<std::string>{"rows"}));
  return families;
}

std::vector<std::string> NamesOf(const std::vector<SelectedCase>& cases) {
  std::vector<std::string> names;
  for (const SelectedCase& selected : cases)
    names.push_back(std::string(selected.family->name()) + "/" + selected.name);
  return names;
}

TEST(SettingsTest, Defaults) {
  ASSERT_OK_AND_ASSIGN(const Settings settings, ReadAll({}));
  EXPECT_FALSE(settings.list || settings.limits || settings.peers || settings.cold);
  EXPECT_FALSE(settings.tune || settings.epilogues);
  EXPECT_EQ(settings.rounds, 21);
  EXPECT_EQ(settings.attempts, 3);
  EXPECT_EQ(settings.threads, 1);
  EXPECT_EQ(settings.SecondsOfCase(), Settings::kUsualSeconds);
  EXPECT_EQ(settings.max_isa, std::nullopt);
  EXPECT_TRUE(settings.runs_cases());
}

TEST(SettingsTest, EveryOptionIsRead) {
  ASSERT_OK_AND_ASSIGN(
      const Settings settings,
      ReadAll({"-family",  "unary,copy", "-case",    "Exp",      "-list",        "-limits", "-cpus=0,3",  "-rounds",
               "7",        "-seed",      "9",        "-max_isa", "avx2",         "-cold",   "-peers",     "-json",
               "out.json", "-body",      "body.txt", "-set",     "vit,random:3", "-tune",   "-epilogues", "-threads",
               "2",        "-attempts",  "9",        "-seconds", "0.5"}));
  EXPECT_TRUE(settings.list && settings.limits && settings.peers && settings.cold);
  EXPECT_THAT(settings.families, ElementsAre("unary", "copy"));
  EXPECT_EQ(settings.filter, "Exp");
  EXPECT_THAT(settings.cpus, ElementsAre(0, 3));
  EXPECT_EQ(settings.rounds, 7);
  EXPECT_EQ(settings.seed, 9u);
  EXPECT_EQ(settings.max_isa, jit::IsaLevel::kAvx2);
  EXPECT_EQ(settings.json, "out.json");
  EXPECT_EQ(settings.body, "body.txt");
  EXPECT_TRUE(settings.tune && settings.epilogues);
  ASSERT_THAT(settings.sets, SizeIs(2));
  EXPECT_EQ(settings.sets[0].name, "vit");
  EXPECT_EQ(settings.sets[1].seed, 3u);
  EXPECT_EQ(settings.threads, 2);
  EXPECT_EQ(settings.attempts, 9);
  EXPECT_EQ(settings.SecondsOfCase(), 0.5);
}

TEST(SettingsTest, LimitsAloneRunNoCases) {
  ASSERT_OK_AND_ASSIGN(const Settings alone, ReadAll({"-limits"}));
  EXPECT_FALSE(alone.runs_cases());
  ASSERT_OK_AND_ASSIGN(const Settings both, ReadAll({"-limits", "-case", "Exp"}));
  EXPECT_TRUE(both.runs_cases());
  ASSERT_OK_AND_ASSIGN(const Settings drawn, ReadAll({"-limits", "-set", "random:1"}));
  EXPECT_TRUE(drawn.runs_cases());
  EXPECT_EQ(drawn.SecondsOfCase(), Settings::kDrawnSeconds);
}

TEST(SettingsTest, RefusesWhatMakesNoSense) {
  EXPECT_THAT(ReadAll({"-rounds", "0"}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-rounds")));
  EXPECT_THAT(ReadAll({"-seed", "-1"}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-seed")));
  EXPECT_THAT(ReadAll({"-cpus", "0,x"}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("0,x")));
  EXPECT_THAT(ReadAll({"-max_isa", "sse9"}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("avx512")));
  EXPECT_THAT(ReadAll({"-threads", "0"}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-threads")));
  EXPECT_THAT(ReadAll({"-set", "none"}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-set")));
  EXPECT_THAT(ReadAll({"-unheard_of"}), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(SettingsTest, SelectsByFamilyAndFilter) {
  const std::vector<std::unique_ptr<Family>> families = SomeFamilies();
  Settings settings;
  ASSERT_OK_AND_ASSIGN(std::vector<SelectedCase> cases, SelectCases(settings, families));
  EXPECT_THAT(NamesOf(cases), ElementsAre("unary/Exp/1x4096", "unary/Tanh/1x4096", "copy/rows"));
  settings.families = {"unary"};
  ASSERT_OK_AND_ASSIGN(cases, SelectCases(settings, families));
  EXPECT_THAT(cases, SizeIs(2));
  settings.families.clear();
  settings.filter = "^copy|T.nh";
  ASSERT_OK_AND_ASSIGN(cases, SelectCases(settings, families));
  EXPECT_THAT(NamesOf(cases), ElementsAre("unary/Tanh/1x4096", "copy/rows"));
}

TEST(SettingsTest, SelectsTheCasesOfSetsOnce) {
  Settings settings;
  settings.families = {"copy"};
  settings.sets = {{"vit", {}}, {"bert", {}}};
  const std::vector<std::unique_ptr<Family>> families = SomeFamilies();
  ASSERT_OK_AND_ASSIGN(const std::vector<SelectedCase> cases, SelectCases(settings, families));
  EXPECT_THAT(NamesOf(cases), ElementsAre("copy/all", "copy/copyvit", "copy/copybert"));
}

TEST(SettingsTest, SaysWhatThereIsWhereNothingFits) {
  const std::vector<std::unique_ptr<Family>> families = SomeFamilies();
  Settings settings;
  settings.filter = "Gelu";
  EXPECT_THAT(SelectCases(settings, families).status(), StatusIs(absl::StatusCode::kNotFound, HasSubstr("Gelu")));
  settings.filter = "(";
  EXPECT_THAT(SelectCases(settings, families).status(), StatusIs(absl::StatusCode::kInvalidArgument));
  settings.filter = "";
  settings.families = {"unary", "matrix"};
  EXPECT_THAT(SelectCases(settings, families).status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("unary, copy; got: matrix")));
}

}  // namespace
}  // namespace burin::kernel_bench

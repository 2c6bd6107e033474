// The emulator against results that another, independent emulator of the processor gave.
#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "testing/emulation/code_bytes_testlib.h"
#include "testing/emulation/emulator.h"
#include "testing/emulation/recorded_cases_testlib.h"
#include "testing/emulation/vex_instruction.h"
#include "testing/gtest/status_matchers.h"
#include "testing/test_data.h"

namespace burin::emulation {
namespace {

constexpr int kRounds = 300;

// Returns the lines of the recording, without the checksums in which NaNs differ by their bits.
std::vector<std::string> Recording(const std::string& path) {
  std::string text;
  FILE* const pipe = popen(absl::StrCat("xz -dc '", path, "'").c_str(), "r");
  if (pipe == nullptr) return {};
  char buffer[4096];
  while (const size_t count = fread(buffer, 1, sizeof(buffer), pipe)) text.append(buffer, count);
  pclose(pipe);
  std::vector<std::string> lines;
  for (const absl::string_view recorded : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    std::string line(recorded);
    const size_t raw = line.find(" raw ");
    if (raw != std::string::npos) line.erase(raw, std::string(" raw 01234567").size());
    lines.push_back(std::move(line));
  }
  return lines;
}

sigjmp_buf resume;
void OnSignal(int signal_number) { siglongjmp(resume, signal_number); }

// The faults of the recording, in its order.
class Faults {
 public:
  explicit Faults(RecordedRandom* random) : random_(*random) {}

  std::vector<std::string> Run();

 private:
  void Load() { RunConfig(&random_, Prefix::kNone, &config_); }
  void LoadGood() {
    config_ = TileConfig();
    for (int tile = 0; tile < 3; ++tile) Shape(tile, 16, 64);
    Shape(3, 8, 64);
    Shape(4, 16, 6);
    Load();
  }
  void Shape(int tile, int rows, int row_bytes) {
    config_.rows[tile] = static_cast<uint8_t>(rows);
    config_.row_bytes[tile] = static_cast<uint16_t>(row_bytes);
  }
  static void Dot(int c, int b, int a) { CodeBytes().Registers(Prefix::k66, 0x5e, c, b, a).Run(); }
  void Try(const char* name, bool from_good, const std::function<void()>& body);
  void TryConfig(const char* name, const std::function<void()>& change);

  RecordedRandom& random_;
  TileConfig config_;
  alignas(64) uint8_t memory_[8192] = {};
  std::vector<std::string> lines_;
};

void Faults::Try(const char* name, bool from_good, const std::function<void()>& body) {
  const int signal_number = sigsetjmp(resume, 1);
  if (signal_number == 0) {
    if (from_good) LoadGood();
    body();
    lines_.push_back(absl::StrCat("fault ", name, ": none"));
  } else {
    lines_.push_back(absl::StrCat("fault ", name, ": signal ", signal_number));
  }
}

void Faults::TryConfig(const char* name, const std::function<void()>& change) {
  config_ = TileConfig();
  change();
  Try(name, false, [this] { Load(); });
}

std::vector<std::string> Faults::Run() {
  TryConfig("palette 2", [this] { config_.palette = 2; });
  TryConfig("reserved byte", [this] { config_.reserved[3] = 1; });
  TryConfig("rows 17", [this] { Shape(0, 17, 64); });
  TryConfig("colsb 68", [this] { Shape(0, 16, 68); });
  TryConfig("rows without cols", [this] { Shape(0, 16, 0); });
  TryConfig("tile 9 set", [this] { Shape(9, 1, 4); });
  Try("good config", false, [this] { LoadGood(); });
  Try("tdp dst==src", true, [] { Dot(0, 2, 0); });
  Try("tdp shape", true, [] { Dot(0, 2, 3); });
  Try("tdp unconfigured tile", true, [] { Dot(0, 7, 1); });
  Try("load unconfigured tile", true, [this] { RunMove(&random_, Prefix::kF2, 6, memory_, 64); });
  Try("load colsb 6", true, [this] { RunMove(&random_, Prefix::kF2, 4, memory_, 64); });
  Try("tilezero unconfigured", true, [] { CodeBytes().Registers(Prefix::kF2, 0x49, 6, 0, 0).Run(); });
  Try("load no index", true, [this] {
    CodeBytes code;
    code.Move(kRax, reinterpret_cast<uintptr_t>(memory_)).Memory(Prefix::kF2, 0x4b, 0, 0, kRax, kRsp, 0, 0, 0).Run();
  });
  Try("load bad address", true,
      [this] { RunMove(&random_, Prefix::kF2, 0, reinterpret_cast<const void*>(uintptr_t{64}), 64); });
  Try("load start_row 16", true, [this] {
    config_.start_row = 16;
    Load();
    RunMove(&random_, Prefix::kF2, 0, memory_, 64);
  });
  Try("tdp colsb 6", true, [this] {
    config_.row_bytes[0] = 62;
    Load();
    Dot(0, 2, 1);
  });
  Try("tdp ok", true, [] { Dot(0, 2, 1); });
  const auto load_nothing = [this] {
    config_ = TileConfig();
    config_.palette = 0;
    Load();
  };
  Try("palette 0", true, load_nothing);
  Try("tdp after palette 0", true, [&load_nothing] {
    load_nothing();
    Dot(0, 2, 1);
  });
  Try("tilerelease", true, [] { CodeBytes().Registers(Prefix::kNone, 0x49, 0, 0, 0).Run(); });
  return lines_;
}

TEST(RecordedCasesTest, AgreesWithAnotherEmulator) {
  const std::optional<std::string> folder = AmxVectorsDir();
  if (!folder.has_value()) GTEST_SKIP() << "BURIN_AMX_VECTORS is not set";
  for (const int signal_number : {SIGILL, SIGSEGV}) {
    struct sigaction action = {};
    action.sa_handler = &OnSignal;
    action.sa_flags = SA_NODEFER;
    ASSERT_EQ(sigaction(signal_number, &action, nullptr), 0);
  }
  const absl::Status installed = InstallEmulator({true});
  if (installed.code() == absl::StatusCode::kUnimplemented) GTEST_SKIP() << installed;
  ASSERT_OK(installed);
  const std::vector<std::string> recorded = Recording(*folder + "/amx-vectors.txt.xz");
  ASSERT_FALSE(recorded.empty());

  RecordedRandom random;
  std::vector<std::string> lines;
  for (int round = 0; round < kRounds; ++round) {
    for (int operation = 0; operation < 6; ++operation) lines.push_back(RunDotCase(&random, round, operation));
  }
  for (std::string& line : Faults(&random).Run()) lines.push_back(std::move(line));
  for (int round = 0; round < kRounds; ++round) {
    for (int opcode = 0x50; opcode <= 0x53; ++opcode) lines.push_back(RunVnniCase(&random, round, opcode));
  }
  ASSERT_EQ(lines.size(), recorded.size());
  int wrong = 0;
  for (size_t i = 0; i < lines.size() && wrong < 10; ++i) {
    EXPECT_EQ(lines[i], recorded[i]);
    wrong += lines[i] != recorded[i] ? 1 : 0;
  }
}

}  // namespace
}  // namespace burin::emulation

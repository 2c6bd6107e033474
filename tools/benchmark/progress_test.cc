#include "tools/benchmark/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace burin::benchmark {
namespace {

using ::testing::HasSubstr;

// Returns what `use` makes a bar draw.
std::string Drawn(bool is_terminal, const std::function<void(Progress&)>& use) {
  std::FILE* file = std::tmpfile();
  {
    Progress progress(file, is_terminal);
    use(progress);
  }
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

TEST(ProgressTest, DrawsOnATerminal) {
  const std::string text = Drawn(true, [](Progress& progress) {
    progress.Update(0.5);
    progress.Update(0.501);  // Less than a percent more: not drawn.
    progress.Update(2);
  });
  EXPECT_EQ(text,
            "\r[" + std::string(25, '=') + std::string(25, ' ') + "]  50%\r[" + std::string(50, '=') + "] 100%\n");
}

TEST(ProgressTest, IsSilentElsewhere) {
  EXPECT_EQ(Drawn(false, [](Progress& progress) { progress.Update(0.5); }), "");
  EXPECT_EQ(Drawn(true, [](Progress&) {}), "");
}

}  // namespace
}  // namespace burin::benchmark

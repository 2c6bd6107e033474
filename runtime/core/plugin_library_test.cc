#include "runtime/core/plugin_library.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "runtime/dev/plugin.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Library(const std::string& name) { return absl::StrCat("runtime/core/test_plugins/lib", name, ".so"); }

// The first opening by somebody else would find the library loaded.
bool IsLoaded(const std::string& library) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (handle == nullptr) return false;
  dlclose(handle);
  return true;
}

absl::Status StatusOf(const std::string& library) { return CreatePluginFromLibrary(library, "DEVICE").status(); }

TEST(PluginLibraryTest, CreatesThePluginOfADevice) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Plugin> plugin, CreatePluginFromLibrary(Library("good_plugin"), "DEVICE"));
  EXPECT_EQ(plugin->device_name(), "DEVICE");
  EXPECT_EQ(plugin->GetVersion().description, "plugin library that works");
  EXPECT_OK(plugin->SetProperties({{"LEVEL", "3"}}));
  EXPECT_THAT(plugin->GetProperty("LEVEL"), IsOkAndHolds("3"));
  EXPECT_OK(plugin->CompileModel(ir::Model(), {}).status());
}

TEST(PluginLibraryTest, PluginsOfOneLibraryAreIndependent) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Plugin> a, CreatePluginFromLibrary(Library("good_plugin"), "A"));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Plugin> b, CreatePluginFromLibrary(Library("good_plugin"), "B"));
  EXPECT_OK(a->SetProperties({{"LEVEL", "3"}}));
  EXPECT_THAT(b->GetProperty("LEVEL"), IsOkAndHolds("0"));
}

TEST(PluginLibraryTest, AnErrorOutlivesThePluginAndTheLibraryStays) {
  absl::Status error;
  {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Plugin> plugin, CreatePluginFromLibrary(Library("good_plugin"), "D"));
    error = plugin->SetProperties({{"LEVEL", "x"}});
  }
  EXPECT_THAT(error, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("given x")));
  EXPECT_TRUE(IsLoaded(Library("good_plugin")));
}

TEST(PluginLibraryTest, ThreadsLoadOneLibraryAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([] {
      for (int k = 0; k < 20; ++k) {
        EXPECT_OK(StatusOf(Library("good_plugin")));
        EXPECT_THAT(StatusOf(Library("false_abi_plugin")), StatusIs(absl::StatusCode::kFailedPrecondition));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(PluginLibraryTest, AMissingLibraryIsNotFound) {
  EXPECT_THAT(StatusOf("/no/such/libx.so"),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(StartsWith("Plugin library \"/no/such/libx.so\": "), HasSubstr("No such file"))));
  // A bare name is looked up by the loader.
  EXPECT_THAT(StatusOf("libburin_that_nobody_has.so"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("libburin_that_nobody_has.so")));
}

TEST(PluginLibraryTest, ABareNameIsNotLookedUpInTheWorkingDirectory) {
  ASSERT_OK_AND_ASSIGN(const std::string bytes, ReadFile(Library("good_plugin")));
  const std::filesystem::path old = std::filesystem::current_path();
  std::filesystem::current_path(::testing::TempDir());
  ASSERT_OK(WriteFileAtomically("libburin_here.so", bytes));
  EXPECT_THAT(StatusOf("libburin_here.so"), StatusIs(absl::StatusCode::kNotFound));
  std::filesystem::current_path(old);
}

TEST(PluginLibraryTest, WhatIsNoFileIsRefused) {
  EXPECT_THAT(StatusOf("runtime/core"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("not a regular file")));
  const std::string pipe = absl::StrCat(::testing::TempDir(), "/pipe.so");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(StatusOf(pipe), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("not a regular file")));
  EXPECT_THAT(StatusOf(""), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(StatusOf(std::string("/lib\0x", 6)), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(StatusOf(std::string(1 << 20, 'a')), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(StatusOf("/" + std::string(1 << 20, 'a')), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(PluginLibraryTest, WhatIsNoLibraryIsRefused) {
  ASSERT_OK_AND_ASSIGN(const std::string library, ReadFile(Library("without_symbols")));
  const std::string path = absl::StrCat(::testing::TempDir(), "/broken.so");
  for (const std::string& bytes : {std::string(), std::string("not an ELF file"), library.substr(0, 100)}) {
    ASSERT_OK(WriteFileAtomically(path, bytes));
    EXPECT_THAT(StatusOf(path), StatusIs(absl::StatusCode::kInvalidArgument,
                                         AllOf(HasSubstr(path), HasSubstr("The library cannot be loaded: "))));
  }
}

TEST(PluginLibraryTest, AMissingSymbolIsNamed) {
  EXPECT_THAT(StatusOf(Library("unresolved_plugin")),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("burin_symbol_that_nobody_has")));
  EXPECT_THAT(StatusOf(Library("without_symbols")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr(Library("without_symbols")), HasSubstr("no symbol burin_plugin_abi"))));
  EXPECT_FALSE(IsLoaded(Library("without_symbols")));
}

TEST(PluginLibraryTest, AnotherAbiIsRefusedBeforeAnythingIsCreated) {
  EXPECT_THAT(
      StatusOf(Library("false_abi_plugin")),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr(Library("false_abi_plugin")), HasSubstr("ABI mismatch: Burin version: this program "),
                     HasSubstr("the library \"0.0.1\""), HasSubstr("plugin interface: this program "),
                     HasSubstr("the library 99"), HasSubstr("phase of the moon"))));
}

TEST(PluginLibraryTest, ALibraryThatWasCompiledWithOtherSwitchesIsRefused) {
  EXPECT_THAT(StatusOf(Library("other_switches_plugin")),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("assertions (no NDEBUG): this program 1, the library 0")));
}

TEST(PluginLibraryTest, ALibraryThatUsesItsOwnCopyOfBurinIsRefused) {
  EXPECT_THAT(StatusOf(Library("own_copy_plugin")),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("ABI mismatch: address of a type tag")));
}

TEST(PluginLibraryTest, AFailingCreateFunctionSaysWhy) {
  EXPECT_THAT(StatusOf(Library("failing_plugin")),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(HasSubstr(Library("failing_plugin")), HasSubstr("the machine has no such device"))));
  EXPECT_THAT(StatusOf(Library("nothing_plugin")),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("neither a plugin nor an error")));
}

TEST(PluginLibraryTest, ALibraryCanBePutRightAndTriedAgain) {
  ASSERT_OK_AND_ASSIGN(const std::string bytes, ReadFile(Library("good_plugin")));
  const std::string path = absl::StrCat(::testing::TempDir(), "/liblater.so");
  ASSERT_OK(WriteFileAtomically(path, "nothing yet"));
  EXPECT_THAT(StatusOf(path), StatusIs(absl::StatusCode::kInvalidArgument));
  ASSERT_OK(WriteFileAtomically(path, bytes));
  EXPECT_OK(StatusOf(path));
}

class LocatePluginLibraryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = absl::StrCat(::testing::TempDir(), "/locate.XXXXXX");
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = std::filesystem::canonical(pattern).string();
    std::filesystem::create_directories(folder_ + "/sub/deep");
    for (const char* file : {"/libnear.so", "/libold.so.3", "/sub/libx.so"}) {
      ASSERT_OK(WriteFileAtomically(folder_ + file, ""));
    }
  }
  std::string Locate(const std::string& location) { return LocatePluginLibrary(location, folder_); }

  std::string folder_;
};

TEST_F(LocatePluginLibraryTest, AnAbsolutePathStaysAsItIs) {
  EXPECT_EQ(Locate("/opt/../opt/libx.so"), "/opt/../opt/libx.so");
  EXPECT_EQ(LocatePluginLibrary("/opt/libx.so", ""), "/opt/libx.so");
}

TEST_F(LocatePluginLibraryTest, APathIsFromTheFolder) {
  EXPECT_EQ(Locate("sub/libx.so"), folder_ + "/sub/libx.so");
  EXPECT_EQ(Locate("./sub/deep/../libx.so"), folder_ + "/sub/libx.so");
  EXPECT_EQ(Locate("../libx.so"), std::filesystem::path(folder_).parent_path().string() + "/libx.so");
  EXPECT_EQ(Locate("./libnone.so"), folder_ + "/libnone.so");
}

TEST_F(LocatePluginLibraryTest, ALinkIsFollowedBeforeItsParentIsTaken) {
  std::filesystem::create_directory_symlink(folder_ + "/sub/deep", folder_ + "/link");
  EXPECT_EQ(Locate("link/../libx.so"), folder_ + "/sub/libx.so");
}

TEST_F(LocatePluginLibraryTest, ABareNameIsDecoratedAndLookedForInTheFolderFirst) {
  EXPECT_EQ(Locate("near"), folder_ + "/libnear.so");
  EXPECT_EQ(Locate("libnear.so"), folder_ + "/libnear.so");
  EXPECT_EQ(Locate("libold.so.3"), folder_ + "/libold.so.3");
  EXPECT_EQ(Locate("far"), "libfar.so");
  EXPECT_EQ(Locate("libfar.so"), "libfar.so");
  EXPECT_EQ(Locate("x"), "libx.so");  // That in sub/ is not beside the file.
}

TEST_F(LocatePluginLibraryTest, WithoutAFolderPathsAreFromTheWorkingDirectory) {
  EXPECT_EQ(LocatePluginLibrary("sub/libx.so", ""), std::filesystem::current_path().string() + "/sub/libx.so");
  EXPECT_EQ(LocatePluginLibrary("near", ""), "libnear.so");
  EXPECT_EQ(LocatePluginLibrary("libnear.so", ""), "libnear.so");
}

TEST_F(LocatePluginLibraryTest, AFolderMayBeRelative) {
  const std::filesystem::path old = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  EXPECT_EQ(LocatePluginLibrary("x", "sub"), "sub/libx.so");
  EXPECT_EQ(LocatePluginLibrary("near", "."), "./libnear.so");
  EXPECT_EQ(LocatePluginLibrary("../libnear.so", "sub"), folder_ + "/libnear.so");
  std::filesystem::current_path(old);
}

}  // namespace
}  // namespace burin

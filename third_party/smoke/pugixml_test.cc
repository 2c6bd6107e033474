#include <gtest/gtest.h>

#include <pugixml.hpp>

namespace burin {
namespace {

TEST(PugixmlTest, ParsesAttributes) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string("<net version='11'><layer id='3'/></net>"));
  EXPECT_EQ(document.child("net").attribute("version").as_int(), 11);
  EXPECT_EQ(document.child("net").child("layer").attribute("id").as_int(), 3);
}

TEST(PugixmlTest, RefusesBrokenDocuments) {
  pugi::xml_document document;
  EXPECT_FALSE(document.load_string("<net>"));
}

}  // namespace
}  // namespace burin

#include "runtime/core/plugins_xml.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <set>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "pugixml.hpp"
#include "runtime/core/device_name.h"
#include "runtime/core/plugin_library.h"

namespace burin {

namespace {

// A list of devices is a few lines; what is longer is another file.
constexpr uintmax_t kMaxBytes = 1 << 20;

class PluginsXmlReader {
 public:
  PluginsXmlReader(const std::string& path, absl::string_view text)
      : path_(path), folder_(std::filesystem::path(path).parent_path().string()), text_(text) {
    if (folder_.empty()) folder_ = ".";
  }

  absl::StatusOr<std::vector<PluginDescription>> Read() {
    pugi::xml_document document;
    const pugi::xml_parse_result result =
        document.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!result) {
      return absl::InvalidArgumentError(
          absl::StrCat("Not well-formed XML: ", result.description(), ", ", path_, ":", LineOf(result.offset)));
    }
    // The parser takes several roots.
    BURIN_ASSIGN_OR_RETURN(const std::vector<pugi::xml_node> roots, Elements(document));
    if (roots.size() != 1) return Bad("Expected one root element", roots.empty() ? document : roots[1]);
    BURIN_RETURN_IF_ERROR(CheckAttributes(roots[0], {}));
    BURIN_ASSIGN_OR_RETURN(const std::vector<pugi::xml_node> lists, Elements(roots[0]));
    if (lists.empty()) return Bad("Missing element <plugins>", roots[0]);
    if (lists.size() > 1) return Bad("Expected nothing besides one element <plugins>, found another one", lists[1]);
    BURIN_RETURN_IF_ERROR(Expect(lists[0], "plugins"));
    BURIN_RETURN_IF_ERROR(CheckAttributes(lists[0], {}));
    BURIN_ASSIGN_OR_RETURN(const std::vector<pugi::xml_node> nodes, Elements(lists[0]));
    std::vector<PluginDescription> plugins;
    for (const pugi::xml_node& node : nodes) {
      device_.clear();
      BURIN_ASSIGN_OR_RETURN(PluginDescription plugin, Plugin(node));
      plugins.push_back(std::move(plugin));
    }
    return plugins;
  }

 private:
  absl::StatusOr<PluginDescription> Plugin(const pugi::xml_node& node) {
    BURIN_RETURN_IF_ERROR(Expect(node, "plugin"));
    PluginDescription plugin;
    plugin.source = path_;
    BURIN_ASSIGN_OR_RETURN(plugin.device_name, Attribute(node, "name"));
    device_ = plugin.device_name;
    const absl::Status name = CheckDeviceName(plugin.device_name);
    if (!name.ok()) return Bad(name.message(), node);
    if (!names_.insert(plugin.device_name).second) return Bad("The device occurs twice", node);
    BURIN_RETURN_IF_ERROR(CheckAttributes(node, {"name", "location"}));
    BURIN_ASSIGN_OR_RETURN(const std::string location, Attribute(node, "location"));
    plugin.library = LocatePluginLibrary(location, folder_);

    bool has_properties = false;
    BURIN_ASSIGN_OR_RETURN(const std::vector<pugi::xml_node> parts, Elements(node));
    for (const pugi::xml_node& part : parts) {
      if (absl::string_view(part.name()) == "extensions") {
        return absl::UnimplementedError(
            absl::StrCat("Extension libraries (<extensions>) are not supported, ", Place(part)));
      }
      BURIN_RETURN_IF_ERROR(Expect(part, "properties"));
      if (has_properties) return Bad("The element <properties> occurs twice", part);
      has_properties = true;
      BURIN_ASSIGN_OR_RETURN(plugin.defaults, Properties(part));
    }
    return plugin;
  }

  absl::StatusOr<PropertyMap> Properties(const pugi::xml_node& list) {
    BURIN_RETURN_IF_ERROR(CheckAttributes(list, {}));
    BURIN_ASSIGN_OR_RETURN(const std::vector<pugi::xml_node> nodes, Elements(list));
    PropertyMap properties;
    for (const pugi::xml_node& node : nodes) {
      BURIN_RETURN_IF_ERROR(Expect(node, "property"));
      BURIN_RETURN_IF_ERROR(CheckAttributes(node, {"key", "value"}));
      BURIN_ASSIGN_OR_RETURN(std::string key, Attribute(node, "key"));
      if (node.attribute("value").empty()) return Bad("Missing attribute \"value\" of <property>", node);
      BURIN_ASSIGN_OR_RETURN(const std::vector<pugi::xml_node> inside, Elements(node));
      if (!inside.empty()) return Bad(Unexpected(inside[0]), inside[0]);
      if (!properties.emplace(key, node.attribute("value").value()).second) {
        return Bad(absl::StrCat("The property ", QuotedName(key), " occurs twice"), node);
      }
    }
    return properties;
  }

  // Returns the elements in `node`; comments are skipped, and text has no meaning.
  absl::StatusOr<std::vector<pugi::xml_node>> Elements(const pugi::xml_node& node) const {
    std::vector<pugi::xml_node> elements;
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() != pugi::node_element) {
        return Bad(absl::StrCat("Unexpected text ", QuotedName(child.value())), child);
      }
      elements.push_back(child);
    }
    return elements;
  }

  static std::string Unexpected(const pugi::xml_node& node) {
    return absl::StrCat("Unexpected element ", QuotedName(node.name()));
  }

  absl::Status Expect(const pugi::xml_node& node, absl::string_view name) const {
    if (node.name() == name) return absl::OkStatus();
    return Bad(absl::StrCat(Unexpected(node), ", expected <", name, ">"), node);
  }

  absl::Status CheckAttributes(const pugi::xml_node& node, std::initializer_list<absl::string_view> known) const {
    std::set<absl::string_view> seen;
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      const absl::string_view name = attribute.name();
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        return Bad(absl::StrCat("Unknown attribute ", QuotedName(name), " of <", node.name(), ">"), node);
      }
      if (!seen.insert(name).second) {
        return Bad(absl::StrCat("The attribute \"", name, "\" of <", node.name(), "> occurs twice"), node);
      }
    }
    return absl::OkStatus();
  }

  // Returns the value of an attribute that must be there and not be empty.
  absl::StatusOr<std::string> Attribute(const pugi::xml_node& node, const char* name) const {
    const pugi::xml_attribute attribute = node.attribute(name);
    if (attribute.empty()) return Bad(absl::StrCat("Missing attribute \"", name, "\" of <", node.name(), ">"), node);
    if (*attribute.value() == '\0') {
      return Bad(absl::StrCat("Empty attribute \"", name, "\" of <", node.name(), ">"), node);
    }
    return std::string(attribute.value());
  }

  int64_t LineOf(ptrdiff_t offset) const {
    const size_t end = std::min<size_t>(offset < 0 ? 0 : static_cast<size_t>(offset), text_.size());
    return 1 + std::count(text_.begin(), text_.begin() + end, '\n');
  }

  // Tells the device, if one is being read, the file and the line.
  std::string Place(const pugi::xml_node& node) const {
    return absl::StrCat(device_.empty() ? "" : absl::StrCat("device ", QuotedName(device_), ", "), path_, ":",
                        LineOf(node.offset_debug()));
  }

  absl::Status Bad(absl::string_view what, const pugi::xml_node& node) const {
    return absl::InvalidArgumentError(absl::StrCat(what, ", ", Place(node)));
  }

  const std::string path_;
  std::string folder_;
  const absl::string_view text_;
  std::string device_;
  std::set<std::string> names_;
};

}  // namespace

absl::StatusOr<std::vector<PluginDescription>> ReadPluginsXml(const std::string& path) {
  std::error_code error;
  const uintmax_t size = std::filesystem::file_size(path, error);
  // What has no size is told apart by reading it.
  if (!error && size > kMaxBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("A plugin list has at most ", kMaxBytes, " bytes, this one has ", size, ": ", path));
  }
  BURIN_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  return PluginsXmlReader(path, text).Read();
}

}  // namespace burin

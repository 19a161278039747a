// One tree for YAML and JSON, with the place of every node.
//
// A Document owns the text and the tree; a Node is a view into it, two words, and must not outlive it. The tree is one
// array in the order of the text, a key before its value, so that a plan of millions of nodes costs 24 bytes for each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/base.h"

namespace carve {

// What is refused for its size alone.
struct Caps {
  std::int64_t bytes = 0;
  std::int64_t nodes = 0;  // after aliases are expanded
  int depth = 0;
};
inline constexpr Caps hand_written{16 << 20, 200'000, 64};         // workload files, the catalog
inline constexpr Caps machine_written{256 << 20, 40'000'000, 64};  // plan files

// `plain` scalars may mean a number, a truth value or null; `quoted` ones are text.
enum class NodeKind : std::uint8_t { null, plain, quoted, sequence, mapping };

namespace text_internal {
struct Tree;
}

class Node {
 public:
  NodeKind kind() const;
  bool is_scalar() const { return kind() == NodeKind::plain || kind() == NodeKind::quoted; }
  bool is_null() const { return kind() == NodeKind::null; }
  bool is_sequence() const { return kind() == NodeKind::sequence; }
  bool is_mapping() const { return kind() == NodeKind::mapping; }

  // Of a scalar, escapes resolved; "null" of a null; empty otherwise.
  std::string_view text() const;
  // Items of a sequence, entries of a mapping.
  std::size_t size() const;
  // The value of a key of a mapping; nothing if it has none.
  std::optional<Node> find(std::string_view key) const;

  // Where it begins, with the line it stands on and as wide as its text.
  Place place() const;

  // for (Node n : node.items()): the items of a sequence. Of a mapping: key, value, key, value ...
  class Iterator;
  struct Range;
  Range items() const;

 private:
  friend class Document;
  Node(const text_internal::Tree* tree, std::uint32_t index) : tree_(tree), index_(index) {}

  const text_internal::Tree* tree_;
  std::uint32_t index_;
};

class Node::Iterator {
 public:
  Node operator*() const { return Node(tree_, index_); }
  Iterator& operator++();
  bool operator==(const Iterator& other) const { return index_ == other.index_; }

 private:
  friend class Node;
  Iterator(const text_internal::Tree* tree, std::uint32_t index) : tree_(tree), index_(index) {}

  const text_internal::Tree* tree_;
  std::uint32_t index_;  // 0 is the end: the root is nobody's child
};

struct Node::Range {
  Iterator first, last;
  Iterator begin() const { return first; }
  Iterator end() const { return last; }
};

class Document {
 public:
  // Of an empty text the root is null.
  Node root() const { return Node(tree_.get(), 0); }
  const std::string& file() const;

  explicit Document(std::shared_ptr<const text_internal::Tree> tree) : tree_(std::move(tree)) {}

 private:
  std::shared_ptr<const text_internal::Tree> tree_;
};

// One YAML document. Refused: duplicate keys, tags, merge keys, keys that are no scalars, further documents, what
// exceeds the caps, what is no text. Aliases are expanded; what they expand to counts.
Result<Document> parse_yaml(std::string text, const std::string& file, const Caps& = hand_written);

// JSON after RFC 8259, without duplicate keys. Numbers that no double can hold are refused.
Result<Document> parse_json(std::string text, const std::string& file, const Caps& = machine_written);

}  // namespace carve

// The tree behind Document and the builder that both parsers feed. Inside this room only.
//
// Nodes stand in the order of the text: the first child of node i is node i + 1, further children are linked by `next`,
// and a subtree is one contiguous range, so that expanding an alias is a copy of a range.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/document.h"
#include "text/errors.h"

namespace carve::text_internal {

enum class Storage : std::uint8_t { source, arena };

struct TreeNode {
  std::uint32_t at = 0;      // offset in the source
  std::uint32_t text = 0;    // offset of the text in its storage
  std::uint32_t length = 0;  // of a scalar: of the text; else the number of items or entries
  std::uint32_t next = 0;    // the next child of the same parent; 0 for the last
  NodeKind kind = NodeKind::null;
  Storage storage = Storage::source;
};

struct Tree {
  std::string file;
  std::string source;
  std::string arena;                       // texts that the source does not hold as they are
  std::vector<std::uint32_t> line_starts;  // offsets
  std::vector<TreeNode> nodes;

  Place place_at(std::size_t offset, std::size_t width) const;
  std::string_view text_of(const TreeNode&) const;
};

// Length of the UTF-8 sequence at the start of `text`, which is not empty; 0 if there is no valid one.
std::size_t utf8_length(std::string_view text);

// A tree without nodes over a text, or why the text is refused: too large, not UTF-8, control characters.
Result<std::unique_ptr<Tree>> start_tree(std::string text, const std::string& file, const Caps&);

// What is wrong with a text at an offset.
Error error_at(const Tree&, std::size_t offset, std::string message, std::string help);

class Builder {
 public:
  Builder(Tree& tree, const Caps& caps) : tree_(tree), caps_(caps) {}

  Result<void> scalar(std::size_t at, NodeKind kind, std::string_view text);  // copies the text
  Result<void> source_scalar(std::size_t at, NodeKind kind, std::size_t text, std::size_t length);
  Result<void> open(std::size_t at, NodeKind kind);
  void close();

  // The subtree that was added last, as what an anchor names.
  struct Subtree {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    int height = 0;
  };
  Subtree last() const { return last_; }
  Result<void> copy(const Subtree&, std::size_t at);

  std::size_t depth() const { return open_.size(); }
  bool expects_key() const { return !open_.empty() && open_.back().mapping && open_.back().children % 2 == 0; }
  // Duplicate keys are collected, so that a reader reports them all.
  Errors& errors() { return errors_; }

 private:
  struct Frame {
    std::uint32_t index = 0;
    std::uint32_t last_child = 0;
    std::uint32_t children = 0;
    int height = 1;
    bool mapping = false;
  };

  Result<void> add(const TreeNode& node, int height, std::size_t count);
  void note_height(int height);
  void find_duplicates(const Frame& frame);

  Tree& tree_;
  const Caps& caps_;
  std::vector<Frame> open_;
  Subtree last_;
  Errors errors_;
};

}  // namespace carve::text_internal

// Trees: places from offsets, what is refused before parsing, and the builder with its caps.
#include "text/tree.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace carve::text_internal {

namespace {

// A line that is longer is no line that a person looks at: it is not shown, and its columns count bytes.
constexpr std::size_t longest_shown_line = 4096;

std::size_t characters(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
}

// The first offset at which `text` is no text; its size if it is text throughout.
std::size_t first_non_text(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] >= 0x20 && text[at] < 0x7f) {
      ++at;
      continue;
    }
    if (is_control(text[at])) return at;
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return at;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const unsigned second = byte(1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0;
  const bool beyond = first == 0xf4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

std::string_view Tree::text_of(const TreeNode& node) const {
  if (node.kind == NodeKind::sequence || node.kind == NodeKind::mapping) return {};
  if (node.kind == NodeKind::null) return "null";
  const std::string& storage = node.storage == Storage::source ? source : arena;
  return std::string_view(storage).substr(node.text, node.length);
}

Place Tree::place_at(std::size_t offset, std::size_t width) const {
  offset = std::min(offset, source.size());
  const auto after = std::upper_bound(line_starts.begin(), line_starts.end(), offset);
  const auto line = static_cast<std::size_t>(after - line_starts.begin()) - 1;
  const std::size_t start = line_starts[line];
  const std::size_t end = after == line_starts.end() ? source.size() : *after - 1;
  std::string_view text = std::string_view(source).substr(start, end - start);
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  Place place{file, static_cast<int>(line + 1), 0, 1, {}};
  if (text.size() > longest_shown_line) {
    place.column = static_cast<int>(offset - start + 1);
    return place;
  }
  offset = std::min(offset, start + text.size());
  place.column = static_cast<int>(characters(text.substr(0, offset - start)) + 1);
  const std::size_t room = characters(text.substr(offset - start));
  place.width = static_cast<int>(std::max<std::size_t>(1, std::min(width, room)));
  place.source_line = std::string(text);
  return place;
}

Error error_at(const Tree& tree, std::size_t offset, std::string message, std::string help) {
  return Error{Fault::bad_input, std::move(message), tree.place_at(offset, 1), std::move(help), {}};
}

Result<std::unique_ptr<Tree>> start_tree(std::string text, const std::string& file, const Caps& caps) {
  if (static_cast<std::int64_t>(text.size()) > caps.bytes)
    return fail(Error{Fault::bad_input,
                      fmt::format("{} is larger than {} MiB, the most that is read", file, caps.bytes >> 20),
                      Place{file, 0, 0, 1, {}},
                      "check that it is the file you meant",
                      {}});
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);  // a byte order mark says nothing in UTF-8
  auto tree = std::make_unique<Tree>();
  tree->file = file;
  tree->source = std::move(text);
  tree->line_starts.push_back(0);
  const std::string_view source = tree->source;
  for (std::size_t at = source.find('\n'); at != std::string_view::npos; at = source.find('\n', at + 1))
    tree->line_starts.push_back(static_cast<std::uint32_t>(at + 1));
  if (const std::size_t at = first_non_text(source); at < source.size()) {
    Error error = error_at(*tree, at, fmt::format("byte 0x{:02x} is not text", static_cast<unsigned char>(source[at])),
                           "the file must be text in UTF-8");
    error.place->source_line.clear();  // what is no text is not shown on a terminal
    return fail(std::move(error));
  }
  return tree;
}

void Builder::note_height(int height) {
  // Heights are handed up when a frame closes; the innermost one learns of its child here.
  if (!open_.empty()) open_.back().height = std::max(open_.back().height, height + 1);
}

Result<void> Builder::add(const TreeNode& node, int height, std::size_t count) {
  const auto index = static_cast<std::uint32_t>(tree_.nodes.size());
  if (static_cast<std::int64_t>(index) + static_cast<std::int64_t>(count) > caps_.nodes)
    return fail(error_at(tree_, node.at, fmt::format("more than {} values, the most that is read", caps_.nodes),
                         "aliases count with all that they stand for"));
  if (static_cast<int>(open_.size()) + height > caps_.depth)
    return fail(error_at(tree_, node.at, fmt::format("nested deeper than {} levels", caps_.depth), ""));
  if (expects_key() && node.kind != NodeKind::plain && node.kind != NodeKind::quoted)
    return fail(
        error_at(tree_, node.at, "a key must be a word", "write a word before the colon; or is a bracket left open?"));
  if (!open_.empty()) {
    Frame& parent = open_.back();
    if (parent.children > 0) tree_.nodes[parent.last_child].next = index;
    parent.last_child = index;
    ++parent.children;
  }
  tree_.nodes.push_back(node);
  return {};
}

Result<void> Builder::scalar(std::size_t at, NodeKind kind, std::string_view text) {
  TreeNode node;
  node.at = static_cast<std::uint32_t>(at);
  node.text = static_cast<std::uint32_t>(tree_.arena.size());
  node.length = static_cast<std::uint32_t>(text.size());
  node.kind = kind;
  node.storage = Storage::arena;
  TRY_VOID(add(node, 1, 1));
  tree_.arena.append(text);
  note_height(1);
  const auto end = static_cast<std::uint32_t>(tree_.nodes.size());
  last_ = {end - 1, end, 1};
  return {};
}

Result<void> Builder::source_scalar(std::size_t at, NodeKind kind, std::size_t text, std::size_t length) {
  TreeNode node;
  node.at = static_cast<std::uint32_t>(at);
  node.text = static_cast<std::uint32_t>(text);
  node.length = static_cast<std::uint32_t>(length);
  node.kind = kind;
  return add(node, 1, 1);
}

Result<void> Builder::open(std::size_t at, NodeKind kind) {
  TreeNode node;
  node.at = static_cast<std::uint32_t>(at);
  node.kind = kind;
  TRY_VOID(add(node, 1, 1));
  Frame frame;
  frame.index = static_cast<std::uint32_t>(tree_.nodes.size() - 1);
  frame.mapping = kind == NodeKind::mapping;
  open_.push_back(frame);
  return {};
}

void Builder::close() {
  const Frame frame = open_.back();
  open_.pop_back();
  tree_.nodes[frame.index].length = frame.mapping ? frame.children / 2 : frame.children;
  if (frame.mapping) find_duplicates(frame);
  note_height(frame.height);
  last_ = {frame.index, static_cast<std::uint32_t>(tree_.nodes.size()), frame.height};
}

Result<void> Builder::copy(const Subtree& subtree, std::size_t at) {
  const std::size_t count = subtree.end - subtree.begin;
  const auto shift = static_cast<std::uint32_t>(tree_.nodes.size()) - subtree.begin;
  TreeNode first = tree_.nodes[subtree.begin];
  const std::uint32_t defined_at = first.at;
  first.at = static_cast<std::uint32_t>(at);  // caps are exceeded where the alias stands
  first.next = 0;
  TRY_VOID(add(first, subtree.height, count));
  tree_.nodes.back().at = defined_at;
  tree_.nodes.reserve(std::max(tree_.nodes.capacity(), tree_.nodes.size() + count));
  for (std::uint32_t i = subtree.begin + 1; i < subtree.end; ++i) {
    TreeNode node = tree_.nodes[i];
    if (node.next != 0) node.next += shift;
    tree_.nodes.push_back(node);
  }
  note_height(subtree.height);
  last_ = {subtree.begin + shift, static_cast<std::uint32_t>(tree_.nodes.size()), subtree.height};
  return {};
}

namespace {

struct Key {
  std::string_view text;
  std::uint32_t index = 0;
};

// For the few keys of the usual mapping without sorting; false means only that it is not sure.
bool all_differ(const std::vector<Key>& keys) {
  constexpr std::size_t few = 24;
  if (keys.size() > few) return false;
  for (std::size_t i = 1; i < keys.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (keys[i].text == keys[j].text) return false;
  return true;
}

}  // namespace

void Builder::find_duplicates(const Frame& frame) {
  if (frame.children < 4) return;
  std::vector<Key> keys;
  keys.reserve(frame.children / 2);
  std::uint32_t index = frame.index + 1;
  for (std::uint32_t i = 0; i < frame.children; ++i, index = tree_.nodes[index].next)
    if (i % 2 == 0) keys.push_back({tree_.text_of(tree_.nodes[index]), index});
  if (all_differ(keys)) return;
  std::stable_sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) { return a.text < b.text; });
  std::size_t first = 0;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i].text != keys[first].text) {
      first = i;
      continue;
    }
    Error error;
    error.place = tree_.place_at(tree_.nodes[keys[i].index].at, std::max<std::size_t>(1, keys[i].text.size()));
    const Place original = tree_.place_at(tree_.nodes[keys[first].index].at, 1);
    error.message = fmt::format("duplicate key `{}`, which line {} gave before", keys[i].text, original.line);
    error.help = "remove one of the two";
    errors_.add(std::move(error));
  }
}

}  // namespace carve::text_internal

namespace carve {

NodeKind Node::kind() const { return tree_->nodes[index_].kind; }

std::string_view Node::text() const { return tree_->text_of(tree_->nodes[index_]); }

std::size_t Node::size() const { return is_sequence() || is_mapping() ? tree_->nodes[index_].length : 0; }

std::optional<Node> Node::find(std::string_view key) const {
  if (!is_mapping()) return std::nullopt;
  const Range range = items();
  for (Iterator at = range.begin(); at != range.end(); ++at) {
    const bool found = (*at).text() == key;
    ++at;
    if (found) return *at;
  }
  return std::nullopt;
}

Place Node::place() const {
  const text_internal::TreeNode& node = tree_->nodes[index_];
  const std::size_t quotes = node.kind == NodeKind::quoted ? 2 : 0;
  return tree_->place_at(node.at, std::max<std::size_t>(1, text().size() + quotes));
}

Node::Range Node::items() const { return {Iterator(tree_, size() == 0 ? 0 : index_ + 1), Iterator(tree_, 0)}; }

Node::Iterator& Node::Iterator::operator++() {
  index_ = tree_->nodes[index_].next;
  return *this;
}

const std::string& Document::file() const { return tree_->file; }

}  // namespace carve

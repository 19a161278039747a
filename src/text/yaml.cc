// parse_yaml: yaml-cpp's events into our tree. Nothing else of yaml-cpp is used, and its exceptions end here.
//
// The parser recurses once per level of nesting; the builder refuses the level that exceeds the cap, and the exception
// that carries the refusal unwinds the parser, so that hostile nesting never gets deep.
#include <algorithm>
#include <map>
#include <streambuf>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "text/tree.h"

namespace carve {

namespace {

using text_internal::Builder;
using text_internal::error_at;
using text_internal::Tree;

struct Refused {
  Error error;
};

void must(Result<void> result) {
  if (!result) throw Refused{std::move(result).error()};
}

class Handler : public YAML::EventHandler {
 public:
  Handler(const Tree& tree, Builder& builder) : tree_(tree), builder_(builder) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (builder_.expects_key()) refuse(mark, "a key is missing before the colon", "");
    must(builder_.scalar(null_offset(mark), NodeKind::null, ""));
    name(anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_tag(mark, tag);
    const NodeKind kind = tag == "!" ? NodeKind::quoted : NodeKind::plain;
    if (kind == NodeKind::quoted) require_closing_quote(mark);
    if (kind == NodeKind::plain && value == "<<" && builder_.expects_key())
      refuse(mark, "merge keys (`<<`) are not supported", "write the keys out");
    must(builder_.scalar(offset(mark), kind, value));
    name(anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) refuse(mark, "an alias inside of what it stands for", "");
    must(builder_.copy(found->second, offset(mark)));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, NodeKind::sequence);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, NodeKind::mapping);
  }
  void OnMapEnd() override { close(); }

 private:
  // Where a node begins. The mark of one with an anchor is that of the anchor, which is skipped.
  std::size_t offset(const YAML::Mark& mark) const {
    const std::string& source = tree_.source;
    const auto marked = static_cast<std::size_t>(std::max(mark.pos, 0));
    if (marked >= source.size() || source[marked] != '&') return marked;
    std::size_t at = std::min(source.find_first_of(" \t\r\n", marked), source.size());
    while ((at = std::min(source.find_first_not_of(" \t\r\n", at), source.size())) < source.size() && source[at] == '#')
      at = std::min(source.find('\n', at), source.size());
    return at == source.size() ? marked : at;
  }

  // The mark of a value that is left out is that of what follows; it belongs to the dash or the colon before it.
  std::size_t null_offset(const YAML::Mark& mark) const {
    const std::string& source = tree_.source;
    const std::size_t at = std::min(offset(mark), source.size());
    if (at < source.size() && (source[at] == '~' || source[at] == 'n' || source[at] == 'N')) return at;
    const std::size_t before = source.find_last_not_of(" \t\r\n", at == 0 ? 0 : at - 1);
    return before == std::string::npos ? at : before;
  }

  // yaml-cpp takes the end of the file for the end of a quoted text.
  void require_closing_quote(const YAML::Mark& mark) const {
    const std::string& source = tree_.source;
    const std::size_t start = offset(mark);
    if (start >= source.size() || (source[start] != '"' && source[start] != '\'')) return;
    const char quote = source[start];
    for (std::size_t at = start + 1; at < source.size(); ++at) {
      if (source[at] == '\\' && quote == '"') {
        ++at;
      } else if (source[at] == quote) {
        if (quote == '"' || at + 1 == source.size() || source[at + 1] != quote) return;
        ++at;  // '' is a quote inside of single quotes
      }
    }
    refuse(mark, "a quoted text does not end", fmt::format("close it with {}", quote));
  }

  [[noreturn]] void refuse(const YAML::Mark& mark, const std::string& message, const std::string& help) const {
    throw Refused{error_at(tree_, offset(mark), message, help)};
  }

  // yaml-cpp gives "?" to what is plain, "!" to what is quoted, and otherwise what the file says.
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!") refuse(mark, "tags (`!...`) are not supported", "remove the tag");
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, NodeKind kind) {
    refuse_tag(mark, tag);
    must(builder_.open(offset(mark), kind));
    open_anchors_.push_back(anchor);
  }

  void close() {
    builder_.close();
    name(open_anchors_.back());
    open_anchors_.pop_back();
  }

  void name(YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) anchors_[anchor] = builder_.last();
  }

  const Tree& tree_;
  Builder& builder_;
  std::map<YAML::anchor_t, Builder::Subtree> anchors_;
  std::vector<YAML::anchor_t> open_anchors_;
};

// What to look for where the parser gave up. Some of its messages name the tab that they stumble over, others do not.
std::string help_near(std::string_view source, std::size_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : source.rfind('\n', at - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t text = std::min(source.find_first_not_of(" \t", begin), source.size());
  return source.substr(begin, text - begin).find('\t') == std::string_view::npos
             ? "check near here: the indentation, the quotes, and a space after each colon"
             : "this line begins with a tab: indent with spaces";
}

// Reads a string in place; std::istringstream would copy it.
class ViewBuffer : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // never written: there is no put area
    setg(begin, begin, begin + text.size());
  }
};

void require_end(YAML::Parser& parser, const Tree& tree) {
  // A second document is found by its first event.
  class AnyEvent : public YAML::EventHandler {
   public:
    explicit AnyEvent(const Tree& tree) : tree_(tree) {}
    void OnDocumentStart(const YAML::Mark& mark) override {
      throw Refused{error_at(tree_, static_cast<std::size_t>(std::max(mark.pos, 0)),
                             "a second YAML document begins here", "a file holds one; split it")};
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
    void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
    void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
    void OnMapEnd() override {}

   private:
    const Tree& tree_;
  };
  AnyEvent handler(tree);
  parser.HandleNextDocument(handler);
}

}  // namespace

Result<Document> parse_yaml(std::string text, const std::string& file, const Caps& caps) {
  TRY(auto tree, text_internal::start_tree(std::move(text), file, caps));
  Builder builder(*tree, caps);
  ViewBuffer buffer(tree->source);
  std::istream stream(&buffer);
  try {
    YAML::Parser parser(stream);
    Handler handler(*tree, builder);
    if (parser.HandleNextDocument(handler)) require_end(parser, *tree);
  } catch (Refused& refused) {
    return fail(std::move(refused.error));
  } catch (const YAML::Exception& error) {
    const auto at = static_cast<std::size_t>(std::max(error.mark.pos, 0));
    return fail(error_at(*tree, at, "not valid YAML: " + error.msg, help_near(tree->source, at)));
  }
  if (!builder.errors().empty()) return fail(builder.errors().take());
  if (tree->nodes.empty()) TRY_VOID(builder.scalar(0, NodeKind::null, ""));
  return Document(std::shared_ptr<const Tree>(std::move(tree)));
}

}  // namespace carve

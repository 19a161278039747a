// parse_json: RFC 8259 into our tree, by recursive descent; the cap on depth bounds the recursion. Boost.JSON's parser
// does not tell where a value stands, so it is not used for reading.
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

#include "text/tree.h"

namespace carve {

namespace {

using text_internal::Builder;
using text_internal::error_at;
using text_internal::Tree;

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | code >> 6);
    return put(0x80 | (code & 0x3f));
  }
  if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    return put(0x80 | (code & 0x3f));
  }
  put(0xf0 | code >> 18);
  put(0x80 | (code >> 12 & 0x3f));
  put(0x80 | (code >> 6 & 0x3f));
  put(0x80 | (code & 0x3f));
}

class JsonParser {
 public:
  JsonParser(const Tree& tree, Builder& builder) : tree_(tree), text_(tree.source), builder_(builder) {}

  Result<void> document() {
    skip_space();
    if (at_ == text_.size()) return builder_.scalar(0, NodeKind::null, "");
    TRY_VOID(value());
    skip_space();
    if (at_ < text_.size()) return wrong("expected the end of the file");
    return {};
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      ++at_;
  }
  tl::unexpected<Error> wrong(const std::string& expected) const {
    const std::string found = at_ == text_.size() ? "the file ends here" : "this is not it";
    return fail(error_at(tree_, at_, fmt::format("not valid JSON: {}, but {}", expected, found), ""));
  }

  Result<void> value() {
    switch (peek()) {
      case '{':
        return object();
      case '[':
        return array();
      case '"':
        return string();
      case 't':
        return word("true", NodeKind::plain);
      case 'f':
        return word("false", NodeKind::plain);
      case 'n':
        return word("null", NodeKind::null);
      default:
        return number();
    }
  }

  Result<void> word(std::string_view expected, NodeKind kind) {
    if (!text_.substr(at_).starts_with(expected)) return wrong("expected a value");
    const std::size_t start = at_;
    at_ += expected.size();
    return builder_.source_scalar(start, kind, start, expected.size());
  }

  Result<void> object() {
    TRY_VOID(builder_.open(at_, NodeKind::mapping));
    ++at_;
    skip_space();
    if (!take('}')) {
      do {
        skip_space();
        if (peek() != '"') return wrong("expected a key in double quotes");
        TRY_VOID(string());
        skip_space();
        if (!take(':')) return wrong("expected `:` after the key");
        skip_space();
        TRY_VOID(value());
        skip_space();
      } while (take(','));
      if (!take('}')) return wrong("expected `,` or `}`");
    }
    builder_.close();
    return {};
  }

  Result<void> array() {
    TRY_VOID(builder_.open(at_, NodeKind::sequence));
    ++at_;
    skip_space();
    if (!take(']')) {
      do {
        skip_space();
        TRY_VOID(value());
        skip_space();
      } while (take(','));
      if (!take(']')) return wrong("expected `,` or `]`");
    }
    builder_.close();
    return {};
  }

  Result<void> string() {
    const std::size_t start = at_++;
    const std::size_t end = text_.find_first_of("\"\\\n\t\r", at_);
    if (end != std::string_view::npos && text_[end] == '"') {  // no escapes: the text stays where it is
      at_ = end + 1;
      return builder_.source_scalar(start, NodeKind::quoted, start + 1, end - start - 1);
    }
    std::string decoded;
    while (at_ < text_.size() && text_[at_] != '"') {
      const char c = text_[at_];
      if (c == '\n' || c == '\r' || c == '\t') return wrong("expected the string to end on its line");
      if (c != '\\') {
        decoded.push_back(c);
        ++at_;
        continue;
      }
      TRY_VOID(escape(decoded));
    }
    if (!take('"')) return wrong("expected a closing double quote");
    return builder_.scalar(start, NodeKind::quoted, decoded);
  }

  Result<void> escape(std::string& decoded) {
    static constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    ++at_;
    if (take('u')) {
      TRY(std::uint32_t code, hex4());
      if (code >= 0xd800 && code < 0xdc00) {
        if (!take('\\') || !take('u')) return wrong("expected the second half of a surrogate pair");
        TRY(const std::uint32_t low, hex4());
        if (low < 0xdc00 || low > 0xdfff) return wrong("expected the second half of a surrogate pair");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      } else if (code >= 0xdc00 && code <= 0xdfff) {
        return wrong("expected the first half of a surrogate pair");
      }
      append_utf8(decoded, code);
      return {};
    }
    const std::size_t found = at_ < text_.size() ? letters.find(text_[at_]) : std::string_view::npos;
    if (found == std::string_view::npos)
      return wrong("expected an escape: one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
    decoded.push_back(meant[found]);
    ++at_;
    return {};
  }

  Result<std::uint32_t> hex4() {
    std::uint32_t code = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() < 4 || error != std::errc() || end != digits.data() + 4) {
      return fail(error_at(tree_, at_, "not valid JSON: expected four hexadecimal digits after \\u", ""));
    }
    at_ += 4;
    return code;
  }

  std::size_t digits() {
    const std::size_t start = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ - start;
  }

  Result<void> number() {
    const std::size_t start = at_;
    take('-');
    const std::size_t whole = at_;
    const std::size_t count = digits();
    if (count == 0) return wrong("expected a value");
    if (count > 1 && text_[whole] == '0') return wrong_number(start, "a number has no leading zeros");
    const bool integer = peek() != '.' && peek() != 'e' && peek() != 'E';
    if (take('.') && digits() == 0) return wrong("expected a digit after the point");
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (!take('+')) take('-');
      if (digits() == 0) return wrong("expected the digits of an exponent");
    }
    if (!integer) {
      double ignored = 0;
      const auto parsed = std::from_chars(text_.data() + start, text_.data() + at_, ignored);
      if (parsed.ec != std::errc()) return wrong_number(start, "the number is too large or too small");
    }
    return builder_.source_scalar(start, NodeKind::plain, start, at_ - start);
  }
  tl::unexpected<Error> wrong_number(std::size_t start, const std::string& why) const {
    return fail(error_at(tree_, start, "not valid JSON: " + why, ""));
  }

  const Tree& tree_;
  std::string_view text_;
  Builder& builder_;
  std::size_t at_ = 0;
};

}  // namespace

Result<Document> parse_json(std::string text, const std::string& file, const Caps& caps) {
  TRY(auto tree, text_internal::start_tree(std::move(text), file, caps));
  Builder builder(*tree, caps);
  TRY_VOID(JsonParser(*tree, builder).document());
  if (!builder.errors().empty()) return fail(builder.errors().take());
  return Document(std::shared_ptr<const Tree>(std::move(tree)));
}

}  // namespace carve

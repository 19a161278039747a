// The page: one file of HTML that stands alone and reads from top to bottom like an answer. It loads nothing, and says
// so to the browser; the only script is embedded and allowed by its hash. It is well-formed XML too, so that a test
// needs no browser to know that nothing is left open.
#include <algorithm>
#include <span>

#include "show/page/sections.h"
#include "show/sentences.h"

namespace carve {

namespace {

constexpr std::size_t most_violations = 100;  // who sees so many does not read the rest

std::string sentence(const std::string& text) { return capitalised(text) + "."; }

Markup head(const std::string& title) {
  Markup result;
  result.put(
      "<head><meta charset=\"utf-8\"/>\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "img-src data:; style-src 'sha256-{}' 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action "
      "'none'\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>{}</title>\n"
      "<link rel=\"icon\" href=\"data:,\"/>\n",
      colours_css.sha256, page_css.sha256, page_js.sha256, title);
  result.put("<style>").put(colours_css).put("</style>\n<style>").put(page_css).put("</style>\n");
  return result.put("</head>\n");
}

// The sentence that matters, first.
Markup headline(const Plan& plan, const std::string& file) {
  Markup result;
  result.put("<header class=\"top\"><p class=\"file\">{}</p>\n<h1>{}</h1>\n<p class=\"bound\">{}</p>\n", file,
             placed_sentence(plan), sentence(bound_sentence(plan)));
  for (const std::string& board : board_sentences(plan)) result.put("<p class=\"board\">{}.</p>\n", board);
  return result.put("</header>\n");
}

// A plan that breaks a rule may be looked at, but nobody must take it for one that can be used.
Markup violations_section(const std::vector<Violation>& violations) {
  Markup entries;
  const auto shown = std::span(violations).first(std::min(most_violations, violations.size()));
  for (const Violation& violation : shown) entries.put("<li><b>{}</b> {}</li>\n", violation.subject, violation.message);
  if (shown.size() < violations.size())
    entries.put("<li>+{} more; <code>carve check</code> lists them</li>\n", violations.size() - shown.size());
  if (entries.empty()) return entries;
  return Markup().put(
      "<section id=\"broken\" class=\"error\"><h2>This plan cannot be used: {}</h2>\n<ul>{}</ul></section>\n",
      counted(std::ssize(violations), "broken rule"), entries);
}

Markup contents_list(const Plan& plan) {
  return Markup().put(
      "<nav><a href=\"#cards\">Cards</a> <a href=\"#why\">Why</a> <a href=\"#findings\">Findings ({})</a> "
      "<a href=\"#proof\">Proof</a></nav>\n",
      plan.findings.size());
}

}  // namespace

std::string page_of(const Plan& plan, const std::vector<Violation>& violations, const std::string& file) {
  const Atlas atlas = atlas_of(plan);
  Markup page;
  page.put("<!DOCTYPE html>\n<html lang=\"en\">\n{}<body>\n<main>\n{}{}{}{}{}",
           head(fmt::format("{}: {}", file, placed_sentence(plan))), headline(plan, file),
           violations_section(violations), unplaced_section(plan, atlas), questions_section(plan), contents_list(plan));
  page.put("{}{}{}{}{}", cards_section(plan, atlas), why_section(plan, atlas), kinds_section(plan, atlas),
           findings_section(plan, atlas), proof_section(plan));
  page.put("</main>\n<footer><p>Made by carve from {}. This file stands alone: it loads nothing.</p></footer>\n", file);
  page.put("<script>").put(page_js).put("</script>\n</body>\n</html>\n");
  return page.text();
}

}  // namespace carve

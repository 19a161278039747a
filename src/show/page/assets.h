// The files of this folder that go into a page as they are; embed.py turns them into text at build time.
#pragma once

#include <string_view>

namespace carve {

struct Asset {
  std::string_view text;
  std::string_view sha256;  // in base64, as a Content-Security-Policy names it
};

extern const Asset colours_css;  // of the page and of the drawing
extern const Asset page_css;
extern const Asset drawing_css;
extern const Asset page_js;

}  // namespace carve

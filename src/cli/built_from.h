// What this program was built from, as `carve --version` says it. The values are written by CMake: built_from.cc from
// cmake/built_from.cc.in, commit.cc by cmake/commit.cmake.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace carve {

enum class SourceState {
  clean,     // the sources are those of the commit
  modified,  // or differ from them
  archive,   // an archive that `git archive` wrote of the commit; what became of the sources is not known
  unknown,   // neither a clone nor such an archive
};

struct SourceTree {
  std::string_view commit;  // all digits; empty if unknown
  SourceState state;
};

struct LibraryVersion {
  std::string_view name, version;
};

struct BuiltFrom {
  std::string_view version;   // of carve
  std::string_view compiler;  // "g++ 12.2.0"
  std::string_view build;     // "Release"
  std::span<const LibraryVersion> libraries;
};

extern const BuiltFrom built_from;
extern const SourceTree built_source;

// The first line is "carve VERSION" alone, for scripts.
std::string version_text();
std::string version_json();

}  // namespace carve

// carve --version, for people and (docs/json.md) for programs.
#include <boost/json.hpp>

#include "cli/built_from.h"
#include "text/text.h"

namespace carve {

namespace {

std::string commit_sentence() {
  const std::string_view commit = built_source.commit.substr(0, 12);
  switch (built_source.state) {
    case SourceState::clean:
      return std::string(commit);
    case SourceState::modified:
      return fmt::format("{}, modified", commit);
    case SourceState::archive:
      return fmt::format("{}, from an archive", commit);
    case SourceState::unknown:
      break;
  }
  return "unknown: no git";
}

Json commit_json() {
  if (built_source.commit.empty()) return nullptr;
  return boost::json::string(built_source.commit);
}

Json modified_json() {
  if (built_source.state == SourceState::clean) return false;
  if (built_source.state == SourceState::modified) return true;
  return nullptr;
}

}  // namespace

std::string version_text() {
  std::vector<std::string> libraries;
  for (const LibraryVersion& library : built_from.libraries)
    libraries.push_back(fmt::format("{} {}", library.name, library.version));
  return fmt::format("carve {}\ncommit     {}\ncompiler   {}\nbuild      {}\nlibraries  {}\n", built_from.version,
                     commit_sentence(), built_from.compiler, built_from.build, fmt::join(libraries, ", "));
}

std::string version_json() {
  boost::json::object libraries;
  for (const LibraryVersion& library : built_from.libraries)
    libraries[library.name] = boost::json::string(library.version);
  return write_json(boost::json::object{{"format", "carve-version/1"},
                                        {"version", boost::json::string(built_from.version)},
                                        {"commit", commit_json()},
                                        {"modified", modified_json()},
                                        {"compiler", boost::json::string(built_from.compiler)},
                                        {"build", boost::json::string(built_from.build)},
                                        {"libraries", std::move(libraries)}});
}

}  // namespace carve

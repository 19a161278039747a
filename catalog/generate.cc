// generate OUTPUT FILE...: the YAML files of the catalog as a C++ table. Runs when carve is built. Whatever is wrong
// with the files is reported as compilers do, and nothing is written.
#include <cstdio>
#include <span>

#include <fmt/format.h>

#include "check.h"
#include "schema.h"
#include "write.h"

namespace carve {

namespace {

constexpr std::int64_t largest_file = 4 << 20;

Result<CatalogFile> read_catalog_file(const std::string& path, const Schema& schema) {
  TRY(std::string bytes, read_file(path, largest_file));
  TRY(Document document, parse_yaml(std::move(bytes), path));
  TRY(Record record, read_record(document.root(), schema));
  return CatalogFile{document, record};
}

Result<void> generate(const std::string& output, std::span<char*> paths) {
  CatalogFiles files;
  for (const std::string path : paths) {
    if (path.ends_with("/sources.yaml")) {
      TRY(const CatalogFile sources, read_catalog_file(path, sources_file_schema()));
      for (const auto& [key, citation] : sources.record.value("sources")->as_map()) {
        files.sources.emplace(key, citation.as_text());
      }
    } else {
      TRY(CatalogFile cards, read_catalog_file(path, catalog_file_schema()));
      files.cards.push_back(std::move(cards));
    }
  }
  TRY_VOID(check_catalog(files));
  return write_file_atomically(output, catalog_table_source(files));
}

void print(const Error& error) {
  const Place place = error.place.value_or(Place{});
  fmt::print(stderr, "{}:{}:{}: error: {}\n", place.file, place.line, place.column, error.message);
  if (!error.help.empty()) fmt::print(stderr, "  help: {}\n", error.help);
  for (const Error& other : error.others) print(other);
}

}  // namespace

}  // namespace carve

int main(int argc, char** argv) {
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  if (arguments.size() < 3) {
    fmt::print(stderr, "usage: generate OUTPUT FILE...\n");
    return 2;
  }
  const carve::Result<void> done = carve::generate(arguments[1], arguments.subspan(2));
  if (done) return 0;
  carve::print(done.error());
  return 1;
}

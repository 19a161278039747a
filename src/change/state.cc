#include "change/state.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "text/text.h"

namespace carve {

namespace {

constexpr std::int64_t most_bytes = 4 << 20;

Error environment(std::string message, std::string help) {
  return {Fault::environment, std::move(message), {}, std::move(help), {}};
}

std::string first_line(const std::string& path) {
  auto text = read_file(path, 4096);
  if (!text) return "";
  return text->substr(0, text->find('\n'));
}

const Schema& made_instance_schema() {
  static const Schema schema{"an instance that carve made",
                             {{"card", Presence::required, Shape::text(), "", "UUID"},
                              {"profile", Presence::required, Shape::text(), "", ""},
                              {"start", Presence::required, Shape::integer({0, 64}), "", ""},
                              {"size", Presence::required, Shape::integer({1, 64}), "", ""}},
                             KeyCount::any};
  return schema;
}

const Schema& made_schema() {
  static const Schema schema{
      "what carve made",
      {{"format", Presence::required, Shape::choice({"carve-made/1"}), "", ""},
       {"boot", Presence::required, Shape::text(), "", ""},
       {"instances", Presence::required, Shape::list_of(Shape::object(made_instance_schema()), {0, 100'000}), "", ""}},
      KeyCount::any};
  return schema;
}

std::string made_path(const StateFolders& folders) { return folders.lasting() + "/made.json"; }

}  // namespace

// /proc has files without a size, which read_file() takes as they are.
std::string StateFolders::boot() const {
  std::string id = first_line(root + "/proc/sys/kernel/random/boot_id");
  if (id.empty() && !root.empty()) id = first_line("/proc/sys/kernel/random/boot_id");
  return id.empty() ? "unknown" : id;
}

Result<void> make_folder(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (!failed) return {};
  return fail(environment(fmt::format("the folder {} cannot be made: {}", path, failed.message()),
                          "carve keeps its journal there; changing cards is for root"));
}

Result<ChangeLock> ChangeLock::take(const StateFolders& folders, const std::string& command) {
  TRY_VOID(make_folder(folders.running()));
  const std::string path = folders.running() + "/lock";
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file.valid()) return fail(environment(fmt::format("{} cannot be opened: {}", path, std::strerror(errno)), ""));
  if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    const std::string holder = first_line(path);
    return fail(environment(fmt::format("another carve changes cards now: {}", holder.empty() ? "unknown" : holder),
                            "wait until it has ended; nothing was changed"));
  }
  const std::string holder = fmt::format("process {}: {}\n", ::getpid(), command);
  if (::ftruncate(file.number(), 0) != 0 || write_all(file.number(), holder) != 0)
    return fail(environment(fmt::format("{} cannot be written: {}", path, std::strerror(errno)), ""));
  return ChangeLock(std::move(file));
}

Result<Made> read_made(const StateFolders& folders) {
  const std::string path = made_path(folders);
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return Made{};
  TRY(std::string text, read_file(path, most_bytes));
  TRY(const Document document, parse_json(std::move(text), path));
  TRY(const Record record, read_record(document.root(), made_schema(), UnknownKeys::ignore));
  if (record.text("boot") != folders.boot()) return Made{};
  Made made;
  for (const Record& one : record.records("instances"))
    made.insert(
        {*one.text("card"),
         {*one.text("profile"), {static_cast<int>(*one.integer("start")), static_cast<int>(*one.integer("size"))}}});
  return made;
}

Result<void> write_made(const StateFolders& folders, const Made& made) {
  TRY_VOID(make_folder(folders.lasting()));
  boost::json::array instances;
  for (const auto& [card, place] : made)
    instances.push_back(boost::json::object{
        {"card", card}, {"profile", place.profile}, {"start", place.placement.start}, {"size", place.placement.size}});
  return write_file_atomically(
      made_path(folders),
      write_json(boost::json::object{
          {"format", "carve-made/1"}, {"boot", folders.boot()}, {"instances", std::move(instances)}}));
}

}  // namespace carve

// The folder of journals: files named by their numbers, the oldest removed when there are too many.
#include "change/journal.h"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "change/journal_text.h"

namespace carve {

namespace {

constexpr std::int64_t most_bytes = 64 << 20;  // of one journal
constexpr ::off_t room = 256 << 10;  // taken beforehand, so that a full disk is noticed before anything is done
constexpr std::size_t most_kept = 50;

std::string folder_of(const StateFolders& folders) { return folders.lasting() + "/journal"; }

Error cannot(std::string_view what, const std::string& path) {
  return {Fault::environment,
          fmt::format("the journal {} cannot be {}: {}", path, what, std::strerror(errno)),
          {},
          "carve does nothing that it cannot write down first",
          {}};
}

// Numbers of the journals that there are, ascending.
std::vector<int> numbers_in(const std::string& folder) {
  std::vector<int> numbers;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    int number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size() && number > 0) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::string path_of(const std::string& folder, int number) { return fmt::format("{}/{:06}", folder, number); }

Result<void> sync_folder(const std::string& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.valid() || ::fsync(opened.number()) != 0) return fail(cannot("made lasting", folder));
  return {};
}

// Makes room for one more: gives up the oldest of those in which nothing was done, so that what a rollback undoes is
// not driven out by changes that changed nothing; else the oldest. The newest stays.
void forget(const std::string& folder, std::vector<int> numbers) {
  while (numbers.size() >= most_kept) {
    const auto idle = std::find_if(numbers.begin(), numbers.end() - 1, [&](int number) {
      const auto journal = read_journal(path_of(folder, number));
      return journal && (!*journal || ((*journal)->steps.empty() && (*journal)->outcome == Outcome::done));
    });
    const auto gone = idle == numbers.end() - 1 ? numbers.begin() : idle;
    ::unlink(path_of(folder, *gone).c_str());
    numbers.erase(gone);
  }
}

// The newest with so many steps. One without a whole first line was never acted on.
Result<std::optional<Journaled>> last_with(const StateFolders& folders, std::size_t steps) {
  const std::string folder = folder_of(folders);
  std::vector<int> numbers = numbers_in(folder);
  for (; !numbers.empty(); numbers.pop_back()) {
    TRY(auto journal, read_journal(path_of(folder, numbers.back())));
    if (journal && journal->steps.size() >= steps) return journal;
  }
  return std::optional<Journaled>();
}

}  // namespace

Result<std::optional<Journaled>> read_journal(const std::string& path) {
  TRY(const std::string text, read_file(path, most_bytes));
  return parse_journal(text, path);
}

Result<std::optional<Journaled>> last_journal(const StateFolders& folders) { return last_with(folders, 0); }

Result<std::optional<Journaled>> last_change(const StateFolders& folders) { return last_with(folders, 1); }

Result<std::vector<Journaled>> read_journals(const StateFolders& folders) {
  std::vector<Journaled> journals;
  for (const int number : numbers_in(folder_of(folders))) {
    TRY(auto journal, read_journal(path_of(folder_of(folders), number)));
    if (journal) journals.push_back(std::move(*journal));
  }
  return journals;
}

Result<Journal> Journal::open(const StateFolders& folders, JournalOpening opening) {
  const std::string folder = folder_of(folders);
  TRY_VOID(make_folder(folder));
  std::vector<int> numbers = numbers_in(folder);
  opening.number = numbers.empty() ? 1 : numbers.back() + 1;
  const std::string path = path_of(folder, opening.number);
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.valid()) return fail(cannot("made", path));
  // Not every file system can take room; on those a full disk is noticed later.
  if (const int failed = ::posix_fallocate(file.number(), 0, room); failed == ENOSPC || failed == EDQUOT) {
    errno = failed;
    Error error = cannot("given room", path);
    ::unlink(path.c_str());
    return fail(std::move(error));
  }
  Journal journal(std::move(file), path);
  if (auto written = journal.append(opening_line(opening)); !written) {
    ::unlink(path.c_str());
    return fail(std::move(written).error());
  }
  TRY_VOID(sync_folder(folder));
  forget(folder, std::move(numbers));
  return journal;
}

Result<void> Journal::append(const std::string& json) {
  if (write_all(file_.number(), checked_line(json)) != 0 || ::fdatasync(file_.number()) != 0)
    return fail(cannot("written", path_));
  return {};
}

Result<void> Journal::note(const JournalStep& step) { return append(step_line(step)); }

Result<void> Journal::close(Outcome outcome) {
  TRY_VOID(append(closing_line(outcome)));
  const ::off_t end = ::lseek(file_.number(), 0, SEEK_CUR);
  if (end < 0 || ::ftruncate(file_.number(), end) != 0) return fail(cannot("closed", path_));
  return {};
}

Result<Made> made_by_carve(const StateFolders& folders) {
  TRY(Made made, read_made(folders));
  TRY(const auto journal, last_journal(folders));
  if (!journal || journal->outcome || journal->opening.boot != folders.boot()) return made;
  for (const JournalStep& step : journal->steps)
    if (step.act == Act::create) made.insert({step.card, step.instance});
  return made;
}

}  // namespace carve

// The signal handlers do the restoring themselves, with write() and tcsetattr(), which are allowed there: the program
// may be waiting for a driver that does not answer. What they need stands in globals, written before they are set.
#include "cli/terminal.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include <fmt/format.h>

namespace carve {

namespace {

// Alternate screen; cursor off; no line runs on into the next.
constexpr std::string_view enter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[H\x1b[J";
constexpr std::string_view leave = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l";

constexpr std::array ending{SIGINT, SIGTERM, SIGHUP, SIGQUIT};

struct Held {
  termios before{};  // of standard input
  termios during{};
  bool has_keys = false;  // standard input is a terminal
  pid_t owner = 0;        // a child that asks the driver inherits the handlers, and not the terminal
};
Held held;
volatile std::sig_atomic_t redraw = 0;

void put(std::string_view bytes) { (void)!::write(STDOUT_FILENO, bytes.data(), bytes.size()); }

void take_terminal() {
  if (held.has_keys) ::tcsetattr(STDIN_FILENO, TCSANOW, &held.during);
  put(enter);
}

void give_terminal_back() {
  put(leave);
  if (held.has_keys) ::tcsetattr(STDIN_FILENO, TCSANOW, &held.before);
}

void on_end(int signal) {
  if (::getpid() == held.owner) give_terminal_back();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void on_stop(int) {
  const int kept = errno;
  if (::getpid() == held.owner) {
    give_terminal_back();
    std::raise(SIGSTOP);
    take_terminal();
    redraw = 1;
  }
  errno = kept;
}

void on_resize(int) { redraw = 1; }

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

struct KeyRow {
  std::string_view bytes;
  Key key;
};
constexpr std::array keys{KeyRow{"q", Key::quit},      KeyRow{"Q", Key::quit},
                          KeyRow{"j", Key::down},      KeyRow{"\x1b[B", Key::down},
                          KeyRow{"k", Key::up},        KeyRow{"\x1b[A", Key::up},
                          KeyRow{" ", Key::page_down}, KeyRow{"\x1b[6~", Key::page_down},
                          KeyRow{"b", Key::page_up},   KeyRow{"\x1b[5~", Key::page_up},
                          KeyRow{"g", Key::top},       KeyRow{"\x1b[H", Key::top}};

Key key_of(std::string_view bytes) {
  for (const KeyRow& row : keys)
    if (bytes.starts_with(row.bytes)) return row.key;
  return Key::none;
}

// A terminal that has gone reads as its end: then there is nobody left to look.
Key read_key() {
  std::array<char, 64> buffer{};
  const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  if (got > 0) return key_of({buffer.data(), static_cast<std::size_t>(got)});
  return got < 0 && errno == EINTR ? Key::none : Key::quit;
}

}  // namespace

Result<Terminal> Terminal::open() {
  if (::isatty(STDOUT_FILENO) == 0)
    return fail(Error{Fault::bad_input,
                      "--watch draws on a terminal, and standard output is none",
                      {},
                      "with --json it writes a line of JSON each time",
                      {}});
  held = Held{};
  held.owner = ::getpid();
  if (::isatty(STDIN_FILENO) != 0 && ::tcgetattr(STDIN_FILENO, &held.before) == 0) {
    held.has_keys = true;
    held.during = held.before;
    held.during.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  }
  for (const int signal : ending) handle(signal, on_end, static_cast<int>(SA_NODEFER | SA_RESETHAND));
  handle(SIGTSTP, on_stop, SA_RESTART);
  handle(SIGWINCH, on_resize, 0);
  take_terminal();
  return Terminal();
}

Terminal::Terminal(Terminal&& other) noexcept
    : owner_(std::exchange(other.owner_, false)), shown_size_(other.shown_size_), shown_(std::move(other.shown_)) {}

Terminal::~Terminal() {
  if (!owner_) return;
  give_terminal_back();
  for (const int signal : ending) std::signal(signal, SIG_DFL);
  std::signal(SIGTSTP, SIG_DFL);
  std::signal(SIGWINCH, SIG_DFL);
}

TerminalSize Terminal::size() const {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return {};
  return {size.ws_row, size.ws_col};
}

void Terminal::show(std::vector<std::string> lines) {
  const TerminalSize now = size();
  lines.resize(static_cast<std::size_t>(now.rows));
  const bool anew = std::exchange(redraw, 0) != 0 || now.rows != shown_size_.rows || now.columns != shown_size_.columns;
  // After a change of size the terminal may have moved anything anywhere.
  const std::string change = frame_change(anew ? std::vector<std::string>() : shown_, lines);
  shown_ = std::move(lines);
  shown_size_ = now;
  if (!change.empty()) (void)write_all(STDOUT_FILENO, change);
}

Key Terminal::wait(std::chrono::milliseconds limit) {
  if (redraw != 0) return Key::none;
  pollfd input{held.has_keys ? STDIN_FILENO : -1, POLLIN, 0};
  const auto step = static_cast<int>(std::min<std::int64_t>(limit.count(), 200));  // a signal may come before poll()
  if (::poll(&input, 1, step) <= 0) return Key::none;
  return read_key();
}

std::string frame_change(const std::vector<std::string>& from, const std::vector<std::string>& to) {
  std::string change;
  for (std::size_t row = 0; row < to.size(); ++row)
    if (row >= from.size() || from[row] != to[row]) change += fmt::format("\x1b[{};1H{}\x1b[K", row + 1, to[row]);
  return change;
}

}  // namespace carve

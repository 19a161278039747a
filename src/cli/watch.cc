#include "cli/watch.h"

#include <poll.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "cli/live.h"
#include "cli/status_json.h"
#include "cli/terminal.h"

namespace carve {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int narrowest = 40;  // that a page is drawn for; a narrower window cuts it

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  return fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec);
}

class StatusWatch {
 public:
  StatusWatch(Terminal terminal, std::chrono::seconds interval, const Style& style, const Given& given)
      : terminal_(std::move(terminal)), interval_(interval), style_(style), given_(given) {}

  void run() {
    for (;;) {
      const Result<Machine> machine = read_live_machine(given_);
      read_at_ = time_of_day();
      const Clock::time_point next = Clock::now() + interval_;
      draw(machine);
      while (Clock::now() < next) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now());
        const Key key = terminal_.wait(std::max(left, std::chrono::milliseconds(0)));
        if (key == Key::quit) return;
        move(key);
        draw(machine);
      }
    }
  }

 private:
  void move(Key key) {
    const int page = std::max(1, terminal_.size().rows - 2);
    switch (key) {
      case Key::down:
        return scroll(1);
      case Key::up:
        return scroll(-1);
      case Key::page_down:
        return scroll(page);
      case Key::page_up:
        return scroll(-page);
      case Key::top:
        first_ = 0;
        return;
      case Key::none:
      case Key::quit:
        return;
    }
  }
  void scroll(int lines) { first_ = std::max(0, first_ + lines); }

  void draw(const Result<Machine>& machine) {
    const TerminalSize size = terminal_.size();
    Style style = style_;
    style.width = std::max(narrowest, size.columns);
    const std::string page =
        machine ? status_page(*machine, style)
                : render_error(machine.error(), style) + fmt::format("\nasked again every {} s\n", interval_.count());
    const std::string head = fmt::format("{}  every {} s, q ends", read_at_, interval_.count());
    first_ = std::min(first_, static_cast<int>(std::count(page.begin(), page.end(), '\n')));
    std::vector<std::string> lines = window_lines(head, {size.columns, 1, 0}, style);
    if (size.rows > 1)
      for (std::string& line : window_lines(page, {size.columns, size.rows - 1, first_}, style))
        lines.push_back(std::move(line));
    terminal_.show(std::move(lines));
  }

  Terminal terminal_;
  std::chrono::seconds interval_;
  Style style_;
  const Given& given_;
  std::string read_at_;
  int first_ = 0;  // line of the page that is shown on top
};

// False once whoever read standard output has gone.
bool still_read_after(std::chrono::milliseconds time) {
  const Clock::time_point end = Clock::now() + time;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return true;
    pollfd output{STDOUT_FILENO, 0, 0};  // events that are always told: the other end was closed
    const int told = ::poll(&output, 1, static_cast<int>(left));
    if (told > 0) return false;
    if (told == 0 || errno != EINTR) return true;
  }
}

}  // namespace

Result<Exit> watch_status(std::chrono::seconds interval, const Style& style, const Given& given) {
  TRY(Terminal terminal, Terminal::open());
  StatusWatch(std::move(terminal), interval, style, given).run();
  return Exit::done;
}

Result<Exit> watch_as_json(std::chrono::seconds interval, const Given& given) {
  for (;;) {
    const Result<Machine> machine = read_live_machine(given);
    const int failed = write_all(STDOUT_FILENO, machine ? status_line(*machine) : error_line(machine.error()));
    if (failed == EPIPE) return Exit::done;
    if (failed != 0)
      return fail(
          Error{Fault::environment, fmt::format("writing to standard output: {}", std::strerror(failed)), {}, {}, {}});
    if (!still_read_after(interval)) return Exit::done;
  }
}

}  // namespace carve

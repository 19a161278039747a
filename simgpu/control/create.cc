// A machine from an order: boards, identities, a situation in which nothing has happened yet; and what becomes of a
// machine that is there already.
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "simgpu/control/fault.h"
#include "simgpu/control/model.h"
#include "simgpu/tree/tree.h"

namespace carve::sim {

namespace {

// Minors are not indices, and indices follow the bus.
void set_identity(Board& board, std::uint64_t seed, int index) {
  std::snprintf(board.uuid.bytes, sizeof board.uuid.bytes, "GPU-%s",
                uuid_from(seed, 0x1000u + static_cast<std::uint64_t>(index)).bytes);
  std::snprintf(board.serial.bytes, sizeof board.serial.bytes, "SIM%010llu",
                static_cast<unsigned long long>(seed % 100'000'000 * 100 + static_cast<std::uint64_t>(index)));
  board.pci_bus = static_cast<std::uint32_t>(7 + 7 * index);
  board.minor = static_cast<std::uint32_t>((5 * index + 3) % max_cards);
}

Result<void> add_cards(Machine& machine, const CardOrder& order) {
  TRY(const ModelRow* row, find_row(order.card));
  TRY(const Board board, board_of(*row, order));
  for (int i = 0; i < order.count; ++i) {
    if (machine.boards.count == max_cards)
      return fail(Error{Fault::bad_input, fmt::format("a machine has at most {} cards", max_cards), {}, "", {}});
    Board& placed = machine.boards.rows[machine.boards.count];
    placed = board;
    set_identity(placed, machine.boards.seed, machine.boards.count);
    ++machine.boards.count;
  }
  return {};
}

Result<std::unique_ptr<Machine>> machine_of(const MachineOrder& order) {
  auto machine = std::make_unique<Machine>();
  machine->boards.seed = order.seed;
  for (const CardOrder& card : order.cards) TRY_VOID(add_cards(*machine, card));
  if (machine->boards.count == 0) return fail(Error{Fault::bad_input, "a machine needs a card", {}, "", {}});
  machine->now.boot = 1;
  machine->now.loaded = 1;
  return machine;
}

Result<void> make_folder(const std::string& folder) {
  int failed = ::mkdir(folder.c_str(), 0777) == 0 ? 0 : errno;
  struct stat status {};
  if (failed == EEXIST) failed = ::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
  if (failed == 0) return {};
  return fail(Error{Fault::environment,
                    fmt::format("cannot make the folder {}: {}", folder, std::strerror(failed)),
                    {},
                    "--sim-dir or CARVE_SIM_DIR names another",
                    {}});
}

// The machine that is there, if it has these boards.
Result<void> check_same(const std::string& folder, const Machine& wanted) {
  TRY(const auto there, Control(folder).look());
  if (there->boards == wanted.boards) return {};
  return fail(
      Error{Fault::bad_input,
            fmt::format("the simulated machine in {} was made from another order: it has {}", folder, cards_of(*there)),
            {},
            "leave the order out to use it as it is; 'carve sim create --replace' makes another",
            {}});
}

// Takes the driver away from a machine that ends, so that who comes late does not settle on it. What cannot be read has
// no processes. A file that is no machine is nothing of ours, and stays.
Result<void> retire(Access& access, const std::string& folder) {
  if (access.fault() == StoreFault::missing || access.fault() == StoreFault::damaged) return {};
  if (access.fault() != StoreFault::none) return fail(error_of(access.fault(), folder));
  Situation& now = access.edit().now;
  forget_dead(now, alive, now_us());
  for (const Process& process : now.processes) {
    if (process.holder.pid != 0)
      return fail(Error{Fault::environment,
                        fmt::format("process {} runs on the simulated machine in {}", process.holder.pid, folder),
                        {},
                        "end it, or use another folder (--sim-dir)",
                        {}});
  }
  now.loaded = 0;
  access.commit();
  return {};
}

}  // namespace

std::string cards_of(const Machine& machine) {
  std::string text;
  for (int card = 0, next = 0; card < machine.boards.count; card = next) {
    const std::string_view model = machine.boards.rows[card].model.view();
    while (next < machine.boards.count && machine.boards.rows[next].model.view() == model) ++next;
    text += fmt::format("{}{}x{}", text.empty() ? "" : ",", next - card, model);
  }
  return text;
}

Result<void> create_machine(const std::string& folder, const MachineOrder& order, IfThere if_there) {
  TRY(const auto machine, machine_of(order));
  TRY_VOID(make_folder(folder));
  if (if_there == IfThere::replace) {
    const auto store = std::make_unique<Store>();
    Access former(*store, folder.c_str(), LockKind::exclusive);
    TRY_VOID(retire(former, folder));
    if (const StoreFault fault = create_store(folder.c_str(), *machine, Former::is_replaced); fault != StoreFault::none)
      return fail(error_of(fault, folder));
    return {};
  }
  const StoreFault fault = create_store(folder.c_str(), *machine, Former::stays);
  if (fault == StoreFault::exists && if_there == IfThere::keep) return check_same(folder, *machine);
  if (fault != StoreFault::none) return fail(error_of(fault, folder));
  return {};
}

Result<void> remove_machine(const std::string& folder) {
  const auto store = std::make_unique<Store>();
  Access machine(*store, folder.c_str(), LockKind::exclusive);
  if (machine.fault() == StoreFault::missing) return fail(error_of(machine.fault(), folder));
  TRY_VOID(retire(machine, folder));
  int failed = remove_tree(folder.c_str());
  if (failed == 0 && ::unlink((folder + "/machine").c_str()) != 0) failed = errno;
  if (failed != 0)
    return fail(Error{Fault::environment,
                      fmt::format("cannot remove the simulated machine in {}: {}", folder, std::strerror(failed)),
                      {},
                      "",
                      {}});
  ::rmdir(folder.c_str());  // if nothing else is in it
  return {};
}

}  // namespace carve::sim

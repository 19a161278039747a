// Occupants to processes, processes to replicas, replicas to figures. A process sees one MIG device, so what is in
// several of them is several replicas; on whole cards one replica may hold several.
#include "observe/replicas.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "observe/enclosure.h"

namespace carve::observe_internal {

namespace {

constexpr std::string_view mps_server = "nvidia-cuda-mps-server";

struct Process {
  ProcessId id;
  Reading<ProcessFacts> facts;
  std::map<Piece, Reading<Mib>> memory;
};

void add_memory(Reading<Mib>& sum, const Reading<Mib>& more) {
  if (!sum) return;
  if (!more)
    sum = more;
  else
    *sum += *more;
}

bool is_server(const Occupant& occupant) {
  if (!occupant.process) return false;
  std::string_view program = occupant.process->command;
  program = program.substr(0, program.find(' '));
  program.remove_prefix(program.rfind('/') + 1);
  return program == mps_server;
}

class Sighter {
 public:
  Sighter(const Machine& machine, const std::map<std::int32_t, ProcessFacts>& known)
      : machine_(machine), known_(known) {}

  Sighting take() {
    for (const LiveCard& card : machine_.cards)
      if (card.occupants)
        for (const Occupant& occupant : *card.occupants) note(card, occupant);
    std::map<std::string, Replica> replicas;
    for (const auto& [pid, process] : processes_) join(process, replicas);
    for (auto& [key, replica] : replicas) {
      measure(replica);
      sighting_.replicas.push_back(std::move(replica));
    }
    return std::move(sighting_);
  }

 private:
  void note(const LiveCard& card, const Occupant& occupant) {
    if (is_server(occupant)) {
      ++sighting_.servers;
      return;
    }
    const Piece piece{card.index, occupant.gpu_instance};
    users_[piece].insert(occupant.pid);
    if (!occupant.compute && !occupant.mps) {
      ++sighting_.drawing;
      return;
    }
    Process& process = processes_[occupant.pid];
    process.facts = occupant.process;
    const auto before = known_.find(occupant.pid);
    if (!process.facts && before != known_.end()) process.facts = before->second;
    process.id = {occupant.pid, process.facts ? process.facts->started : std::nullopt};
    add_memory(process.memory.emplace(piece, Mib{}).first->second, occupant.memory);
  }

  // The process farthest up that holds a card as well; its group stands for all below it.
  const Process& root_of(const Process& process) const {
    const Process* root = &process;
    for (const std::int32_t ancestor : process.facts->ancestors)
      if (const auto found = processes_.find(ancestor); found != processes_.end() && found->second.facts)
        root = &found->second;
    return *root;
  }

  struct Holder {
    std::string_view kind;
    std::string id;
  };
  Holder holder_of(const Process& process) const {
    const Holder alone{"process", fmt::format("process {}", process.id.pid)};
    if (!process.facts) return alone;
    if (const auto enclosure = enclosure_of(process.facts->cgroup))
      return {enclosure->kind, fmt::format("{} {}", enclosure->kind, enclosure->id)};
    const std::int32_t group = root_of(process).facts->group;
    return group == 0 ? alone : Holder{"process group", fmt::format("group {}", group)};
  }

  void join(const Process& process, std::map<std::string, Replica>& replicas) const {
    const Holder holder = holder_of(process);
    for (const auto& [piece, memory] : process.memory) {
      std::string key = holder.id;
      if (piece.instance) key += fmt::format(" on {}/{}", piece.card, piece.instance->value);
      Replica& replica = replicas[key];
      replica.held_by = holder.kind;
      replica.pieces.insert(piece);
      const auto same = [&](const Member& member) { return member.id == process.id; };
      auto member = std::find_if(replica.members.begin(), replica.members.end(), same);
      if (member == replica.members.end()) member = replica.members.insert(member, Member{process.id, process.facts});
      add_memory(member->memory, memory);
    }
  }

  const LiveCard& card_of(const Piece& piece) const {
    return *std::find_if(machine_.cards.begin(), machine_.cards.end(),
                         [&](const LiveCard& card) { return card.index == piece.card; });
  }

  static const LiveGpuInstance* instance_of(const LiveCard& card, GpuInstanceId id) {
    if (!card.instances) return nullptr;
    const auto found = std::find_if(card.instances->begin(), card.instances->end(),
                                    [&](const LiveGpuInstance& instance) { return instance.id == id; });
    return found == card.instances->end() ? nullptr : &*found;
  }

  void measure(Replica& replica) const {
    const auto first = [](const Member& a, const Member& b) {
      const auto rank = [](const Member& m) { return std::tuple(!m.id.started, m.id); };
      return rank(a) < rank(b);
    };
    std::sort(replica.members.begin(), replica.members.end(), first);
    replica.memory = Mib{};
    for (const Member& member : replica.members) add_memory(replica.memory, member.memory);
    if (!replica.memory) {
      replica.untold.push_back({"memory", replica.memory.error()});
      replica.memory = memory_in_use(replica);
      replica.memory_told = MemoryTold::of_partition;
    }
    replica.sm = replica.pieces.size() > 1 ? Reading<SmSample>(missing(Absence::unsupported, "it holds several cards"))
                                           : sm_of(replica, *replica.pieces.begin());
    if (!replica.sm) replica.untold.push_back({"SM use", replica.sm.error()});
    for (const Member& member : replica.members)
      if (!member.facts) replica.untold.push_back({"user and command", member.facts.error()});
  }

  // All that is in use on its pieces: not less than its own.
  Reading<Mib> memory_in_use(const Replica& replica) const {
    Reading<Mib> sum = Mib{};
    for (const Piece& piece : replica.pieces) {
      const LiveCard& card = card_of(piece);
      const LiveGpuInstance* instance = piece.instance ? instance_of(card, *piece.instance) : nullptr;
      const bool known = !piece.instance || instance != nullptr;
      const Reading<MemoryUse> use = known ? (instance == nullptr ? card.memory : instance->memory)
                                           : Reading<MemoryUse>(missing(Absence::failed, "its instance is gone"));
      add_memory(sum, use ? Reading<Mib>(use->used) : Reading<Mib>(tl::unexpected<Missing>(use.error())));
    }
    return sum;
  }

  bool alone_on(const Replica& replica, const Piece& piece) const {
    const std::set<std::int32_t>& users = users_.at(piece);
    return std::all_of(users.begin(), users.end(), [&](std::int32_t pid) {
      return std::any_of(replica.members.begin(), replica.members.end(),
                         [&](const Member& member) { return member.id.pid == pid; });
    });
  }

  Reading<SmSample> sm_of(Replica& replica, const Piece& piece) const {
    const LiveCard& card = card_of(piece);
    if (piece.instance) return sm_of_instance(replica, card, *piece.instance);
    if (!card.use.processes) {
      if (card.use.sm && alone_on(replica, piece)) return SmSample{*card.use.sm, *card.use.sm};
      return tl::unexpected<Missing>(card.use.processes.error());
    }
    SmSample sum;
    for (const Member& member : replica.members) {
      const auto found = std::find_if(card.use.processes->begin(), card.use.processes->end(),
                                      [&](const ProcessUse& use) { return use.pid == member.id.pid; });
      const SmSample own = found == card.use.processes->end() ? SmSample{} : SmSample{found->mean, found->peak};
      replica.sm_of[member.id] = own;
      sum.mean += own.mean;
      sum.peak += own.peak;
    }
    return SmSample{std::min(sum.mean, Permille{1000}), std::min(sum.peak, Permille{1000})};
  }

  // What an instance uses is told of it as a whole, in parts of its own SMs.
  Reading<SmSample> sm_of_instance(const Replica& replica, const LiveCard& card, GpuInstanceId id) const {
    if (!card.use.instances) return tl::unexpected<Missing>(card.use.instances.error());
    const auto use = std::find_if(card.use.instances->begin(), card.use.instances->end(),
                                  [&](const InstanceUse& instance) { return instance.id == id; });
    if (use == card.use.instances->end()) return missing(Absence::failed, "its instance is gone");
    if (!use->sm) return tl::unexpected<Missing>(use->sm.error());
    if (!alone_on(replica, {card.index, id}))
      return missing(Absence::unsupported,
                     "with MIG on, the driver tells the SM use of an instance as a whole, and "
                     "others were in it");
    const LiveGpuInstance* instance = instance_of(card, id);
    const CardModel* model = catalog_model(card);
    if (instance == nullptr || !instance->profile || !card.profiles || model == nullptr || !model->sms)
      return missing(Absence::unsupported, "how many SMs its instance or its card has is not known");
    const auto profile = std::find_if(card.profiles->begin(), card.profiles->end(), [&](const LiveProfile& candidate) {
      return candidate.name == *instance->profile;
    });
    if (profile == card.profiles->end())
      return missing(Absence::unsupported, "how many SMs its instance has is not known");
    const Permille of_card{std::min<std::int64_t>(ceil_div(use->sm->value * profile->sms, *model->sms), 1000)};
    return SmSample{of_card, of_card};
  }

  const Machine& machine_;
  const std::map<std::int32_t, ProcessFacts>& known_;
  std::map<std::int32_t, Process> processes_;
  std::map<Piece, std::set<std::int32_t>> users_;
  Sighting sighting_;
};

}  // namespace

Sighting sight(const Machine& machine, const std::map<std::int32_t, ProcessFacts>& known) {
  return Sighter(machine, known).take();
}

}  // namespace carve::observe_internal

// One pass over the cards finds the kinds of partitions; one over the findings finds what each is about: a workload by
// its name, a card by "node/index", a partition by what follows the last slash behind that.
#include "show/page/atlas.h"

#include <algorithm>

namespace carve {

namespace {

constexpr std::size_t most_places = 3;
constexpr std::size_t most_in_full = 400;  // drawings

Partition unnumbered(Partition partition) {
  partition.placement.reset();
  for (Share& share : partition.shares) share.first = 0;
  return partition;
}

std::string name_of(const Position& position) { return fmt::format("{}/{}", position.node, position.index); }

// "2g.20gb@4": as findings name a partition behind its card.
std::string name_of(const Partition& partition) {
  if (!partition.placement) return partition.profile;
  return fmt::format("{}@{}", partition.profile, partition.placement->start);
}

// Kinds are compared only with those of the same model, profile and first workload.
class Kinds {
 public:
  explicit Kinds(std::vector<Kind>& kinds) : kinds_(kinds) {}

  std::size_t find_or_add(const Drawn& card, const Partition& partition) {
    Partition own = unnumbered(partition);
    const std::string first = partition.shares.empty() ? "" : partition.shares.front().workload;
    std::vector<std::size_t>& similar = similar_[{card.card().model, partition.profile, first}];
    for (const std::size_t kind : similar)
      if (looks_[kind] == own) return kind;
    similar.push_back(kinds_.size());
    kinds_.push_back({&card, &partition, 0, {}, {}});
    looks_.push_back(std::move(own));
    return kinds_.size() - 1;
  }

 private:
  std::vector<Kind>& kinds_;
  std::vector<Partition> looks_;
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::size_t>> similar_;
};

void add_places(Kind& kind, const Drawn& drawn, const Partition& partition) {
  kind.count += std::ssize(drawn.positions);
  for (const Position& position : drawn.positions) {
    if (kind.places.size() >= most_places) return;
    const std::string name = name_of(partition);
    kind.places.push_back(name.empty() ? name_of(position) : fmt::format("{}/{}", name_of(position), name));
  }
}

// The partition of a drawn card that "2g.20gb@4" means; -1 if none has this name.
int partition_named(const Drawn& drawn, std::string_view name) {
  const std::vector<Partition>& partitions = drawn.card().partitions;
  for (int i = 0; i < std::ssize(partitions); ++i)
    if (name_of(partitions[static_cast<std::size_t>(i)]) == name) return i;
  return -1;
}

using Cards = std::map<std::string, std::size_t, std::less<>>;  // "node-0/1": index of what is drawn

std::optional<Mark> mark_of(std::string_view subject, const Cards& cards, const std::vector<Drawn>& drawn) {
  if (const auto card = cards.find(subject); card != cards.end()) return Mark{card->second, -1};
  const auto slash = subject.rfind('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto card = cards.find(subject.substr(0, slash));
  if (card == cards.end()) return std::nullopt;
  return Mark{card->second, partition_named(drawn[card->second], subject.substr(slash + 1))};
}

void add_findings(Atlas& atlas, const Plan& plan) {
  Cards cards;
  for (std::size_t i = 0; i < atlas.drawn.size(); ++i)
    for (const Position& position : atlas.drawn[i].positions) cards.emplace(name_of(position), i);
  for (const Finding& finding : plan.findings) {
    if (const auto workload = atlas.workloads.find(finding.subject); workload != atlas.workloads.end())
      atlas.anchors.emplace(finding.subject, fmt::format("w{}", workload->second));
    const std::optional<Mark> mark = mark_of(finding.subject, cards, atlas.drawn);
    if (!mark) continue;
    const Drawn& drawn = atlas.drawn[mark->card];
    atlas.anchors.emplace(finding.subject, id_of(*mark, drawn));
    const bool whole = mark->partition < 0 && !drawn.card().mig && drawn.card().partitions.size() == 1;
    const Mark shown = whole ? Mark{mark->card, 0} : *mark;
    atlas.findings[shown].push_back(&finding);
    if (shown.partition < 0) continue;
    const std::size_t kind = atlas.kind_of[shown.card][static_cast<std::size_t>(shown.partition)];
    atlas.kinds[kind].findings.push_back(&finding);
  }
}

}  // namespace

Atlas atlas_of(const Plan& plan) {
  Atlas atlas;
  atlas.drawn = alike(plan);
  for (std::size_t i = 0; i < plan.workloads.size(); ++i) atlas.workloads.emplace(plan.workloads[i].name, i);
  Kinds kinds(atlas.kinds);
  for (const Drawn& drawn : atlas.drawn) {
    std::vector<std::size_t>& own = atlas.kind_of.emplace_back();
    for (const Partition& partition : drawn.card().partitions) {
      own.push_back(kinds.find_or_add(drawn, partition));
      add_places(atlas.kinds[own.back()], drawn, partition);
    }
  }
  add_findings(atlas, plan);
  return atlas;
}

Detail detail_of(const Atlas& atlas) { return atlas.drawn.size() > most_in_full ? Detail::brief : Detail::full; }

std::string id_of(const Mark& mark, const Drawn& drawn) {
  if (mark.partition < 0 || !drawn.card().mig) return fmt::format("c{}", mark.card);
  return fmt::format("c{}-{}", mark.card, mark.partition);
}

const Chosen* chosen_for(const Plan& plan, const std::string& workload, const std::string& card) {
  const auto found = std::find_if(plan.decisions.begin(), plan.decisions.end(), [&](const Chosen& chosen) {
    return chosen.decision.workload == workload && chosen.decision.card == card;
  });
  return found == plan.decisions.end() ? nullptr : &*found;
}

}  // namespace carve

// Sentences that the report, `why` and the page all say: each is made once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "check/check.h"
#include "show/show.h"

namespace carve {

// "24 replicas and 7 measured partitions on 5 of 12 cards", "20 of 24 replicas placed on 5 of 5 cards".
std::string placed_sentence(const Plan&);
// What is known of the minimum: "with these mechanisms no plan can use fewer than 5".
std::string bound_sentence(const Plan&);
// How the bound was got, and how to get it again.
std::string proof_sentence(const Plan&);
// A short name may fit several boards: which one was meant is said, never guessed in silence. A sentence per name.
std::vector<std::string> board_sentences(const Plan&);

// With a capital letter at its beginning, if that is ASCII.
std::string capitalised(std::string text);

// "reranker/3-5: 3 replicas", "resnet: 12.5/s of its rate".
std::string what_is_left(const Unplaced&);

// What a workload asks for: "6 replicas, tenant search; 18.0 GiB each, compute 20 %, p99 60 ms".
std::string asked_of(const Workload&);
// The reason that weighs most: the table of needs goes from the common to the particular, so it is the last that holds.
// `carve why` has them all. Empty if no card was considered.
std::string main_reason(const std::string& workload, const Plan&);

// Where replicas of a workload are: partitions of one kind on one model, used in one way.
struct HeldAs {
  std::string model;
  std::string profile;
  Mechanism mechanism = Mechanism::exclusive;
  int processes = 1;
  auto operator<=>(const HeldAs&) const = default;
};
struct Held {
  std::int64_t replicas = 0;
  std::int64_t partitions = 0;
};
using Holdings = std::map<std::string, std::map<HeldAs, Held>>;  // by workload
Holdings holdings_of(const Plan&);
// "6 × 2g.20gb", "4 by mps in 1 × 3g.40gb"; "nothing" if it is nowhere.
std::vector<std::string> held_lines(const Holdings&, const std::string& workload, const Plan&, const Style&);

// What a code of a finding means; empty for a code that this program does not know.
std::string_view meaning_of(const std::string& code);

}  // namespace carve

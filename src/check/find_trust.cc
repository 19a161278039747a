// trust.*: who can hurt whom.
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/finding_list.h"
#include "check/rights.h"
#include "check/subject.h"

namespace carve {

namespace {

// Tenants in one partition; a workload whose replicas are tenants of their own counts them one by one.
std::vector<std::string> tenants_in(const Partition& partition) {
  std::set<std::string> tenants;
  for (const Share& share : partition.shares) {
    if (!share.tenant_each) {
      tenants.insert(share.tenant);
      continue;
    }
    tenants.insert(fmt::format("{}/{}", share.workload, share.first));
    if (share.count > 1) tenants.insert(fmt::format("{}/{}", share.workload, share.first + 1));
  }
  return {tenants.begin(), tenants.end()};
}

void find_mixed(const Plan& plan, FindingList& found) {
  for (const Seen& seen : partitions_seen(plan)) {
    const std::vector<std::string> tenants = tenants_in(seen.partition);
    if (tenants.size() < 2) continue;
    found.add("trust.mixed", subject_of(seen.cards, seen.partition),
              {fmt::format("tenants {} share one partition by {}: neither wall nor limit keeps them apart",
                           fmt::join(tenants, " and "), to_string(seen.partition.mechanism)),
               "give each tenant a partition of its own, or write one `tenant` if they do trust each other"},
              seen.cards.count());
  }
}

void find_weakened(const Plan& plan, FindingList& found) {
  for (const Workload& workload : plan.workloads) {
    const std::vector<std::string> dropped = given_up(workload);
    if (dropped.empty()) continue;
    found.add("trust.weakened", workload.name,
              {fmt::format("`isolation: cooperative` gives up {} towards tenant {}", fmt::join(dropped, ", "),
                           workload.tenant),
               fmt::format("remove `isolation` from {} and its objective gets them", workload.name)});
  }
}

// A name that no scheduler takes leaves only the plain shared name, which says nothing about the tenant.
void find_fungible(const Plan& plan, FindingList& found) {
  std::map<std::string, std::set<std::string>> behind;  // plain shared name to the tenants behind it
  std::map<std::string, std::string> first;
  for (const Seen& seen : partitions_seen(plan)) {
    if (seen.partition.mechanism == Mechanism::exclusive || seen.partition.shares.empty()) continue;
    const std::string& tenant = seen.partition.shares.front().tenant;
    if (is_resource_name(shared_name(seen.partition, tenant))) continue;
    const std::string plain = resource_name(seen.partition.profile) + ".shared";
    behind[plain].insert(tenant);
    first.try_emplace(plain, subject_of(seen.cards, seen.partition));
  }
  for (const auto& [name, tenants] : behind) {
    if (tenants.size() < 2) continue;
    found.add("trust.fungible", first.at(name),
              {fmt::format("tenants {} can only be offered as {}: a scheduler takes their partitions for the same",
                           fmt::join(tenants, " and "), name),
               "give the tenants names that fit into a resource name: at most 63 characters with the profile"});
  }
}

}  // namespace

void find_trust(const Plan& plan, FindingList& found) {
  find_mixed(plan, found);
  find_weakened(plan, found);
  find_fungible(plan, found);
}

}  // namespace carve

// The page of `carve status`: a card after the other, each with a header, its grid, a table of its partitions, a table
// of who holds them, and what the driver could not tell.
#include <algorithm>

#include "show/box.h"
#include "show/live.h"

namespace carve {

namespace {

// What no driver of this card can tell is a mark in a table; why stands below.
constexpr std::string_view unknown = "?";

template <class T>
std::string text_or_unknown(const Reading<T>& reading) {
  if (!reading) return std::string(unknown);
  if constexpr (std::is_same_v<T, std::string>)
    return printable(*reading);
  else if constexpr (std::is_same_v<T, Mib>)
    return to_string(*reading);
  else
    return fmt::format("{}", *reading);
}

// ------------------------------------------------------------------------------------------------------------ header

std::string mode_text(const LiveCard& card) {
  if (!card.mig) return card.mig.error().why == Absence::unsupported ? "no MIG" : "MIG mode not known";
  const char* now = card.mig->current ? "MIG on" : "MIG off";
  if (card.mig->current == card.mig->pending) return now;
  return fmt::format("{}, {} pending", now, card.mig->pending ? "on" : "off");
}

std::string_view compute_mode_text(const LiveCard& card) {
  if (!card.compute_mode) return "";
  switch (*card.compute_mode) {
    case ComputeMode::shared:
      return "";
    case ComputeMode::exclusive_thread:
      return "compute mode: one thread";
    case ComputeMode::prohibited:
      return "compute mode: prohibited";
    case ComputeMode::exclusive_process:
      return "compute mode: one process";
  }
  return "";
}

// Its UUID and other names, in as many lines as they need.
std::string names_of(const LiveCard& card, const Style& style) {
  std::vector<std::string> names{text_or_unknown(card.uuid)};
  if (const CardModel* model = catalog_model(card)) names.push_back(model->id);
  if (card.minor) names.push_back(fmt::format("/dev/nvidia{}", *card.minor));
  if (card.pci) names.push_back(printable(card.pci->bus_id));
  std::string text;
  int column = style.width;  // none is begun yet
  for (const std::string& name : names) {
    const bool fits = column + 2 + display_width(name) <= style.width;
    text += fits ? "  " : text.empty() ? "   " : "\n   ";
    column = (fits ? column + 2 : 3) + display_width(name);
    text += name;
  }
  return text + '\n';
}

std::string header(const LiveCard& card, const Style& style) {
  const std::string place = fmt::format("{}", card.index);
  if (card.lost) {
    return inked(place, Ink::bold, style) + "  " + inked("does not answer", Ink::red, style) + '\n' +
           paragraph("   ", printable(*card.lost), style);
  }
  const std::string name = card.name ? printable(*card.name) : "name not known";
  const std::string rest = "  " + name + "  " + mode_text(card);
  const std::string right = used_text(card.memory) + " in use";
  const int spare = style.width - display_width(place + rest) - display_width(right);
  std::string text = inked(place, Ink::bold, style) + rest;
  text += spare >= 2 ? repeated(" ", spare) + right + '\n' : "\n   " + right + '\n';
  text += names_of(card, style);
  if (const std::string_view mode = compute_mode_text(card); !mode.empty()) text += fmt::format("   {}\n", mode);
  if (const std::string waits = waits_for(card); !waits.empty())
    text +=
        paragraph("   pending: ", fmt::format("MIG {} waits for {}", card.mig->pending ? "on" : "off", waits), style);
  return text;
}

// ------------------------------------------------------------------------------------------------------------ tables

std::string partitions(const LiveCard& card, const Style& style) {
  Table table({{"partition"}, {"GI/CI"}, {"memory", Align::right}, {"MIG device", Align::left, 1}});
  for (const LiveGpuInstance& instance : *card.instances) {
    const std::string memory = used_text(instance.memory);
    if (!instance.compute || instance.compute->empty()) {
      const std::string lacks = instance.compute ? "no compute instance: nothing can run in it" : std::string(unknown);
      table.add({instance_text(instance), fmt::format("{}/-", instance.id.value), memory, lacks});
      continue;
    }
    for (const LiveComputeInstance& compute : *instance.compute) {
      std::string name = instance_text(instance);
      if (instance.compute->size() > 1)
        name += ", " + device_name(instance, compute).substr(0, device_name(instance, compute).find('.'));
      table.add(
          {name, fmt::format("{}/{}", instance.id.value, compute.id.value), memory, text_or_unknown(compute.uuid)});
    }
  }
  return table.empty() ? "" : table.render(style, grid_indent);
}

// As nvidia-smi writes it: "C", "C+G", "M+C" for a client of MPS.
std::string kind_text(const Occupant& occupant) {
  std::string text = occupant.mps ? "M+C" : occupant.compute ? "C" : "";
  if (occupant.graphics) text += text.empty() ? "G" : "+G";
  return text;
}

std::string place_text(const Occupant& occupant, const LiveCard& card) {
  if (!occupant.gpu_instance) return "card";
  if (card.instances)
    for (const LiveGpuInstance& instance : *card.instances)
      if (instance.id == *occupant.gpu_instance) return instance_text(instance);
  return fmt::format("GI {}", occupant.gpu_instance->value);
}

// The end of the path says most: the container, the pod, the job.
std::string cgroup_text(const std::string& path, const Style& style) {
  constexpr int most = 32;
  const std::string whole = printable(path);
  if (display_width(whole) <= most) return whole;
  const std::string last = whole.substr(whole.rfind('/') + 1);
  return (style.unicode ? "…/" : "~/") + shortened(last, most - 2, style);
}

std::string occupants(const LiveCard& card, const Style& style) {
  if (!card.occupants) return {};
  if (card.occupants->empty()) return "  nobody holds it\n";
  Table table({{"pid", Align::right},
               {"user"},
               {"type", Align::left, 3},
               {"memory", Align::right},
               {"in"},
               {"cgroup", Align::left, 2},
               {"command"}});
  for (const Occupant& occupant : *card.occupants) {
    const Reading<ProcessFacts>& process = occupant.process;
    table.add({fmt::format("{}", occupant.pid), process ? printable(process->user) : std::string(unknown),
               kind_text(occupant), text_or_unknown(occupant.memory), place_text(occupant, card),
               process ? cgroup_text(process->cgroup, style) : std::string(unknown),
               process ? shortened(printable(process->command), 64, style) : process.error().sentence});
  }
  return table.render(style, grid_indent);
}

std::string not_told(const LiveCard& card, const Style& style) {
  std::string text;
  for (const Untold& untold : untold_of(card))
    text +=
        paragraph("  not told: ", printable(fmt::format("{}: {}", untold.figure, untold.missing.sentence)), style, 4);
  return text;
}

std::string card_text(const LiveCard& card, const Style& style) {
  std::string text = header(card, style);
  if (card.lost) return text;
  if (card.is_cut() && card.instances) {
    text += live_grid(card, style);
    text += card.instances->empty() ? "  MIG is on and nothing is cut: no program can use the card\n"
                                    : partitions(card, style) + '\n';
  }
  return text + occupants(card, style) + not_told(card, style);
}

}  // namespace

std::string instance_text(const LiveGpuInstance& instance) {
  const std::string profile = printable(instance.profile.value_or("?"));
  return instance.placement ? fmt::format("{}@{}", profile, instance.placement->start)
                            : fmt::format("{}, GI {}", profile, instance.id.value);
}

std::string used_text(const Reading<MemoryUse>& memory) {
  if (!memory) return std::string(unknown);
  return fmt::format("{} of {} GiB", gib(memory->used), gib(memory->total));
}

std::string status_page(const Machine& machine, const Style& style) {
  std::string text = fmt::format("driver {}: {}\n", text_or_unknown(machine.driver),
                                 counted(static_cast<std::int64_t>(machine.cards.size()), "card"));
  if (!machine.driver) text += paragraph("  not told: ", printable(machine.driver.error().sentence), style);
  for (const LiveCard& card : machine.cards) text += '\n' + card_text(card, style);
  return text;
}

}  // namespace carve

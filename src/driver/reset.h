// What NVML cannot do: resetting cards, by nvidia-smi with fixed arguments. Whoever asks has closed its own handles.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/base.h"

namespace carve {

struct ResetTool {
  std::string program = "/usr/bin/nvidia-smi";  // an absolute path: never found by root's PATH
  std::string library_folder = {};              // where it shall find NVML; empty: where the system has it
  std::chrono::milliseconds limit{120'000};
};

// Why cards were not reset.
struct ResetRefusal {
  enum class Why : std::uint8_t {
    in_use,         // somebody has one of them open
    tied,           // NVSwitch ties it to cards that were not named
    not_supported,  // such a card is only reset by a reboot
    other,
  } why = Why::other;
  std::string said;  // what the program printed
};

// Resets the cards with these bus ids together. Nothing: done.
std::optional<ResetRefusal> reset_cards(const ResetTool&, const std::vector<std::string>& bus_ids);

}  // namespace carve

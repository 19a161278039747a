// The cards of a machine in the words of Slurm: generic resources ("gres") of a node.
//
// Slurm numbers the devices of a node, gives them to jobs by type, and knows each by its device files. It shares whole
// cards only, in one of two ways: `mps` counts percentages of threads, `shard` counts jobs. What it then does not
// enforce is said in the text. What was seen of Slurm is of 22.05.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "change/change.h"

namespace carve {

// What one job may get.
struct SlurmDevice {
  std::string type;                // "1g.10gb"; of a whole card its name as Slurm's own detection writes it
  std::string uuid;                // what CUDA_VISIBLE_DEVICES has to say
  std::string about;               // "card 0, 1g.10gb@4"
  std::vector<std::string> files;  // of a MIG device three: the card's, the GPU instance's, the compute instance's
  Mechanism mechanism = Mechanism::exclusive;
  std::int64_t jobs = 1;                  // that may hold it at the same time
  std::vector<std::string> tenants = {};  // whose it is where it is shared
};

// What jobs of a workload ask for.
struct SlurmRequest {
  std::string workload;
  std::string gres;             // "gpu:1g.10gb:1"
  std::int64_t jobs = 0;        // replicas on this node
  std::string left_to_the_job;  // what the plan has and Slurm does not see to; may be empty
};

struct SlurmNode {
  std::string name;
  std::vector<SlurmDevice> devices;    // by type: so Slurm numbers them, whichever of the two files it goes by
  std::vector<SlurmRequest> requests;  // by workload; none without a plan
  std::vector<std::string> left_out;   // cards, and why
};

// Device files are looked for below `root`; empty: the system's own.
struct SlurmPlace {
  std::string node;
  std::string root;
};

// The cards as they are, each device for one job.
// Errors: bad_input: the name is none of a node; environment: a card cannot be read, or a device file is missing.
Result<SlurmNode> slurm_node(const Machine&, const SlurmPlace&);

// The cards of a plan on this machine, which have to be as it wants them (plan_change() has no steps); other cards are
// left out. Errors: also bad_input: the plan shares a MIG device, shares cards of a node that has MIG devices, or
// shares some by MPS and some by time slicing: Slurm does not take it.
Result<SlurmNode> slurm_node(const Plan&, const std::vector<BoundCard>&, const Machine&, const SlurmPlace&);

std::string write_gres_conf(const SlurmNode&);
// GresTypes, and the counts of the node.
std::string write_slurm_conf(const SlurmNode&);
// A TaskProlog: a shell script by which jobs see their devices by UUID.
std::string write_slurm_prolog(const SlurmNode&);

}  // namespace carve

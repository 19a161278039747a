// The schemas of the catalog's files. README.md of this folder says the same in prose.
#include "schema.h"

namespace carve {

namespace {

constexpr auto needed = Presence::required;
constexpr auto optional = Presence::optional;

Shape source_keys() { return Shape::list_of(Shape::name(), {1, 20}); }
Shape confidence() { return Shape::choice({"high", "medium", "low"}); }
Shape slices() { return Shape::integer({1, 64}); }
Shape sms() { return Shape::integer({1, 1024}); }
Shape mebibytes() { return Shape::integer({1, 1 << 20}); }
Shape engine_count() { return Shape::integer({0, 64}); }

const Schema& pci_schema() {
  static const Schema schema{"a PCI id",
                             {{"id", needed, Shape::text(), "", "device id, as in 0x20B0"},
                              {"name", needed, Shape::text(), "", "what the source calls it"},
                              {"sources", needed, source_keys(), "", "keys of sources.yaml"},
                              {"confidence", needed, confidence(), "", "how sure it is"}}};
  return schema;
}

const Schema& card_memory_schema() {
  static const Schema schema{"the memory of a card",
                             {{"nominal_gb", optional, Shape::integer({1, 4096}), "", "the number on the box"},
                              {"total_mib", optional, mebibytes(), "", "what the driver reports for the whole card"},
                              {"sources", optional, source_keys(), "", "where total_mib is from"},
                              {"confidence", optional, confidence(), "", "how sure total_mib is"},
                              {"note", optional, Shape::text(), "", "what there is to say about it"}}};
  return schema;
}

const Schema& card_sms_schema() {
  static const Schema schema{"the SMs of a card",
                             {{"total", needed, sms(), "", "of the whole card without MIG"},
                              {"sources", needed, source_keys(), "", "keys of sources.yaml"},
                              {"confidence", needed, confidence(), "", "how sure it is"}}};
  return schema;
}

const Schema& mig_schema() {
  static const Schema schema{
      "the MIG limits of a card",
      {{"compute_slices", needed, slices(), "", "what instances can take together"},
       {"memory_slices", optional, slices(), "", "units of the placement grid"},
       {"max_instances", needed, slices(), "", "GPU instances on one card"},
       {"mode_change", needed, Shape::choice({"needs-reset", "without-reset"}), "", "of turning MIG on or off"},
       {"grid", needed, Shape::choice({"observed", "inferred", "unknown"}), "", "how the grid is known"},
       {"enum_sources", needed, source_keys(), "", "where the enum of the profiles comes from"}}};
  return schema;
}

const Schema& profile_memory_schema() {
  static const Schema schema{"the memory of a profile",
                             {{"shown_gib", needed, Shape::text(), "", "as a listing prints it"},
                              {"mib", needed, mebibytes(), "", "the same on the grid of 64 MiB"}}};
  return schema;
}

const Schema& engines_schema() {
  static const Schema schema{"the engines of a profile",
                             {{"copy", optional, engine_count(), "", "copy engines"},
                              {"decoder", optional, engine_count(), "", "video decoders"},
                              {"encoder", optional, engine_count(), "", "video encoders"},
                              {"jpeg", optional, engine_count(), "", "JPEG decoders"},
                              {"ofa", optional, engine_count(), "", "optical flow accelerators"}}};
  return schema;
}

const Schema& placements_schema() {
  static const Schema schema{
      "the placements of a profile",
      {{"size", needed, slices(), "", "units that an instance takes"},
       {"starts", needed, Shape::list_of(Shape::integer({0, 63}), {1, 64}), "", "where it may begin"},
       {"evidence", needed, Shape::choice({"observed", "inferred"}), "", "how they are known"},
       {"sources", needed, source_keys(), "", "keys of sources.yaml"},
       {"confidence", optional, confidence(), "", "how sure they are, if observed"}}};
  return schema;
}

const Schema& profile_schema() {
  static const Schema schema{
      "a profile",
      {{"name", needed, Shape::text(), "", "as the driver's tools print it"},
       {"enum", needed, Shape::integer({0, 64}), "", "argument of nvmlDeviceGetGpuInstanceProfileInfo"},
       {"id", optional, Shape::integer({0, 1024}), "", "what nvidia-smi shows and the create calls take"},
       {"compute_slices", needed, slices(), "", "compute slices"},
       {"memory_slices", optional, slices(), "", "units of the placement grid"},
       {"memory", optional, Shape::object(profile_memory_schema()), "", "usable memory"},
       {"sms", optional, sms(), "", "streaming multiprocessors"},
       {"max_instances", needed, slices(), "", "of this profile on one card"},
       {"engines", optional, Shape::object(engines_schema()), "", "engines besides the SMs"},
       {"p2p", optional, Shape::choice({"shown-yes", "shown-no"}), "", "the P2P column of a listing"},
       {"placements", optional, Shape::object(placements_schema()), "", "where it may lie on the grid"},
       {"sources", needed, source_keys(), "", "where the figures are from"},
       {"confidence", needed, confidence(), "", "how sure the figures are"},
       {"note", optional, Shape::text(), "", "what there is to say about it"}}};
  return schema;
}

const Schema& model_schema() {
  static const Schema schema{
      "a card model",
      {{"id", needed, Shape::name(), "", "how carve names the board"},
       {"products", needed, Shape::list_of(Shape::text(), {1, 20}), "", "names as nvidia-smi prints them"},
       {"architecture", needed, Shape::text(), "", "NVIDIA's name of the generation"},
       {"chip", optional, Shape::text(), "", "GA100"},
       {"compute_capability", optional, Shape::text(), "", "\"8.0\""},
       {"sources", needed, source_keys(), "", "of the lines above and of max_instances"},
       {"confidence", needed, confidence(), "", "how sure they are"},
       {"pci", optional, Shape::list_of(Shape::object(pci_schema()), {1, 20}), "", "PCI device ids"},
       {"memory", optional, Shape::object(card_memory_schema()), "", "memory of the whole card"},
       {"sms", optional, Shape::object(card_sms_schema()), "", "SMs of the whole card"},
       {"mig", optional, Shape::object(mig_schema()), "", "missing if the card has no MIG"},
       {"notes", optional, Shape::list_of(Shape::text(), {1, 20}), "", "what there is to say about the board"},
       {"profiles", optional, Shape::list_of(Shape::object(profile_schema()), {1, 40}), "", "by slices"}}};
  return schema;
}

}  // namespace

const Schema& catalog_file_schema() {
  static const Schema schema{
      "a file of the catalog",
      {{"models", needed, Shape::list_of(Shape::object(model_schema()), {1, 40}), "", "the boards of one family"}}};
  return schema;
}

const Schema& sources_file_schema() {
  static const Schema schema{
      "the sources", {{"sources", needed, Shape::map_of(Shape::text(), {1, 500}), "", "a citation for each key"}}};
  return schema;
}

}  // namespace carve

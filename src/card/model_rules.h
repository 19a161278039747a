// What a model must be like that does not come from the catalog. Inside this room only.
#pragma once

#include <string>

#include "card/card.h"

namespace carve {

// What is wrong with the figures of the model, as a sentence; empty if all is well. After that every use of the model
// is safe and its geometry can be enumerated.
std::string wrong_figures(const CardModel&);

}  // namespace carve

// change: from the machine as it is to the layouts that are wanted, disturbing nobody who need not be.
//
//   Target, bind_plan()       which card shall be cut into what (target.h)
//   Change, plan_change()     the steps of each card, whom they disturb, and what forbids them (steps.h)
//   Journal                   what was intended and what was done, on disk before it is done (journal.h)
//   apply_change()            does it, reads back, and takes back what failed (apply.h)
//   Occupants                 who holds a partition, and how it is drained (occupants.h)
#pragma once

#include "change/apply.h"
#include "change/journal.h"
#include "change/occupants.h"
#include "change/steps.h"
#include "change/target.h"

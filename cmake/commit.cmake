# cmake -D SOURCE=... -D OUTPUT=... -P commit.cmake: writes OUTPUT, a C++ file that says which commit SOURCE is, and
# OUTPUT.d, the files of git whose change may change the answer.
#
# A clone asks git; the files that the program is made of may differ from the commit, which is then "modified". In what
# `git archive` wrote, archived-commit.txt has the commit instead of its placeholder. Anything else is "unknown". OUTPUT
# is only touched when it changes, so that nothing is compiled again without need.
cmake_minimum_required(VERSION 3.25)

set(built_of src catalog cmake CMakeLists.txt)

# git(VARIABLE ARGUMENT...): what git prints, or nothing. It locks nothing, for it is not the only one that looks; and
# it may look into a tree of another user: whoever builds as root what a user cloned.
function(git variable)
  execute_process(
    COMMAND git --no-optional-locks -c safe.directory=* -C ${SOURCE} ${ARGN}
    OUTPUT_VARIABLE answer
    ERROR_QUIET
    RESULT_VARIABLE ended
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT ended EQUAL 0)
    set(answer "")
  endif()
  set(${variable} "${answer}" PARENT_SCOPE)
endfunction()

set(commit "")
set(state unknown)
set(inputs "")
file(REAL_PATH ${SOURCE} source)
git(top rev-parse --show-toplevel)
file(READ ${CMAKE_CURRENT_LIST_DIR}/archived-commit.txt archived)
string(STRIP "${archived}" archived)
if(top AND top STREQUAL source)  # and not an unpacked archive below somebody else's clone
  git(commit rev-parse --verify HEAD)
  git(changes status --porcelain -- ${built_of})
  if(NOT commit)
    set(state unknown)  # nothing is committed yet
  elseif(changes)
    set(state modified)
  else()
    set(state clean)
  endif()
  git(inputs rev-parse --path-format=absolute --git-path HEAD --git-path logs/HEAD)
  string(REPLACE "\n" " " inputs "${inputs}")
elseif(archived MATCHES "^[0-9a-f]+$")
  set(commit ${archived})
  set(state archive)
endif()

set(text "// Written by cmake/commit.cmake.
#include \"cli/built_from.h\"

namespace carve {

const SourceTree built_source{\"${commit}\", SourceState::${state}};

}  // namespace carve
")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
file(WRITE ${OUTPUT}.d "${OUTPUT}: ${inputs}\n")

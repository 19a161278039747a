# What `carve --version` says: built_from.cc is written when CMake configures, commit.cc when the program is built, and
# only if a source or the commit changed since.

# carve_built_from(ROOM): adds both to a room.
function(carve_built_from room)
  set(compiler ${CMAKE_CXX_COMPILER_ID})
  if(compiler STREQUAL GNU)
    set(compiler g++)
  elseif(compiler STREQUAL Clang)
    set(compiler clang++)
  endif()
  set(build ${CMAKE_BUILD_TYPE})
  if(CARVE_SANITIZE)
    string(APPEND build ", sanitizers ${CARVE_SANITIZE}")
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR})
  configure_file(${CMAKE_SOURCE_DIR}/cmake/built_from.cc.in ${folder}/built_from.cc @ONLY)

  set(top ${CMAKE_SOURCE_DIR})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${top}/src/* ${top}/catalog/* ${top}/cmake/*)
  add_custom_command(
    OUTPUT ${folder}/commit.cc
    COMMAND ${CMAKE_COMMAND} -D SOURCE=${top} -D OUTPUT=${folder}/commit.cc -P ${top}/cmake/commit.cmake
    DEPENDS ${sources} ${top}/CMakeLists.txt
    DEPFILE ${folder}/commit.cc.d
    COMMENT "Looking up the commit"
    VERBATIM)
  target_sources(${room} PRIVATE ${folder}/built_from.cc ${folder}/commit.cc)
endfunction()

// The reference for people is the schema that the reader works by.
#include <gmock/gmock.h>

#include "base/base.h"
#include "workload/workload.h"

namespace carve {
namespace {

TEST(WorkloadFile, IsDocumentedByItsSchema) {
  const Result<std::string> text = read_file(CARVE_SOURCE_DIR "/docs/workload-file.md", 1 << 20);
  ASSERT_TRUE(text.has_value()) << text.error().message;
  EXPECT_THAT(*text, testing::HasSubstr(describe_workload_file())) << describe_workload_file();
}

}  // namespace
}  // namespace carve

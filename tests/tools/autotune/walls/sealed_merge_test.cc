// The tree that is built: the merge, with the tip's copy of what the attempt
// may not change.

#include "tools/autotune/walls/sealed_merge.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"
#include "tests/tools/autotune/autotune_fixture.h"
#include "tools/git/integration.h"

namespace autotune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LayTipOverTest : public AutotuneFixture {
 protected:
  void SetUp() override {
    Write("src/CMakeLists.txt", "add_library(code code.cc)\n");
    Write("bench/run.sh", "exit 0\n");
    Git({"add", "-A"});
    Git({"commit", "-q", "-m", "more"});
    auto opened = Repository::Open(*processes_, files(), repository());
    ASSERT_OK(opened);
    opened_.emplace(*std::move(opened));
    tip_ = *opened_->TreeOf("main");
  }

  // The tip's tree with `edits`, then with the tip laid over.
  SealedTree LayOver(const std::vector<TreeEdit>& edits) {
    const auto merged = WriteTree(*opened_, tip_, edits);
    EXPECT_OK(merged);
    const auto sealed = LayTipOver(*opened_, scope_, tip_, *merged);
    EXPECT_OK(sealed);
    return sealed.ok() ? *sealed : SealedTree();
  }

  // What of the tree differs from the tip's, as `git diff-tree` says it.
  std::string Difference(const SealedTree& sealed) {
    return Git({"diff-tree", "-r", "--no-renames", "--name-status", tip_,
                sealed.tree});
  }

  Scope scope_ = {{"src/**"}, {"bench/**", "**/CMakeLists.txt"}, ""};
  std::string tip_;

 private:
  std::unique_ptr<ProcessRunner> processes_ = MakePosixProcessRunner();
  std::optional<Repository> opened_;
};

TEST_F(LayTipOverTest, LeavesATreeInsideTheScopeAsItIs) {
  const SealedTree sealed = LayOver({{"src/knob.txt", "1\n"},
                                     {"src/new.cc", "int x;\n"},
                                     {"src/code.cc", std::nullopt}});
  EXPECT_THAT(sealed.taken_back, IsEmpty());
  EXPECT_EQ(Difference(sealed),
            "D\tsrc/code.cc\nM\tsrc/knob.txt\nA\tsrc/new.cc\n");
}

TEST_F(LayTipOverTest, PutsBackAChangedFile) {
  const SealedTree sealed =
      LayOver({{"bench/bench.txt", "easy\n"}, {"src/knob.txt", "1\n"}});
  EXPECT_THAT(sealed.taken_back,
              ElementsAre("bench/bench.txt: sealed by \"bench/**\""));
  EXPECT_EQ(Difference(sealed), "M\tsrc/knob.txt\n");
}

TEST_F(LayTipOverTest, PutsBackADeletedFile) {
  const SealedTree sealed = LayOver(
      {{"bench/bench.txt", std::nullopt}, {"bench/run.sh", std::nullopt}});
  EXPECT_EQ(sealed.taken_back.size(), 2u);
  EXPECT_EQ(sealed.tree, tip_);
}

TEST_F(LayTipOverTest, RemovesAnAddedFileThatASealMatches) {
  const SealedTree sealed = LayOver(
      {{"bench/more/new.txt", "x\n"}, {"src/sub/CMakeLists.txt", "x\n"}});
  EXPECT_EQ(sealed.taken_back.size(), 2u);
  EXPECT_EQ(sealed.tree, tip_);
}

TEST_F(LayTipOverTest, PutsBackModeAndKind) {
  const SealedTree executable =
      LayOver({{"bench/run.sh", "exit 0\n", "100755"}});
  EXPECT_EQ(executable.taken_back.size(), 1u);
  EXPECT_EQ(executable.tree, tip_);
  const SealedTree link = LayOver({{"bench/run.sh", "/bin/true", "120000"}});
  EXPECT_THAT(link.taken_back,
              ElementsAre(HasSubstr("bench/run.sh: a symlink")));
  EXPECT_EQ(link.tree, tip_);
}

TEST_F(LayTipOverTest,
       PutsBackFilesThatBecameAFolderAndFoldersThatBecameFiles) {
  scope_.edit = {"**"};
  const SealedTree file = LayOver({{"bench/bench.txt", std::nullopt},
                                   {"bench/run.sh", std::nullopt},
                                   {"bench", "a file now\n"}});
  EXPECT_EQ(file.tree, tip_);
  scope_.sealed = {"src/code.cc"};
  const SealedTree folder = LayOver({{"src/code.cc", std::nullopt},
                                     {"src/code.cc/inner.cc", "int x;\n"},
                                     {"src/knob.txt", "1\n"}});
  EXPECT_EQ(Difference(folder), "M\tsrc/knob.txt\n");
}

TEST_F(LayTipOverTest, TakesBackWhatNoScopeCanAllow) {
  scope_ = {{"**"}, {}, ""};
  const SealedTree sealed = LayOver({{"src/.gitattributes", "* -text\n"},
                                     {".gitmodules", "[x]\n"},
                                     {"src/link", "../..", "120000"}});
  EXPECT_EQ(sealed.taken_back.size(), 3u);
  EXPECT_EQ(sealed.tree, tip_);
}

TEST_F(LayTipOverTest, TakesBackWhatIsOutsideTheScope) {
  const SealedTree sealed = LayOver({{"settings.ini", "fast=1\n"}});
  EXPECT_THAT(sealed.taken_back,
              ElementsAre("settings.ini: outside scope.edit"));
  EXPECT_EQ(sealed.tree, tip_);
}

TEST_F(LayTipOverTest, KeepsAnEditOfASourceListAndNothingElseOfABuildFile) {
  const SealedTree list =
      LayOver({{"src/CMakeLists.txt", "add_library(code code.cc new.cc)\n"}});
  EXPECT_THAT(list.taken_back, IsEmpty());
  EXPECT_EQ(Difference(list), "M\tsrc/CMakeLists.txt\n");
  const SealedTree flag = LayOver(
      {{"src/CMakeLists.txt", "add_library(code code.cc)\nset(O 3)\n"}});
  EXPECT_EQ(flag.taken_back.size(), 1u);
  EXPECT_EQ(flag.tree, tip_);
}

}  // namespace
}  // namespace autotune

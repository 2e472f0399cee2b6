// What a task kept, as commits that can be reviewed.
//
// The working branch holds merges, reverts and ledger commits. Each keep's
// change is the difference its merge made to the branch's own line, so it is
// picked as a three-way merge of trees, without a worktree; the ledger's folder
// takes no part. The trees are compared with the tip's in the end, so a chain
// that lost or gained something is never handed out.

#include "tools/autotune/verbs/harvest_branch.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/number_text.h"
#include "base/status_macros.h"
#include "tools/autotune/task/code_tree.h"
#include "tools/autotune/task/progress.h"
#include "tools/autotune/task/prompt.h"
#include "tools/git/integration.h"
#include "tools/git/names.h"
#include "tools/git/tree_merge.h"
#include "tools/program/verb_result.h"

namespace autotune {
namespace {

// One commit of the chain: its code and how it is committed.
struct Link {
  std::string code_before;
  std::string code;
  std::string message;
  CommitInfo author;
};

std::string RangeText(const HarvestedKeep& keep) {
  if (!keep.ratio.has_value()) return "not measured";
  std::string text = SignedPercentText(*keep.ratio - 1.0);
  if (keep.ratio_low.has_value() && keep.ratio_high.has_value()) {
    absl::StrAppend(&text, " [", SignedPercentText(*keep.ratio_low - 1.0), ", ",
                    SignedPercentText(*keep.ratio_high - 1.0), "]");
  }
  return text;
}

std::string CommitMessage(const TaskState& state, const HarvestedKeep& keep) {
  return absl::StrCat(
      keep.entry.approach, ": ",
      keep.hypothesis.empty() ? "a kept change" : OneLine(keep.hypothesis, 60),
      "\n\n", keep.hypothesis,
      "\n\nMeasured against the code before it: ", RangeText(keep),
      " (claimed).\n\nAutotune-Task: ", state.task.id,
      "\nAutotune-Attempt: ", keep.entry.attempt_commit, "\n");
}

absl::Status DoesNotApply(const HarvestedKeep& keep,
                          const std::vector<std::string>& files) {
  return WithHint(absl::FailedPreconditionError(
                      absl::StrCat("keep ", keep.entry.approach,
                                   " does not apply to the keeps before it: ",
                                   absl::StrJoin(files, ", "))),
                  {"a keep that it builds on was taken out; take it out too: ",
                   Autotune({"revert", keep.entry.approach})});
}

absl::StatusOr<std::vector<Link>> ChainOf(
    const Repository& repository, const TaskState& state,
    const std::vector<HarvestedKeep>& keeps) {
  ASSIGN_OR_RETURN(std::string code, CodeTree(repository, state.settings.base));
  std::vector<Link> chain;
  for (const HarvestedKeep& keep : keeps) {
    ASSIGN_OR_RETURN(const std::string before,
                     CodeTree(repository, keep.entry.mainline));
    ASSIGN_OR_RETURN(const std::string after,
                     CodeTree(repository, keep.entry.merge));
    ASSIGN_OR_RETURN(const TreeMerge merge,
                     MergeTreesOver(repository, before, code, after));
    if (!merge.clean()) return DoesNotApply(keep, merge.conflicts);
    ASSIGN_OR_RETURN(const std::vector<CommitInfo> author,
                     repository.History({"-1", keep.entry.attempt_commit}));
    chain.push_back(
        {code, merge.tree, CommitMessage(state, keep), author.front()});
    code = merge.tree;
  }
  return chain;
}

// Commits the chain's changes on `onto`. The conflicting files, and no commit,
// when one does not apply there.
absl::StatusOr<std::string> Commit(const Repository& repository,
                                   const std::vector<Link>& chain,
                                   const std::string& onto,
                                   std::vector<std::string>& conflicts) {
  ASSIGN_OR_RETURN(std::string code, CodeTree(repository, onto));
  std::string parent = onto;
  for (const Link& link : chain) {
    ASSIGN_OR_RETURN(
        const TreeMerge merge,
        MergeTreesOver(repository, link.code_before, code, link.code));
    if (!merge.clean()) {
      conflicts = merge.conflicts;
      return std::string();
    }
    code = merge.tree;
    ASSIGN_OR_RETURN(const std::string tree,
                     WithLedgerOf(repository, code, onto));
    ASSIGN_OR_RETURN(parent, CommitTree(repository, tree, {parent},
                                        link.message, link.author));
  }
  return parent;
}

absl::Status CheckIsTip(const Repository& repository, const TaskState& state,
                        const std::string& code) {
  ASSIGN_OR_RETURN(const std::string tip, CodeTree(repository, state.tip));
  if (code == tip) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::vector<TreeChange> changes,
                   repository.DiffTrees(code, tip));
  std::vector<std::string> files;
  for (const TreeChange& change : changes) files.push_back(change.path);
  return WithHint(
      absl::FailedPreconditionError(
          absl::StrCat("the keeps do not add up to the tip; it differs in ",
                       absl::StrJoin(files, ", "))),
      "the working branch holds commits that are no attempts: review it as it "
      "is, or adopt them");
}

// The harvest branch that has the code of `commit` on `onto` already, and the
// number of the next one.
struct Existing {
  std::optional<std::pair<std::string, std::string>> branch;
  int next = 1;
};

absl::StatusOr<Existing> FindExisting(const Repository& repository,
                                      const TaskState& state,
                                      const std::string& commit,
                                      const std::string& onto) {
  Existing existing;
  const std::string prefix =
      absl::StrCat("refs/heads/", HarvestPrefix(state.task.id));
  ASSIGN_OR_RETURN(const std::string tree, repository.TreeOf(commit));
  ASSIGN_OR_RETURN(const auto refs,
                   repository.ListRefs("refs/heads/autotune-harvest/"));
  for (const auto& [ref, head] : refs) {
    int number = 0;
    if (!absl::StartsWith(ref, prefix) ||
        !absl::SimpleAtoi(ref.substr(prefix.size()), &number)) {
      continue;
    }
    existing.next = std::max(existing.next, number + 1);
    ASSIGN_OR_RETURN(const std::string other, repository.TreeOf(head));
    ASSIGN_OR_RETURN(const bool on_it, repository.IsAncestor(onto, head));
    if (other == tree && on_it) {
      existing.branch = {ref.substr(std::string("refs/heads/").size()), head};
    }
  }
  return existing;
}

absl::StatusOr<std::string> HypothesisFor(const Repository& repository,
                                          const TaskState& state,
                                          const std::string& approach) {
  ASSIGN_OR_RETURN(const std::string prompt,
                   ReadTaskFile(repository, state.task, state.tip,
                                approach + "/prompts.md"));
  return HypothesisOf(prompt);
}

}  // namespace

absl::StatusOr<std::vector<HarvestedKeep>> HarvestedKeeps(
    const Repository& repository, const TaskState& state) {
  ASSIGN_OR_RETURN(const auto history,
                   ReadHistory(repository, state.settings.base, state.tip));
  std::vector<HarvestedKeep> keeps;
  for (const HistoryEntry& entry : history) {
    if (!IsKept(entry)) continue;
    HarvestedKeep& keep = keeps.emplace_back();
    keep.entry = entry;
    ASSIGN_OR_RETURN(keep.hypothesis,
                     HypothesisFor(repository, state, entry.approach));
    for (const MetricRow& row : state.ledger.rows) {
      if (row.commit != entry.attempt_commit ||
          row.status != AttemptStatus::kKeep)
        continue;
      keep.ratio = NumberOf(row, "ratio");
      keep.ratio_low = NumberOf(row, "ratio_low");
      keep.ratio_high = NumberOf(row, "ratio_high");
    }
    ASSIGN_OR_RETURN(const std::vector<TreeChange> changes,
                     repository.DiffTrees(entry.mainline, entry.merge));
    for (const TreeChange& change : changes) {
      if (!absl::StartsWith(change.path, "docs/autotune/")) {
        keep.files.push_back(change.path);
      }
    }
  }
  return keeps;
}

std::vector<std::vector<HarvestedKeep>> FileDisjointGroups(
    const std::vector<HarvestedKeep>& keeps) {
  // group[i] is the least index of a keep that i is joined to.
  std::vector<std::size_t> group(keeps.size());
  std::map<std::string, std::size_t> owner;
  for (std::size_t i = 0; i < keeps.size(); ++i) {
    group[i] = i;
    for (const std::string& file : keeps[i].files) {
      const auto [found, fresh] = owner.emplace(file, i);
      if (fresh) continue;
      const std::size_t from = std::max(group[i], group[found->second]);
      const std::size_t to = std::min(group[i], group[found->second]);
      std::replace(group.begin(), group.begin() + static_cast<long>(i) + 1,
                   from, to);
    }
  }
  std::map<std::size_t, std::vector<HarvestedKeep>> groups;
  for (std::size_t i = 0; i < keeps.size(); ++i) {
    groups[group[i]].push_back(keeps[i]);
  }
  std::vector<std::vector<HarvestedKeep>> result;
  for (auto& [least, members] : groups) result.push_back(std::move(members));
  return result;
}

absl::StatusOr<HarvestBranch> MakeHarvestBranch(
    const Repository& repository, const TaskState& state,
    const std::vector<HarvestedKeep>& keeps, bool whole) {
  HarvestBranch branch;
  branch.keeps = keeps;
  branch.onto = state.settings.base;
  if (keeps.empty()) return branch;
  ASSIGN_OR_RETURN(const std::vector<Link> chain,
                   ChainOf(repository, state, keeps));
  if (whole) {
    RETURN_IF_ERROR(CheckIsTip(repository, state, chain.back().code));
  }
  std::optional<std::string> start;
  if (!state.settings.start_branch.empty()) {
    ASSIGN_OR_RETURN(start, repository.ResolveCommit(
                                "refs/heads/" + state.settings.start_branch));
  }
  if (start.has_value() && *start != branch.onto) {
    ASSIGN_OR_RETURN(branch.commit,
                     Commit(repository, chain, *start, branch.conflicts));
    if (!branch.commit.empty()) branch.onto = *start;
  }
  if (branch.commit.empty()) {
    std::vector<std::string> none;
    ASSIGN_OR_RETURN(branch.commit,
                     Commit(repository, chain, branch.onto, none));
  }
  ASSIGN_OR_RETURN(const Existing existing,
                   FindExisting(repository, state, branch.commit, branch.onto));
  if (existing.branch.has_value()) {
    std::tie(branch.name, branch.commit) = *existing.branch;
    return branch;
  }
  branch.name = absl::StrCat(HarvestPrefix(state.task.id), existing.next);
  RETURN_IF_ERROR(
      CreateRef(repository, "refs/heads/" + branch.name, branch.commit));
  branch.made = true;
  return branch;
}

std::string PullRequestText(const TaskState& state,
                            const std::vector<HistoryEntry>& history,
                            const std::vector<HarvestedKeep>& keeps,
                            const std::string& measured) {
  std::string text = absl::StrCat("# ", state.settings.name,
                                  ": faster by measured changes\n\n", measured,
                                  "\n\n## What changes\n\n");
  for (const HarvestedKeep& keep : keeps) {
    absl::StrAppend(&text, "- **", keep.entry.approach, "**, ", RangeText(keep),
                    " (claimed): ", OneLine(keep.hypothesis, 200), "\n");
  }
  absl::StrAppend(
      &text,
      "\n## How it was measured\n\nStart and tip were run in interleaved "
      "rounds "
      "in random order, with a number of rounds that was fixed before. Each "
      "change was tested against the code of its moment by a sequential test. "
      "What a kept change claims is selected and flatters; the number above is "
      "measured afresh. Every visit is in `",
      state.task.folder(), "/` on `", state.task.branch(), "`.\n");
  std::string tried;
  for (const HistoryEntry& entry : history) {
    if (entry.ledger.empty() || IsKept(entry)) continue;
    absl::StrAppend(&tried, "- ", entry.approach, ": ", DecisionText(entry),
                    ", ", OneLine(entry.reason, 200), "\n");
  }
  if (!tried.empty()) {
    absl::StrAppend(&text, "\n## Tried and not kept\n\n", tried);
  }
  return text;
}

}  // namespace autotune

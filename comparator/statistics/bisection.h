#ifndef AUTOTUNE_COMPARATOR_STATISTICS_BISECTION_H_
#define AUTOTUNE_COMPARATOR_STATISTICS_BISECTION_H_

#include <cstddef>
#include <optional>
#include <vector>

namespace autotune {

// A search for the first bad one of the commits 1, ..., n, where 0 is known to
// be good and n to be bad, by measurements that may be wrong: all from the
// first bad one on are bad, all before it good.
//
// Measuring a commit gives two e-values: one that grows if it is bad, one that
// grows if it is good. Each step has an error of its own, and proves what one
// of them shows by reaching 1 / error: a commit is good or bad, so a step
// claims what is false with probability at most its error, whenever it stops
// (Ville's inequality). The errors of all steps add up to less than that of the
// search: the step after which s = ceil(log2(plausible commits)) are expected,
// itself among them, takes 1 / (s + 1) of what is left. So the commits that
// stay plausible hold the first bad one with probability at least 1 - error,
// however the steps are chosen and however many there are.
//
// Chosen is the commit that parts the weights of the plausible ones best. A
// step that proved nothing still shifts them: commits at which the change would
// explain its e-values count more. Source: Horstein (1963), IEEE Trans. Inf.
// Theory 9(3), 136-143, for choosing by the weights; Ramdas, Gruenwald, Vovk &
// Shafer (2023), Stat. Sci. 38(4), 576-601, for e-values at any stopping time.
class Bisection {
 public:
  // A commit to measure, in [1, n - 1], and the error of what that may claim.
  struct Step {
    std::size_t commit = 0;
    double error = 0.0;
  };

  // `size` is n >= 1, `error` in (0, 1).
  Bisection(std::size_t size, double error);

  // The next step. Nothing when one commit is left, or nothing parts them that
  // was not measured or excluded.
  std::optional<Step> Next() const;

  // What measuring came to, natural logarithms, finite.
  void Set(const Step& step, double log_e_bad, double log_e_good);

  // That a commit, in [1, n - 1], is bad or good for certain.
  void Know(std::size_t commit, bool is_bad);

  // That a commit, in [1, n - 1], cannot be measured.
  void Exclude(std::size_t commit);

  // The commits that may be the first bad one, ascending, one at least.
  std::vector<std::size_t> Plausible() const;

 private:
  double error_left_;
  std::size_t first_ = 1;  // the plausible ones
  std::size_t last_;
  std::vector<bool> excluded_;    // by commit
  std::vector<double> log_odds_;  // of bad, where a step proved nothing
};

}  // namespace autotune

#endif  // AUTOTUNE_COMPARATOR_STATISTICS_BISECTION_H_

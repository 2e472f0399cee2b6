#!/usr/bin/env python3
"""Mann-Whitney reference values from SciPy: mann_whitney_scipy.py > mann_whitney_scipy.csv

Exact p-values given ties come from scipy.stats.permutation_test over all
splits, an implementation that shares nothing with ours; the others from
scipy.stats.mannwhitneyu.
"""
import numpy as np
import scipy
from scipy import stats


def u_statistic(x, y, axis=-1):
    x, y = np.expand_dims(x, -1), np.expand_dims(y, -2)
    return (np.sum(x > y, axis=(-1, -2)) + np.sum(x == y, axis=(-1, -2)) / 2.0)


def p_values(x, y, method):
    sides = ("greater", "less", "two-sided")
    if method == "exact given ties":
        return [stats.permutation_test((x, y), u_statistic, vectorized=True,
                                       n_resamples=np.inf, alternative=side,
                                       axis=-1).pvalue for side in sides]
    how = {"exact": "exact", "normal approximation": "asymptotic"}[method]
    return [stats.mannwhitneyu(x, y, alternative=side, method=how).pvalue
            for side in sides]


def main():
    rng = np.random.default_rng(7)
    cases = [
        ("males v females", [19, 22, 16, 29, 24], [20, 11, 17, 12], "exact"),
        ("6 v 9", rng.normal(1, 1, 6).round(6), rng.normal(0, 1, 9).round(6), "exact"),
        ("30 v 20", rng.normal(.4, 1, 30).round(6), rng.normal(0, 1, 20).round(6), "exact"),
        ("whole 5 v 6", rng.integers(0, 4, 5), rng.integers(1, 5, 6), "exact given ties"),
        ("whole 7 v 4", rng.integers(0, 6, 7), rng.integers(0, 3, 4), "exact given ties"),
        ("whole 6 v 6", rng.integers(0, 2, 6), rng.integers(0, 2, 6), "exact given ties"),
        ("70 v 50", rng.normal(.2, 1, 70).round(6), rng.normal(0, 1, 50).round(6),
         "normal approximation"),
        ("rounded 31 v 90", rng.normal(.2, 1, 31).round(1), rng.normal(0, 1, 90).round(1),
         "normal approximation"),
    ]
    print("# SciPy %s: mann_whitney_scipy.py" % scipy.__version__)
    print("name,baseline,contender,u,method,p_contender_lower,"
          "p_contender_higher,p_two_sided")
    for name, x, y, method in cases:
        x, y = np.asarray(x, float), np.asarray(y, float)
        lists = [" ".join(repr(float(v)) for v in side) for side in (x, y)]
        numbers = [float(u_statistic(x, y))] + [float(p) for p in p_values(x, y, method)]
        print(",".join([name, *lists, repr(numbers[0]), method,
                        *map(repr, numbers[1:])]))


if __name__ == "__main__":
    main()

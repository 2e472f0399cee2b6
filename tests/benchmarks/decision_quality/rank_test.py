"""Mann-Whitney's U test, as the usual comparison of two benchmark runs uses."""
import functools
import math


@functools.lru_cache(maxsize=None)
def _ways(m, n, u):
    """Orders of m and n values in which exactly u pairs are the wrong way."""
    if u < 0 or u > m * n:
        return 0
    if m == 0 or n == 0:
        return 1 if u == 0 else 0
    return _ways(m - 1, n, u - n) + _ways(m, n - 1, u)


def u_test_p(left, right):
    """Two-sided p-value: exact without ties, else the normal approximation
    with tie and continuity corrections.

    Source: Mann & Whitney (1947), Ann. Math. Stat. 18(1), 50-60.
    """
    m, n = len(left), len(right)
    u = sum((a < b) + (a == b) / 2 for a in left for b in right)
    both = sorted(left + right)
    if len(set(both)) == len(both):
        smaller = int(min(u, m * n - u))
        tail = sum(_ways(m, n, i) for i in range(smaller + 1))
        return min(1.0, 2 * tail / math.comb(m + n, m))
    ties = sum(both.count(value) ** 3 - both.count(value)
               for value in set(both))
    total = m + n
    variance = m * n / 12 * (total + 1 - ties / (total * (total - 1)))
    if variance == 0:
        return 1.0
    z = max(0.0, abs(u - m * n / 2) - 0.5) / math.sqrt(variance)
    return math.erfc(z / math.sqrt(2))

#!/usr/bin/env python3
"""Slow, plain model of the sequential keep/discard test and its guards.

`sequential_model.py test > sequential_test.csv` and
`sequential_model.py guard > sequential_guard.csv` print, round by round, what
comparator/sequential_test and comparator/sequential_guard must give. Medians
are taken afresh each round and intervals by 200 bisections, so that nothing is
shared with the C++ but the formulas of docs/statistics.md.

The first five cases of `test` (floor 0) take the seeds and log-ratios of the
method's first reference model, which had the scale factor 2 and stakes of 0.5
to 0.98: with these three numbers put back, this model gives its results.
"""
import math
import platform
import random
import statistics
import sys


def next_scale(past, margin, spreads):
    """`spreads`: of the earlier rounds and, last, of the next; 0: not known."""
    count, noise = len(past), 0.0
    if count < 2:
        count = 0
    else:
        centre = statistics.median(past)
        noise = 1.4826 * statistics.median([abs(y - centre) for y in past])
    seen = count * noise ** 2
    if spreads[-1] == 0.0:
        blended = math.sqrt((seen + margin ** 2) / (count + 1))
        return 1.7 * max(blended, 0.2 * margin)
    typical = statistics.median([w for w in spreads if w > 0.0])
    blended = math.sqrt((seen + 2.0 * (1.1 * typical) ** 2 + 0.25 * margin ** 2)
                        / (count + 2.25))
    return (1.7 * max(blended, 0.2 * margin)
            * max(0.6, spreads[-1] / typical))


def next_bet(gains, scale, margin):
    """`gains`: what the game's z was in the earlier rounds."""
    if len(gains) < 2:
        return 0.7
    scores = [math.tanh(z / scale) for z in gains]
    if min(scores) >= 0.9:
        return 0.93
    squares = sum(score ** 2 for score in scores)
    hoped = math.tanh(margin / scale)
    growth = (sum(scores) + 4.0 * hoped) / (squares + 4.0 * 0.35)
    least = 0.8 * hoped / max(squares / len(scores), 0.05)
    return min(max(growth, least, 0.0), 0.93)


class Game:
    """Wealth from betting that offset + sign * y is positive."""

    def __init__(self, sign, offset, margin):
        self.sign, self.offset, self.margin = sign, offset, margin
        self.bets, self.log_wealth = [], 0.0

    def play(self, past, scale, y):
        bet = next_bet([self.offset + self.sign * v for v in past], scale,
                       self.margin)
        self.bets.append(bet)
        z = self.offset + self.sign * y
        self.log_wealth += math.log1p(bet * math.tanh(z / scale))

    def end(self, limit, ys, scales):
        """The smallest offset whose wealth is at least the limit, or None."""
        def wealth(offset):
            return sum(math.log1p(c * math.tanh((offset + self.sign * y) / s))
                       for c, y, s in zip(self.bets, ys, scales))
        reached = max(map(abs, ys)) + 50.0 * max(scales) + abs(self.offset)
        missed = -reached
        if wealth(reached) < limit:
            return None
        for _ in range(200):
            middle = 0.5 * (reached + missed)
            if wealth(middle) >= limit:
                reached = middle
            else:
                missed = middle
        return reached


def play(rounds, margin, games, finished):
    """Yields (past, scales) after each round until finished()."""
    past, scales = [], []
    for number, (y, _) in enumerate(rounds):
        scale = next_scale(past, margin,
                           [spread for _, spread in rounds[:number + 1]])
        for game in games:
            game.play(past, scale, y)
        past.append(y)
        scales.append(scale)
        yield past, scales
        if finished():
            return


def text(*values):
    return ",".join("" if v is None else
                    repr(v) if isinstance(v, float) else str(v)
                    for v in values)


def negative(value):
    return None if value is None else -value


def rounded_normals(seed, mean, sd, count):
    rng = random.Random(seed)
    return [round(rng.gauss(mean, sd), 6) for _ in range(count)]


def with_spreads(seed, ys, spread):
    """Pairs (y, spread): twice the usual spread in every fifth round, where y
    is twice as far from 0, and none known in every eleventh. Without a spread
    none is known."""
    rng = random.Random(seed + 1000)
    rounds = []
    for number, y in enumerate(ys):
        factor = 2.0 if number % 5 == 3 else 1.0
        drawn = round(spread * factor * rng.uniform(0.5, 1.5), 6)
        known = spread > 0.0 and number % 11 != 7
        rounds.append((round(factor * y, 6) if spread else y,
                       drawn if known else 0.0))
    return rounds


TESTS = [  # name, seed, mean, sd, spread, rounds, min_effect, floor, alpha, beta
    ("clear win", 1, 0.05, 0.01, 0.0, 40, 0.01, 0.0, 0.05, 0.10),
    ("no change", 2, 0.0, 0.01, 0.0, 60, 0.01, 0.0, 0.05, 0.10),
    ("one per cent", 3, 0.01, 0.012, 0.0, 80, 0.01, 0.0, 0.05, 0.10),
    ("regression", 4, -0.03, 0.01, 0.0, 40, 0.01, 0.0, 0.05, 0.10),
    ("noisy", 5, 0.01, 0.05, 0.0, 50, 0.01, 0.0, 0.05, 0.10),
    ("floor passed", 6, 0.03, 0.01, 0.0, 80, 0.01, 0.01, 0.05, 0.10),
    ("floor missed", 7, 0.01, 0.01, 0.0, 80, 0.02, 0.01, 0.02, 0.05),
    ("task level", 8, 0.02, 0.02, 0.0, 120, 0.01, 0.0, 0.001, 0.10),
    ("no noise", 9, 0.02, 0.0, 0.0, 20, 0.01, 0.0, 0.05, 0.10),
    ("spread kept", 16, 0.01, 0.012, 0.012, 80, 0.01, 0.0, 0.05, 0.10),
    ("spread no change", 17, 0.0, 0.04, 0.03, 80, 0.01, 0.0, 0.05, 0.10),
    ("spread quiet", 18, 0.02, 0.001, 0.0005, 40, 0.01, 0.0, 0.05, 0.10),
]


def print_test():
    print("case,min_effect,floor,alpha,beta,log_ratio,spread,log_e_keep,log_e_discard,"
          "log_e_worse,lower,upper,decision")
    for (name, seed, mean, sd, spread, count, effect, floor, alpha,
         beta) in TESTS:
        m = -math.log(1.0 - effect)
        games = (Game(1, -floor, m), Game(-1, floor + m, m), Game(-1, 0.0, m))
        keep, discard, worse = games

        def decision():
            if keep.log_wealth >= -math.log(alpha):
                return "keep"
            if discard.log_wealth >= -math.log(beta):
                return "discard"
            return "inconclusive"

        rounds = with_spreads(seed, rounded_normals(seed, mean, sd, count),
                              spread)
        for past, scales in play(rounds, m,
                                 games, lambda: decision() != "inconclusive"):
            lower = negative(keep.end(-math.log(alpha), past, scales))
            upper = discard.end(-math.log(beta), past, scales)
            print(text(name, effect, floor, alpha, beta, past[-1],
                       rounds[len(past) - 1][1], keep.log_wealth, discard.log_wealth, worse.log_wealth,
                       lower, upper, decision()))


GUARDS = [  # name, seed, mean, sd, spread, rounds, margin, alpha, beta
    ("unharmed", 11, 0.0, 0.01, 0.0, 80, 0.02, 0.05, 0.10),
    ("harmed", 12, -0.05, 0.01, 0.0, 80, 0.02, 0.05, 0.05),
    ("at the margin", 13, -0.0198, 0.01, 0.0, 40, 0.02, 0.05, 0.10),
    ("too noisy", 14, 0.0, 0.2, 0.0, 60, 0.02, 0.05, 0.10),
    ("improved", 15, 0.05, 0.02, 0.0, 40, 0.05, 0.01, 0.02),
    ("spreads", 19, 0.0, 0.02, 0.02, 60, 0.02, 0.05, 0.10),
]


def print_guard():
    print("case,margin,alpha,beta,log_ratio,spread,log_e_unharmed,log_e_harmed,lower,"
          "upper,standing")
    for name, seed, mean, sd, spread, count, margin, alpha, beta in GUARDS:
        g = math.log(1.0 + margin)
        unharmed, harmed = Game(1, g, g), Game(-1, -g, g)

        def standing():
            if unharmed.log_wealth >= -math.log(alpha):
                return "unharmed"
            if harmed.log_wealth >= -math.log(beta):
                return "harmed"
            return "undecided"

        rounds = with_spreads(seed, rounded_normals(seed, mean, sd, count),
                              spread)
        for past, scales in play(rounds, g,
                                 (unharmed, harmed),
                                 lambda: standing() != "undecided"):
            lower = negative(unharmed.end(-math.log(alpha), past, scales))
            upper = harmed.end(-math.log(beta), past, scales)
            print(text(name, margin, alpha, beta, past[-1],
                       rounds[len(past) - 1][1], unharmed.log_wealth, harmed.log_wealth, lower, upper,
                       standing()))


if __name__ == "__main__":
    print("# Python %s: sequential_model.py %s" % (platform.python_version(),
                                                    sys.argv[1]))
    {"test": print_test, "guard": print_guard}[sys.argv[1]]()

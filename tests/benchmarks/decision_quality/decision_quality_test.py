#!/usr/bin/env python3
"""Tests of the decision-quality runner: its statistics, its record, its tables
and the exactness of what is planted. Nothing here depends on time.

Usage: decision_quality_test.py PLANTED_KERNELS UNLIKE_PAIRS
"""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

import decision_quality
import rank_test
import record
import tables

KERNELS, PAIRS = "", ""


def trial(decision, seconds=4.0, **changes):
    """A recorded trial of an identical pair in mode auto, changed as said."""
    return {"suite": "planted", "benchmark": "BM_Float", "effect": 0.0,
            "method": "auto", "flipped": False, "block": "1", "load": 2.0,
            "cpu": 1.5,
            "time": "2026-01-02T03:04:05+00:00", "tool": "abc", "ratio": 1.0,
            "verdict": "no_gain", "reason": "", "rounds": 9, "voided": 0,
            "all_rounds": 12,
            "mode": "turns", "decision": decision, "seconds": seconds,
            **changes}


class StatisticsTest(unittest.TestCase):

    def test_wilson_agrees_with_r(self):
        # R 4.2: prop.test(x, n, correct = FALSE)$conf.int
        for successes, trials, low, high in (
                (3, 40, 0.02583602577, 0.19864233524),
                (1, 2, 0.09453120573, 0.90546879427),
                (45, 50, 0.7863976856, 0.9565242351)):
            got = tables.wilson(successes, trials)
            self.assertAlmostEqual(got[0], low, places=9)
            self.assertAlmostEqual(got[1], high, places=9)

    def test_wilson_reaches_the_ends(self):
        self.assertEqual(tables.wilson(0, 10)[0], 0.0)
        self.assertEqual(tables.wilson(10, 10)[1], 1.0)
        # R 4.2: prop.test(0, 10, correct = FALSE)$conf.int[2]
        self.assertAlmostEqual(tables.wilson(0, 10)[1], 0.2775327999, places=9)

    def test_percentile_is_a_value_of_the_list(self):
        self.assertEqual(tables.percentile([5, 1, 4, 2, 3], 0.9), 5)
        self.assertEqual(tables.percentile([5, 1, 4, 2, 3], 0.5), 3)
        self.assertEqual(tables.percentile([7], 0.9), 7)

    def test_u_test_is_exact_without_ties(self):
        # R 4.2: wilcox.test(1:10, c(3.5, 8.5, 11:18))$p.value
        right = [3.5, 8.5, 11, 12, 13, 14, 15, 16, 17, 18]
        self.assertAlmostEqual(
            rank_test.u_test_p(list(range(1, 11)), right), 0.001050033558,
            places=9)
        # All 70 orders of 4 and 4: the two extreme ones.
        self.assertAlmostEqual(
            rank_test.u_test_p([1, 2, 3, 4], [5, 6, 7, 8]), 2 / 70)

    def test_u_test_with_ties_is_normal_with_corrections(self):
        # R 4.2: wilcox.test(c(1,2,3,4), c(4,6,7,8.5), exact=FALSE)$p.value
        self.assertAlmostEqual(
            rank_test.u_test_p([1, 2, 3, 4], [4, 6, 7, 8.5]), 0.0420664122,
            places=9)
        self.assertEqual(rank_test.u_test_p([1, 1], [1, 1]), 1.0)

    def test_median_interval_is_narrowest_of_its_level(self):
        # 1 - 2 * (1 + 10 + 45) / 2^10 = 0.89 misses 95 %; one rank less has
        # 1 - 2 * 11 / 2^10 = 0.979.
        self.assertEqual(decision_quality.median_interval(range(10)), (1, 8))
        self.assertIsNone(decision_quality.median_interval([1, 2, 3, 4, 5]))
        # 1 - 2 / 2^6 = 0.969.
        self.assertEqual(decision_quality.median_interval([6, 2, 3, 4, 5, 1]),
                         (1, 6))


class RecordTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "trials.jsonl")

    def test_a_missing_record_is_empty(self):
        self.assertEqual(record.read_trials(self.path), [])

    def test_a_torn_line_loses_only_itself(self):
        record.append_trial(self.path, trial("keep"))
        with open(self.path, "ab") as out:
            out.write(b'{"suite": "plan')
        record.append_trial(self.path, trial("discard"))
        self.assertEqual([one["decision"] for one in
                          record.read_trials(self.path)], ["keep", "discard"])

    def test_csv_reads_back_what_the_tables_need(self):
        trials = [trial("keep", ratio=0.98765432, flipped=True),
                  trial("inconclusive", method="usual10", suite="unlike",
                        effect=None, p=0.25, mode=None)]
        record.write_csv(self.path + ".csv", trials)
        back = record.read_trials(self.path + ".csv")
        self.assertEqual(tables.report(back, {}), tables.report(trials, {}))
        self.assertEqual((back[0]["flipped"], back[1]["flipped"]),
                         (True, False))
        self.assertEqual((back[1]["effect"], back[1]["p"]), (None, 0.25))


class TableTest(unittest.TestCase):

    def test_identical_programs(self):
        trials = [trial("discard", 2.0), trial("discard", 3.0),
                  trial("keep", 9.0), trial("discard", verdict="regressed"),
                  trial("discard", effect=1.0),
                  trial("discard", method="usual10", verdict=None),
                  trial("inconclusive", method="usual10", verdict=None)]
        self.assertEqual(tables.identical_table(trials), """\
| method | false keeps | called different | inconclusive | errors | \
seconds: median / 90 % |
| --- | --- | --- | --- | --- | --- |
| bench_compare, auto | 1/4: 25.0 % (4.6-69.9) | 2/4: 50.0 % (15.0-85.0) | 0 \
| 0 | 3.5 / 9.0 |
| 10 repetitions, U test | 0/2: 0.0 % (0.0-65.8) | 1/2: 50.0 % (9.5-90.5) | 1 \
| 0 | 4.0 / 4.0 |""")

    def test_planted_effects(self):
        trials = [trial("keep", effect=1.0), trial("error", effect=1.0),
                  trial("discard")]
        self.assertEqual(tables.detection_table(trials), """\
| effect | method | keep | discard | inconclusive | errors | \
seconds: median / 90 % |
| --- | --- | --- | --- | --- | --- | --- |
| 1 % | bench_compare, auto | 1/2: 50.0 % (9.5-90.5) | 0 | 0 | 1 | 4.0 / 4.0 |\
""")

    def test_load_bands_hold_their_lower_end(self):
        trials = [trial("keep", 2.0, effect=1.0, load=3.99),
                  trial("inconclusive", 60.0, effect=1.0, load=4.0)]
        self.assertEqual(tables.load_table(trials, "auto"), """\
| load average | effect | keep | inconclusive | seconds: median / 90 % | \
CPU seconds: median / 90 % |
| --- | --- | --- | --- | --- | --- |
| 2 to 4 | 1 % | 1/1: 100.0 % (20.7-100.0) | 0 | 2.0 / 2.0 | 1.5 / 1.5 |
| 4 to 8 | 1 % | 0/1: 0.0 % (0.0-79.3) | 1 | 60.0 / 60.0 | 1.5 / 1.5 |""")

    def test_versions_come_oldest_first(self):
        trials = [trial("keep", effect=5.0),
                  trial("discard", tool="zzz",
                        time="2025-01-02T03:04:05+00:00")]
        self.assertEqual(tables.tool_table(trials, "auto"), """\
| bench_compare | effect | keep | discard | inconclusive | \
seconds: median / 90 % |
| --- | --- | --- | --- | --- | --- |
| zzz | 0 % | 0/1: 0.0 % (0.0-79.3) | 1 | 0 | 4.0 / 4.0 |
| abc | 5 % | 1/1: 100.0 % (20.7-100.0) | 0 | 0 | 4.0 / 4.0 |""")

    def test_wrong_way_is_a_kept_loss_or_a_discarded_gain(self):
        gain = math.log(1.10)
        for decision, flipped, wrong in (
                ("keep", False, False), ("discard", False, True),
                ("keep", True, True), ("discard", True, False),
                ("inconclusive", False, False)):
            self.assertEqual(tables.is_wrong_way(
                trial(decision, flipped=flipped), gain), wrong)
        # Below the smallest effect worth having, a discard is right as well.
        self.assertFalse(tables.is_wrong_way(trial("discard"), 0.009))
        self.assertFalse(tables.is_wrong_way(trial("keep"), 0.009))

    def test_bias_is_of_the_second_way_whichever_side_it_was(self):
        gain = math.log(1.10)
        seen = 1 / 1.12  # second way over first
        bias = 100 * math.log(1.12 / 1.10)
        self.assertAlmostEqual(
            tables.bias_points(trial("keep", ratio=seen), gain), bias)
        self.assertAlmostEqual(
            tables.bias_points(trial("keep", ratio=1 / seen, flipped=True),
                               gain), bias)

    def test_targets_compare_the_point_values(self):
        trials = [trial("discard")] * 19 + [trial("keep")] + [
            trial("keep", 12.0, effect=1.0), trial("keep", 46.0, effect=1.0),
            trial("inconclusive", 46.0, effect=1.0,
                  benchmark="BM_LookupOverL2")]
        self.assertEqual(tables.target_table(trials, {}), """\
| target | measured | with lookups the size of the second-level cache |
| --- | --- | --- |
| identical: false keeps <= 5 % | 1/20: 5.0 % (0.9-23.6), met | \
1/20: 5.0 % (0.9-23.6), met |
| 1 %: keep >= 88 % | 2/2: 100.0 % (34.2-100.0), met | \
2/3: 66.7 % (20.8-93.9), missed |
| 1 %: median <= 12 s | 12.0 s, met | 46.0 s, missed |
| 1 %: 90th percentile <= 45 s | 46.0 s, missed | 46.0 s, missed |""")

    def test_targets_of_unlike_pairs(self):
        pairs = {"BM_Search": {"log_ratio": math.log(1.06)},
                 "BM_Sort": {"log_ratio": math.log(1.03)}}
        trials = [trial("keep", 21.0, suite="unlike", benchmark="BM_Search"),
                  trial("discard", 1.0, suite="unlike", benchmark="BM_Sort")]
        self.assertEqual(tables.target_table(trials, pairs), """\
| target | measured | with lookups the size of the second-level cache |
| --- | --- | --- |
| unlike pairs: no wrong-way decision | 1/2: 50.0 % (9.5-90.5), missed |  |
| unlike pairs of 5 % and more: median <= 20 s | 21.0 s, missed |  |""")

    def test_report_of_nothing_says_so(self):
        self.assertEqual(tables.report([], {}), "### Trials\n\nNo trials.")


class EvidenceTest(unittest.TestCase):

    def test_rounds_that_count_are_told_from_checks_and_failures(self):
        uses = ["settled", "counts", "bias check", "confirmation", "void"]
        evidence = {
            "rounds": [{"use": use, "mode": mode} for use, mode in zip(
                uses, ["turns", "duet", "turns", "alternate", "duet"])],
            "overall": {"verdict": "improved", "rounds": 1,
                        "estimate": {"ratio": 0.9}},
            "reason": "target improved", "downgrade": ""}
        facts = decision_quality.of_evidence(evidence)
        self.assertEqual(facts, {
            "reason": "target improved", "verdict": "improved", "ratio": 0.9,
            "rounds": 1, "all_rounds": 5, "voided": 1, "mode": "duet"})
        evidence["overall"]["rounds"] = 0
        evidence["downgrade"] = "bias"
        facts = decision_quality.of_evidence(evidence)
        self.assertEqual((facts["ratio"], facts["reason"]), (None, "bias"))


class ScheduleTest(unittest.TestCase):

    def test_a_cell_comes_up_as_often_as_it_weighs(self):
        random.seed(1)
        cells = decision_quality.planted_cells()
        done = {}
        for _ in range(sum(cell[3] for cell in cells)):
            cell = decision_quality.next_cell(cells, done)
            done[cell[:3]] = done.get(cell[:3], 0) + 1
        self.assertEqual(done, {cell[:3]: cell[3] for cell in cells})

    def test_a_block_has_the_explicit_mode_that_had_least_time(self):
        class Options:
            methods = ["auto", "usual10", "usual20", *decision_quality.MODES]
        cell = ("planted", "BM_Float", 0.0, 3)
        trials = [trial("keep", 9.0, method="duet"),
                  trial("keep", 5.0, method="turns"),
                  trial("keep", 8.0, method="alternate")]
        self.assertEqual(
            sorted(decision_quality.block_methods(Options, cell, trials)),
            ["auto", "turns", "usual10", "usual20"])
        # Those three trials were of another suite.
        cell = ("unlike", "BM_Search", None, 1)
        self.assertEqual(
            len(decision_quality.block_methods(Options, cell, trials)), 3)

    def test_trials_of_another_tool_do_not_count_but_usual_ones_do(self):
        trials = [trial("keep"), trial("keep", method="usual10"),
                  trial("keep", tool="new")]
        self.assertEqual(decision_quality.counted(["new"], trials), trials[1:])


class PlantTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def plant(self, program, knob, serial):
        path = os.path.join(self.folder, f"{knob}-{serial}")
        decision_quality.plant(program, knob, serial, path)
        return path

    def run_program(self, *argv):
        return subprocess.run(argv, check=True, capture_output=True,
                              text=True).stdout

    def test_every_effect_is_an_exact_number_of_units(self):
        for effect, units in decision_quality.UNITS.items():
            self.assertEqual(units * 1000,
                             decision_quality.BASE_UNITS * (1000 - effect * 10))
            program = self.plant(KERNELS, units, 1)
            for kernel in decision_quality.KERNELS:
                done = self.run_program(program, "--steps", kernel, "3")
                self.assertEqual(int(done), 3 * units)

    def test_a_trial_of_the_usual_practice_is_recorded_whole(self):
        class Options:
            kernels, pairs, min_time, tool = KERNELS, PAIRS, 0.001, "abc"
        cell = ("planted", "BM_Float", 0.0, 3)
        done = decision_quality.run_trial(Options, cell, "usual4", False, "1")
        self.assertEqual(set(done), set(trial("keep", p=0.5)) - {
            "verdict", "reason", "rounds", "all_rounds", "voided", "mode"})
        self.assertIn(done["decision"], ("keep", "discard", "inconclusive"))

    def test_a_truth_is_measured_and_written_whole(self):
        class Options:
            pairs, cpu, minutes = PAIRS, min(os.sched_getaffinity(0)), 1e-9
            truth = os.path.join(self.folder, "truth.json")
            repetitions, min_time = 1, 0.001
        decision_quality.truth(Options)
        written = json.loads(pathlib.Path(Options.truth).read_text())
        self.assertEqual(list(written["pairs"]),
                         decision_quality.pair_names(PAIRS))
        self.assertEqual({one["rounds"] for one in written["pairs"].values()},
                         {1})

    def test_copies_differ_in_the_knob_alone(self):
        one = pathlib.Path(self.plant(KERNELS, 2000, 1)).read_bytes()
        two = pathlib.Path(self.plant(KERNELS, 1980, 2)).read_bytes()
        self.assertEqual(len(one), len(two))
        at = one.find(decision_quality.MARKER) + len(decision_quality.MARKER)
        differing = [i for i in range(len(one)) if one[i] != two[i]]
        self.assertGreater(len(differing), 0)
        self.assertTrue(all(at <= i < at + 16 for i in differing))

    def test_both_programs_list_their_benchmarks(self):
        self.assertEqual(
            tuple(decision_quality.pair_names(self.plant(KERNELS, 2000, 1))),
            decision_quality.KERNELS)
        self.assertGreaterEqual(
            len(decision_quality.pair_names(self.plant(PAIRS, 1, 1))), 8)

    def test_a_truth_is_recorded_for_every_pair(self):
        here = pathlib.Path(decision_quality.__file__).parent
        pairs = json.loads((here / "truth.json").read_text())["pairs"]
        self.assertEqual(list(pairs), decision_quality.pair_names(PAIRS))

    def test_a_file_without_a_knob_is_refused(self):
        path = os.path.join(self.folder, "none")
        pathlib.Path(path).write_text("no knob here")
        with self.assertRaisesRegex(SystemExit, "expected exactly one knob"):
            decision_quality.plant(path, 1, 1, path + ".out")


if __name__ == "__main__":
    KERNELS, PAIRS = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])

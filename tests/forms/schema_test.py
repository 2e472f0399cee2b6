#!/usr/bin/env python3
"""Validates what the programs print against the published JSON Schemas.

Usage: schema_test.py BENCH_COMPARE BENCHMARK_PROGRAM

Exit 77 when no module jsonschema is installed.
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

try:
    import jsonschema
except ImportError:
    print("not tested: python3-jsonschema is not installed (apt-get install "
          "python3-jsonschema)", file=sys.stderr)
    sys.exit(77)

SCHEMAS = pathlib.Path(__file__).parents[2] / "docs" / "schema"


def validator(name):
    schema = json.loads((SCHEMAS / name).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def result_file(path, names, factor, visit, error=None):
    rows = [{"name": name, "run_name": name, "run_type": "iteration",
             "iterations": 100, "real_time": 100.0 * factor + visit + i,
             "cpu_time": 100.0 * factor + visit + i, "time_unit": "ns"}
            for i, name in enumerate(names)]
    if error:
        rows.append({"name": error, "run_name": error, "run_type": "iteration",
                     "error_occurred": True, "error_message": "boom"})
    path.write_text(json.dumps({
        "context": {"date": f"2026-01-02T03:0{visit}:{10 * factor:02.0f}"
                            "+00:00"}, "benchmarks": rows}))
    return str(path)


class SchemaTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)
        cls.report = validator("report.schema.json")

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def sides(self, names=("BM_A", "BM_B"), factor=1.2, visits=6, error=None):
        old = [result_file(self.folder / f"old{i}.json", names, 1.0, i)
               for i in range(visits)]
        new = [result_file(self.folder / f"new{i}.json", names, factor, i,
                           error) for i in range(visits)]
        return ["--baseline", *old, "--contender", *new]

    def run_tool(self, *arguments):
        return subprocess.run([BENCH_COMPARE, *arguments], check=False,
                              capture_output=True, timeout=60).stdout.decode()

    def valid(self, *arguments):
        value = json.loads(self.run_tool(*arguments, "--json"))
        errors = [f"{list(e.absolute_path)}: {e.message[:200]}"
                  for error in self.report.iter_errors(value)
                  for e in error.context or [error]]
        self.assertEqual(errors, [])
        return value

    def test_recorded_files(self):
        gate = self.valid("gate", *self.sides())
        self.assertEqual(gate["decision"], "regression")
        self.assertEqual(self.valid(*self.sides(visits=1))["decision"],
                         "inconclusive")
        failed = self.valid(*self.sides(error="BM_Failed"))
        self.assertEqual(failed["decision"], "cannot_judge")

    def test_a_run_and_its_verification(self):
        evidence = str(self.folder / "run.json")
        run = self.valid(
            "run", "--baseline", PROGRAM, "--contender", PROGRAM,
            "--baseline-env", "COST=100", "--contender-env", "COST=90",
            "--metric", "cost:lower", "--rounds", "6", "--evidence", evidence)
        self.assertEqual(run["decision"], "keep")
        self.assertTrue(self.valid("verify", evidence)["verified"])

    def test_an_error(self):
        self.assertFalse(self.valid("absent.json", "absent.json")["ok"])

    def test_what_is_not_of_the_form_is_found(self):
        good = self.valid("gate", *self.sides())
        for damage in (lambda v: v.pop("code"),
                       lambda v: v.update(decision="maybe"),
                       lambda v: v["benchmarks"][0].pop("margin"),
                       lambda v: v["benchmarks"][0].update(ratio="1.2"),
                       lambda v: v["next"].append({"command": "x"})):
            bad = copy.deepcopy(good)
            damage(bad)
            self.assertFalse(self.report.is_valid(bad))

    def test_every_key_is_described(self):
        known = self.report.schema["$defs"]
        for value in (self.valid("gate", *self.sides()),
                      self.valid(*self.sides(visits=1))):
            self.assertLessEqual(set(value),
                                 set(known["outcome"]["properties"]))
            for benchmark in value["benchmarks"]:
                self.assertLessEqual(set(benchmark),
                                     set(known["benchmark"]["properties"]))

    def test_junit_and_sarif_hold_ten_thousand_hostile_names(self):
        names = [f"BM_]]>&<\"'\x1b\u202e:/{i}" for i in range(10_000)]
        sides = self.sides(names=names, visits=4)
        files = {form: self.folder / form
                 for form in ("junit", "sarif", "markdown", "summary", "html",
                              "github")}
        self.run_tool("gate", "--quiet", *sides, *[
            word for form, path in files.items()
            for word in ("--report", f"{form}={path}")])
        suite = xml.etree.ElementTree.parse(files["junit"]).getroot()[0]
        self.assertEqual(suite.get("tests"), "10001")
        results = json.loads(files["sarif"].read_text())["runs"][0]["results"]
        self.assertLessEqual(len(results), 5_000)
        self.assertLess(len(files["markdown"].read_text()), 65_536)
        self.assertLess(files["summary"].stat().st_size, 1 << 20)
        self.assertLess(files["html"].stat().st_size, 3_000_000)
        self.assertLessEqual(files["github"].read_text().count("\n::"), 10)
        before = files["summary"].stat().st_size
        self.run_tool("gate", "--quiet", *self.sides(), "--report",
                      f"summary={files['summary']}")
        self.assertGreater(files["summary"].stat().st_size, before, "appended")

    def test_the_schema_of_a_task(self):
        validator("task_report.schema.json")


if __name__ == "__main__":
    BENCH_COMPARE, PROGRAM = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1], verbosity=2)

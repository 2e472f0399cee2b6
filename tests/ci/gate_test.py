#!/usr/bin/env python3
"""The CI gate's script and its action.

Usage: gate_test.py SOURCE_ROOT BENCH_COMPARE
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[1])
BENCH_COMPARE = pathlib.Path(sys.argv[2]).resolve()

# Ends as asked and writes down its arguments, so that the mapping of every exit
# code is seen without measuring for minutes.
STAND_IN = """#!/bin/sh
for word; do
  printf '%s\\n' "$word" >>"$RECORD"
  case $word in
    --report=markdown=*) echo '**verdict**' >"${word#--report=markdown=}" ;;
  esac
done
exit "$CODE"
"""


def run_blocks(text):
    """The texts of all `run` keys of a workflow or action."""
    lines, blocks = text.splitlines(), []
    for at, line in enumerate(lines):
        found = re.match(r"^(\s*)(- )?run:\s*(.*)$", line)
        if not found:
            continue
        indent, block = len(found[1] + (found[2] or "")), [found[3]]
        for more in lines[at + 1:]:
            if more.strip() and len(more) - len(more.lstrip()) <= indent:
                break
            block.append(more)
        blocks.append("\n".join(block))
    return blocks


class ActionTest(unittest.TestCase):
    def test_no_expression_is_a_part_of_a_script(self):
        seen = 0
        for path in [ROOT / "action.yml", *ROOT.glob(".github/**/*.yml")]:
            for block in run_blocks(path.read_text()):
                seen += 1
                self.assertNotIn("${{", block, path)
        self.assertGreater(seen, 0)

    def test_the_check_finds_one(self):
        self.assertEqual(
            run_blocks("steps:\n  - run: |\n      echo ${{ inputs.x }}\n"
                       "    env: {}\n"), ["|\n      echo ${{ inputs.x }}"])

    def test_every_variable_of_the_script_is_an_input(self):
        action = (ROOT / "action.yml").read_text()
        script = (ROOT / ".ci/gate").read_text()
        for name in set(re.findall(r"\$\{(GATE_[A-Z_]+):-", script)):
            self.assertIn(f"        {name}: ${{{{ ", action)


class GateScriptTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "bin").mkdir()
        (self.folder / "repo").mkdir()
        self.git("init", "-q", "-b", "main", ".")
        self.git("commit", "-q", "--allow-empty", "-m", "base")

    def git(self, *arguments):
        subprocess.run(
            ["git", "-c", "user.name=T", "-c", "user.email=t@example.org",
             *arguments], cwd=self.folder / "repo", check=True)

    def gate(self, code, **more):
        program = self.folder / "bin/bench_compare"
        program.write_text(STAND_IN)
        program.chmod(0o755)
        return self.run_script(
            PATH=f"{program.parent}:{os.environ['PATH']}", CODE=str(code),
            **more)

    def run_script(self, **more):
        environment = {
            "HOME": str(self.folder), "PATH": os.environ["PATH"],
            "RECORD": str(self.folder / "record"),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"), **more}
        return subprocess.run([ROOT / ".ci/gate"], cwd=self.folder / "repo",
                              env=environment, capture_output=True, text=True)

    def read(self, name):
        return (self.folder / name).read_text()

    def test_every_exit_code_has_its_outcome(self):
        for code, ends, outcome in [
                (0, 0, "pass"), (1, 1, "regression"), (2, 2, "cannot-judge"),
                (3, 0, "inconclusive"), (65, 65, "error"), (69, 69, "error"),
                (75, 75, "error"), (130, 130, "error")]:
            run = self.gate(code)
            self.assertEqual(run.returncode, ends, run.stderr)
            self.assertEqual(self.read("output"),
                             f"exit-code={code}\noutcome={outcome}\n")
            self.assertEqual(self.read("summary"), "**verdict**\n\n")
            said = {"pass": "", "inconclusive": "::warning "}
            self.assertTrue(run.stdout.startswith(
                said.get(outcome, "::error ")), run.stdout)
            for name in ("output", "summary"):
                (self.folder / name).unlink()

    def test_shadow_mode_never_fails_and_says_so(self):
        for code in (1, 2, 65):
            run = self.gate(code, GATE_SHADOW="true")
            self.assertEqual(run.returncode, 0)
            self.assertIn("in shadow mode this does not fail", run.stderr)

    def test_inputs_are_words_whatever_they_hold(self):
        hostile = "$(touch hacked); --x `touch hacked` '\""
        self.gate(0, GATE_BASE_REF=hostile, GATE_BUDGET=hostile,
                  GATE_SHARD=hostile, GATE_POLICY=hostile)
        words = self.read("record").splitlines()
        for flag in ("base-ref", "budget", "shard", "policy"):
            self.assertIn(f"--{flag}={hostile}", words)
        self.assertFalse((self.folder / "repo/hacked").exists())

    def test_without_a_program_nothing_passes(self):
        tools = self.folder / "tools"
        tools.mkdir()
        for name in ("bash", "git", "id", "env"):
            where = subprocess.run(["which", name], check=True,
                                   capture_output=True, text=True)
            (tools / name).symlink_to(where.stdout.strip())
        run = self.run_script(PATH=str(tools))
        self.assertEqual(run.returncode, 2, run.stderr)

    def test_the_real_program_is_run(self):
        """A base that is not there cannot be judged, by the real one."""
        (self.folder / "repo/.bench_compare.toml").write_text(
            '[[program]]\nname = "b"\ncommand = ["{build}/b"]\n')
        run = self.run_script(
            PATH=f"{BENCH_COMPARE.parent}:{os.environ['PATH']}",
            GATE_BASE_REF="origin/none")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn('"origin/none" names no commit', run.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

#!/usr/bin/env python3
"""Opens HTML reports in a headless Chromium and looks at what it does.

Usage: page_test.py BENCH_COMPARE BENCHMARK_PROGRAM

Pages of recorded files with hostile names and of a real run must open without a
message on the console and without a request, run our script and nobody else's,
and be light or dark as the reader asks. Exit 77 when no Chromium is installed.
"""
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

HOSTILE = [
    "BM_A", "</title><script>document.title='owned'</script>",
    "<img src=http://report.invalid/a onerror=document.title='owned'>",
    "\" onmouseover=\"document.title='owned'", "BM_<b>|`x` @team ::error::",
    "</style></svg><iframe src='http://report.invalid/b'>", "BM_\u202eodd\x1b[31m"]
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
    "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr"]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


class Visit:
    """One opening of a page: its DOM, console messages and requests."""

    def __init__(self, page, folder, *flags):
        log = folder / "net.json"
        run = subprocess.run(
            [CHROMIUM, *FLAGS, f"--user-data-dir={folder / 'profile'}",
             f"--log-net-log={log}", *flags, "--dump-dom", page.as_uri()],
            capture_output=True, timeout=120, check=True)
        self.dom = run.stdout.decode()
        self.console = [line for line in run.stderr.decode().splitlines()
                        if "CONSOLE" in line]
        self.requests = self.page_requests(json.loads(log.read_text()))

    @staticmethod
    def page_requests(log):
        """What the page asked the network for: the browser's own requests have
        no origin."""
        found = set()
        for event in log["events"]:
            params = event.get("params") or {}
            origin = params.get("initiator", "not an origin")
            if origin != "not an origin" and re.match("https?:", params["url"]):
                found.add(params["url"])
        return found


def corner(png):
    """The channels of a PNG's first pixel: what every filter leaves alone."""
    data, place, pixels = png.read_bytes(), 8, b""
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place:place + 8])
        if kind == b"IDAT":
            pixels += data[place + 8:place + 8 + size]
        place += size + 12
    return list(zlib.decompress(pixels)[1:4])


def recorded(folder, side, visit, factor):
    """One result file with the hostile names."""
    rows = [{"name": name, "run_name": name, "run_type": "iteration",
             "iterations": 100, "real_time": 100.0 * factor + visit + i,
             "cpu_time": 100.0 * factor + visit + i, "time_unit": "ns"}
            for i, name in enumerate(HOSTILE)]
    path = folder / f"{side}{visit}.json"
    path.write_text(json.dumps({
        "context": {"date": f"2026-01-02T03:0{visit}:0{len(side)}+00:00"},
        "benchmarks": rows}))
    return str(path)


class ReportPageTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)
        cls.recorded = cls.folder / "recorded.html"
        subprocess.run(
            [BENCH_COMPARE, "gate", "--quiet",
             "--baseline", *[recorded(cls.folder, "old", i, 1.0)
                             for i in range(6)],
             "--contender", *[recorded(cls.folder, "new", i, 1.2)
                              for i in range(6)],
             "--report", f"html={cls.recorded}"],
            check=False, stdout=subprocess.DEVNULL)
        cls.live = cls.folder / "run.html"
        subprocess.run(
            [BENCH_COMPARE, "run", "--quiet", "--baseline", PROGRAM,
             "--contender", PROGRAM, "--baseline-env", "COST=100",
             "--contender-env", "COST=90", "--metric", "cost:lower",
             "--rounds", "6", "--report", f"html={cls.live}"],
            check=False, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def visit(self, page, *flags):
        return Visit(page, self.folder, *flags)

    def test_what_would_be_found_is_found(self):
        page = self.folder / "bad.html"
        page.write_text("<script>console.log('said')</script>"
                        "<img src=http://report.invalid/x>")
        visit = self.visit(page)
        self.assertIn("said", " ".join(visit.console))
        self.assertEqual(visit.requests, {"http://report.invalid/x"})

    def test_recorded_files_with_hostile_names(self):
        visit = self.visit(self.recorded)
        self.assertEqual(visit.console, [])
        self.assertEqual(visit.requests, set())
        self.assertIn("regression: ", re.search("<title>(.*?)</title>",
                                                visit.dom)[1])
        self.assertIn('<div class="tools">', visit.dom, "our script ran")
        self.assertEqual(visit.dom.count("<script"), 1)
        self.assertNotRegex(visit.dom, "<(img|iframe|b>\\|)")
        self.assertEqual(visit.dom.count('class="card"'), len(HOSTILE))

    def test_a_run(self):
        visit = self.visit(self.live)
        self.assertEqual(visit.console, [])
        self.assertEqual(visit.requests, set())
        self.assertIn("Evidence by round", visit.dom)

    def test_is_whole_without_its_script(self):
        page = self.folder / "no_script.html"
        page.write_text(re.sub("<script>.*?</script>", "",
                               self.recorded.read_text(), flags=re.S))
        visit = self.visit(page)
        self.assertNotIn('<div class="tools">', visit.dom)
        self.assertEqual(visit.dom.count('class="card"'), len(HOSTILE))

    def test_is_light_or_dark_as_asked(self):
        seen = []
        for scheme in (1, 0):
            png = self.folder / f"{scheme}.png"
            self.visit(self.recorded, f"--screenshot={png}",
                       "--window-size=400,300",
                       f"--blink-settings=preferredColorScheme={scheme}")
            seen.append(corner(png))
        self.assertEqual(seen, [[0xf6, 0xf7, 0xf9], [0x11, 0x14, 0x1a]])


if __name__ == "__main__":
    if CHROMIUM is None:
        print("not tested: chromium is not installed (apt-get install "
              "chromium)", file=sys.stderr)
        sys.exit(77)
    BENCH_COMPARE, PROGRAM = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1], verbosity=2)

#!/usr/bin/env python3
"""Runs the ```sh blocks of a document, in order, in one shell and one folder.

Usage: run_blocks.py DOCUMENT FOLDER [PATH_FOLDER...]

The shell stops at the first command that fails. A block whose info string is
`sh illustration` is not run; every other block of a language must be named
below, so that none escapes by a typing error. FOLDER is emptied first; files of
the document's setup, tests/docs/NAME.setup.sh, are made before.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

FENCE = re.compile(r"^```(.*)$")
NOT_RUN = {"", "sh illustration", "cmake", "toml", "json", "cpp", "text"}


def blocks_of(text):
    """The scripts to run, with the line each begins at."""
    found, info, lines = [], None, []
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if not fence:
            lines.append(line)
        elif info is None:
            info, lines, begin = fence[1].strip(), [], number + 1
        else:
            if info == "sh":
                found.append((begin, "\n".join(lines)))
            elif info not in NOT_RUN:
                raise SystemExit(f"line {begin - 1}: unknown block {info!r}")
            info = None
    if info is not None:
        raise SystemExit(f"line {begin - 1}: the block does not end")
    return found


def main():
    document, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    blocks = blocks_of(document.read_text())
    if not blocks:
        raise SystemExit(f"{document}: no block to run")
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "home").mkdir(parents=True)
    (folder / "work").mkdir()
    script = ["set -e -o pipefail"]
    setup = pathlib.Path(__file__).parent / (document.stem.lower() + ".setup.sh")
    if setup.exists():
        script.append(setup.read_text())
    for line, block in blocks:
        script.append(f"echo '=== {document.name}:{line}'\n{block}")
    environment = dict(
        os.environ, HOME=str(folder / "home"),
        PATH=":".join(sys.argv[3:] + [os.environ["PATH"]]),
        ROOT=str(pathlib.Path(__file__).resolve().parents[2]),
        AUTOTUNE_STATE_DIR=str(folder / "state"),
        GIT_AUTHOR_NAME="A User", GIT_AUTHOR_EMAIL="user@example.org",
        GIT_COMMITTER_NAME="A User", GIT_COMMITTER_EMAIL="user@example.org")
    ended = subprocess.run(["bash", "-c", "\n".join(script)],
                           cwd=folder / "work", env=environment)
    if ended.returncode != 0:
        raise SystemExit(f"{document}: a block ended with {ended.returncode}")
    shutil.rmtree(folder)


main()

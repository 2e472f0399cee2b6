#!/usr/bin/env python3
"""Completes command lines in a real, interactive shell.

Usage: complete_in_shell.py SHELL BENCHMARK FOLDER PROGRAM_FOLDER...

Types each line below, with a TAB where it says so, into SHELL on a terminal of
its own, and has the shell print the words it then holds. FOLDER is emptied and
becomes a repository with a task and two attempts.
"""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import time

# What is typed before the TAB -> the words that the line then holds. A TAB that
# finds several candidates leaves what they share.
CASES = {
    "autotune dec": ["autotune", "decide"],
    "autotune task s": ["autotune", "task", "set"],
    "autotune decide loo": ["autotune", "decide", "lookup-table"],
    "autotune check second": ["autotune", "check", "second"],
    "autotune status --js": ["autotune", "status", "--json"],
    "autotune --task 20": ["autotune", "--task", "TASK"],
    "autotune --task=20": ["autotune", "--task=TASK"],
    "autotune record second --claim k": [
        "autotune", "record", "second", "--claim", "keep"],
    "autotune task set policy.bud": [
        "autotune", "task", "set", "policy.budget"],
    "autotune show led": ["autotune", "show", "ledger"],
    "autotune completion z": ["autotune", "completion", "zsh"],
    "autotune init new --settings ta": [
        "autotune", "init", "new", "--settings", "task.toml"],
    "bench_compare --color=alw": ["bench_compare", "--color=always"],
    "bench_compare --color alw": ["bench_compare", "--color", "always"],
    "bench_compare gate ru": ["bench_compare", "gate", "run"],
    "bench_compare run --baseline ./ben": [
        "bench_compare", "run", "--baseline", "./bench"],
    "bench_compare run --contender=./ben": [
        "bench_compare", "run", "--contender=./bench"],
    "bench_compare run --contender ./bench --filter FIRST": [
        "bench_compare", "run", "--contender", "./bench", "--filter", "NAME"],
    "bench_compare run --contender ./bench --filter '^FIRST": [
        "bench_compare", "run", "--contender", "./bench", "--filter",
        "^NAME$"],
    "bench_compare run --contender ./bench --filter=FIRST": [
        "bench_compare", "run", "--contender", "./bench", "--filter=NAME"],
    "bench_compare ol": ["bench_compare", "old.json"],
    "bench_compare old.json --mi": [
        "bench_compare", "old.json", "--min-effect"],
}

START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             "source <(autotune completion bash);"
             "source <(bench_compare completion bash);"
             "bind 'set enable-bracketed-paste off';"),
    "zsh": (["zsh", "-f", "-i"],
            "unsetopt zle_bracketed_paste beep auto_menu; fpath=($PWD/fpath $fpath);"
            "autoload -U compinit; compinit -u -D; bindkey -e;"),
    "fish": (["fish", "--no-config", "-i"],
             "autotune completion fish | source;"
             "bench_compare completion fish | source;"),
}


class Terminal:
    """A shell on a terminal of its own."""

    def __init__(self, command, folder, environment):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        self.text = ""

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def wait_for(self, pattern, seconds=60):
        """The match of `pattern` in what the shell wrote since the last one."""
        end = time.monotonic() + seconds
        while True:
            found = re.search(pattern, self.text, re.S)
            if found:
                self.text = self.text[found.end():]
                return found
            if time.monotonic() > end:
                raise SystemExit(f"no {pattern!r} in {self.text!r}")
            if select.select([self.fd], [], [], 1)[0]:
                read = os.read(self.fd, 65536).decode(errors="replace")
                self.text += read.replace("\r", "")

    def close(self):
        os.close(self.fd)
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)


def make_repository(folder, environment, benchmark):
    def run(*command):
        subprocess.run(command, cwd=folder, env=environment, check=True,
                       stdout=subprocess.DEVNULL)

    run("git", "init", "-q", "-b", "main", ".")
    (folder / "code.cc").write_text("int main() {}\n")
    run("git", "add", ".")
    run("git", "commit", "-qm", "start")
    run("autotune", "init", "knob", "--target", "^BM_Knob/", "--benchmark", benchmark,
        "--build", "true", "--configure", "", "--test", "", "--edit", "**",
        "--no-calibration")
    for approach in ("lookup-table", "second"):
        run("autotune", "start", approach, "--hypothesis", "it is", "--no-profile",
            "a test")
    (folder / "bench").symlink_to(benchmark)
    for name in ("old.json", "task.toml"):
        (folder / name).write_text("{}")


def main():
    shell, benchmark = sys.argv[1], sys.argv[2]
    folder = pathlib.Path(sys.argv[3])
    shutil.rmtree(folder, ignore_errors=True)
    work = folder / "work"
    work.mkdir(parents=True)
    environment = dict(
        os.environ, HOME=str(folder), TERM="dumb", PS1="$ ", PROMPT="$ ",
        PATH=":".join(sys.argv[4:] + [os.environ["PATH"]]),
        AUTOTUNE_STATE_DIR=str(folder / "state"),
        GIT_AUTHOR_NAME="A User", GIT_AUTHOR_EMAIL="user@example.org",
        GIT_COMMITTER_NAME="A User", GIT_COMMITTER_EMAIL="user@example.org")
    make_repository(work, environment, benchmark)
    names = subprocess.run([benchmark, "--benchmark_list_tests"], check=True,
                           capture_output=True, text=True).stdout.split()
    task = subprocess.run(
        ["git", "for-each-ref", "--format=%(refname:lstrip=3)",
         "refs/heads/autotune"], cwd=work, check=True, capture_output=True,
        text=True).stdout.strip()
    for program in ("autotune", "bench_compare"):
        place = work / "fpath" / f"_{program}"
        place.parent.mkdir(exist_ok=True)
        place.write_text(subprocess.run(
            [program, "completion", "zsh"], env=environment, check=True,
            capture_output=True, text=True).stdout)
    command, setup = START[shell]
    terminal = Terminal(command, work, environment)
    terminal.type(f"{setup} printf '%s%s\\n' rea dy\n")
    terminal.wait_for("ready")
    wrong = 0
    for typed, expected in CASES.items():
        typed = typed.replace("FIRST", names[0][:-1])
        expected = [word.replace("NAME", names[0]).replace("TASK", task)
                    for word in expected]
        # The TAB, then the line as the words of a printf of its own.
        terminal.type(typed + "\t")
        terminal.type("\x01printf '<%s>' begin \x05 end\n")
        found = terminal.wait_for("<begin>(.*?)<end>")
        words = re.findall("<(.*?)>", found[1])
        if words != expected:
            wrong += 1
            print(f"{shell}: {typed!r}: expected {expected}, got {words}")
    terminal.close()
    if wrong:
        raise SystemExit(f"{wrong} of {len(CASES)} wrong")
    print(f"{len(CASES)} lines completed as they should")
    shutil.rmtree(folder)


main()

"""The record of trials: a JSONL file while measuring, CSV to keep."""
import csv
import json
import os
import pathlib

# Columns of the CSV and how to read them back.
COLUMNS = {
    "time": str, "suite": str, "benchmark": str, "effect": float,
    "method": str, "flipped": lambda text: text == "True", "block": str,
    "decision": str, "verdict": str, "reason": str, "seconds": float,
    "cpu": float, "ratio": float, "p": float, "mode": str, "rounds": int,
    "all_rounds": int, "voided": int, "load": float, "tool": str,
}


def read_trials(path):
    """Whole trials of a .csv or a JSONL file; a line that a kill has torn is
    passed over, a missing file has none."""
    if not os.path.exists(path):
        return []
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if str(path).endswith(".csv"):
        return [_typed(row) for row in csv.DictReader(text.splitlines())]
    trials = []
    for line in text.splitlines():
        try:
            trials.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return trials


def _typed(row):
    return {name: COLUMNS[name](value) if value != "" else None
            for name, value in row.items()}


def append_trial(path, trial):
    """Appends one line and syncs it; ends a torn line first."""
    with open(path, "ab+") as out:
        size = out.seek(0, os.SEEK_END)
        torn = False
        if size:
            out.seek(size - 1)
            torn = out.read(1) != b"\n"
        line = json.dumps(trial, sort_keys=True).encode() + b"\n"
        out.write(b"\n" + line if torn else line)
        out.flush()
        os.fsync(out.fileno())


def write_csv(path, trials):
    with open(path, "w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, list(COLUMNS), extrasaction="ignore",
                                lineterminator="\n")
        writer.writeheader()
        writer.writerows(_rounded(trial) for trial in trials)


def _rounded(trial):
    return {name: f"{value:.6g}" if isinstance(value, float) else value
            for name, value in trial.items()}

"""The ParvaGPU scenarios as inputs: files with rates multiplied, the cards they should take, and a check of the answer.

The check of the demand is done from the measured tables and the plan file alone; it knows nothing of how carve packs.
"""

import csv
import decimal
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples" / "parvagpu"


def table(path):
    """The rows of a CSV file with comment lines."""
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def expectations(multiplier):
    """Rows of bench/parvagpu.csv for one multiplier."""
    return [row for row in table(ROOT / "bench" / "parvagpu.csv") if int(row["multiplier"]) == multiplier]


def most_cards(row):
    """The bar: the optimum; one card more where rates are multiplied by a hundred."""
    return int(row["exact"]) + (1 if int(row["multiplier"]) == 100 else 0)


def workload_file(row, folder):
    """The path of the scenario's workload file, with its rates multiplied and written to `folder` if need be."""
    name = row["scenario"] + ("" if row["max_processes"] == "5" else "-" + row["max_processes"])
    source = EXAMPLES / (name + ".yaml")
    factor = int(row["multiplier"])
    if factor == 1:
        return source
    text, rates = re.subn(r"rate: (\d+)/s", lambda match: f"rate: {int(match[1]) * factor}/s", source.read_text())
    assert rates > 0, f"{source} has no rates"
    folder = pathlib.Path(folder)
    if not (folder / "measured").exists():
        (folder / "measured").symlink_to(EXAMPLES / "measured")
    path = folder / f"{name}-x{factor}.yaml"
    path.write_text(text)
    return path


def printed_plan(binary, path):
    """What `carve plan --json` prints; raises with its message when it fails."""
    done = subprocess.run([binary, "plan", str(path), "--json"], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise RuntimeError(f"carve plan {path} ended with {done.returncode}: {done.stderr.strip()[:2000]}")
    return done.stdout


def objectives(path):
    """{workload: (rate, latency limit in ms, most processes)} as the workload file writes them."""
    wanted = {}
    blocks = re.split(r"^  - name: ", pathlib.Path(path).read_text(), flags=re.MULTILINE)[1:]
    for block in blocks:
        figure = lambda pattern: decimal.Decimal(re.search(pattern, block)[1])
        limit = figure(r"p99: ([\d.]+)ms") * figure(r"latency_margin: (\d+)%") / 100
        wanted[block.split("\n", 1)[0]] = (figure(r"rate: (\d+)/s"), limit, int(figure(r"max_processes: (\d+)")))
    return wanted


def measurements(name):
    """{(profile, processes, batch): row} of a network."""
    rows = table(EXAMPLES / "measured" / f"{name}.csv")
    return {(row["profile"], row["processes"], row["batch"]): row for row in rows}


def unmet(path, answer):
    """What the plan does not do that the workload file asks for: a list of sentences, empty when all is well."""
    wrong = []
    wanted = objectives(path)
    served = {name: decimal.Decimal(0) for name in wanted}
    measured = {name: measurements(name) for name in wanted}
    for card in answer["cards"]:
        for partition in card["partitions"]:
            for share in partition["shares"]:
                name = share["workload"]
                key = (partition["profile"], str(share["processes"]), str(share["batch"]))
                row = measured[name].get(key)
                _, limit, most_processes = wanted[name]
                if row is None:
                    wrong.append(f"{name} runs as {key}, which was not measured")
                elif decimal.Decimal(row["latency_ms"]) > limit or int(row["processes"]) > most_processes:
                    wrong.append(f"{name} runs as {key}: {row['latency_ms']} ms, not within {limit}, {most_processes}")
                else:
                    served[name] += decimal.Decimal(row["throughput_per_s"])
                if len(partition["shares"]) != 1:
                    wrong.append(f"{name} was measured alone and has a neighbour")
    for name, (rate, _, _) in wanted.items():
        if served[name] < rate:
            wrong.append(f"{name} is served {served[name]}/s of {rate}")
    return wrong

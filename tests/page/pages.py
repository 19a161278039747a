"""The plans whose pages the browser test looks at: files to plan from, made in a folder, and a plan file that lies.

many() is a fleet on which about a thousand cards are used in many different ways; hostile() gives every host and
sentence of a plan file a text that would break a page that does not escape it.
"""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"

# Something finds no place, and names are as long as they may be.
UNPLACED = """\
fleet: [{card: h100-80gb, count: 1}, {card: t4, count: 1}]
workloads:
  - {name: ranker, tenant: search, replicas: 5, memory: 30GiB, compute: 30%, objective: {p99: 40ms}}
  - {name: too-big, tenant: search, replicas: 1, memory: 200GiB, objective: throughput}
  - {name: LONG-ONE, tenant: LONG-TWO, replicas: 2, memory: 3GiB, objective: throughput}
""".replace("LONG", "a" * 59)

# (memory in GiB, compute in %, objective, further keys): how workloads of many() differ.
MANNERS = [
    (18, 20, "{p99: 60ms}", ""),
    (7, 8, "{p99: 25ms}", ""),
    (34, 40, "{p95: 120ms}", ""),
    (6, 6, "throughput", ""),
    (9, 15, "throughput", ""),
    (3, 3, "throughput", ""),
    (5, 4, "best-effort", ", interruptible: true, duty: 6%"),
    (2, 2, "best-effort", ", interruptible: true, duty: 11%"),
    (60, 70, "throughput", ""),
    (12, 12, "best-effort", ""),
]


def many():
    """A workload file: eleven teams with ten workloads each, none like another, beside a measured scenario."""
    measured = (EXAMPLES / "parvagpu" / "S5.yaml").read_text()
    measured = re.sub(r"rate: (\d+)/s", lambda match: f"rate: {int(match[1]) * 14}/s", measured)
    measured = measured.replace("measured/", f"{EXAMPLES / 'parvagpu' / 'measured'}/")
    measured = measured.replace("  - name:", "  - tenant: inference\n    name:")
    lines = ["fleet:"]
    lines += [f"  - {{card: {card}, count: 800, nodes: 100}}" for card in ("h100-80gb", "a100-80gb")]
    lines += ["  - {card: a30, count: 200, nodes: 50}", "workloads:"]
    for team in range(11):
        for number, (memory, compute, objective, more) in enumerate(MANNERS):
            replicas = 21 + (team * 7 + number * 5) % 29
            lines.append(
                f"  - {{name: team{team}-work{number}, tenant: team{team}, replicas: {replicas}, "
                f"memory: {memory + 0.2 * team}GiB, compute: {compute}%, objective: {objective}{more}}}"
            )
    return "\n".join(lines) + "\n" + measured.split("workloads:\n", 1)[1]


def hostile(plan):
    """The plan with each host and sentence made dangerous, and the rest as it was: JSON text."""
    threats = [
        "<script>alert(1)</script>",
        "\"' onmouseover=alert(1) x='",
        "</style><img src=x onerror=alert(1)>",
        "]]><!--&amp;&#0;{{}}",
        "日本語の長い名前é́\u202egnp.exe",
    ]

    def changed(value, key):
        if isinstance(value, dict):
            return {name: changed(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [changed(inner, key) for inner in value]
        if key in ("node", "because", "why", "would_allow", "reason", "nearest", "message", "remedy") and value:
            return f"{value} {threats[len(value) % len(threats)]} {'x' * 64}"
        return value

    return json.dumps(changed(json.loads(plan), ""))

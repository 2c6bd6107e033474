"""What the rounds amount to: medians of the ratios of a round, and the table that is printed."""
import math
import statistics

# What a turn's time is called, by clock.
_FIELDS = {"wall": "ms", "processor": "processor_ms"}


def quantile(values, share):
    """By linear interpolation; None without values."""
    if not values:
        return None
    ordered = sorted(values)
    at = share * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values)) if values else None


def ratios(result, peer, field="ms"):
    """How many times faster Burin is than the peer, by round."""
    own, other = result["engines"]["burin"]["rounds"], result["engines"][peer]["rounds"]
    return [b[field] / a[field] for a, b in zip(own, other) if a[field] > 0]


def peers_of(result):
    """The peers that ran beside Burin to the end."""
    engines = result["engines"]
    if "error" in engines["burin"]:
        return []
    return [name for name in engines if name != "burin" and "error" not in engines[name]]


def better_peer(result, field="ms"):
    """The peer that Burin is ahead of the least; None where none ran."""
    return min(peers_of(result), key=lambda peer: quantile(ratios(result, peer, field), 0.5), default=None)


def peak_bytes(engine):
    """The most memory of an engine, without what its process had before; the median of the processes."""
    return quantile([memory["peak"] - memory["before"] for memory in engine["memory"]], 0.5)


def summarize(result, clock="wall"):
    """The figures of a model, by their names: of each engine, of each peer, and of the better peer. Ratios are of what
    the clock says: "wall", or the work of the "processor", which on a busy machine is what stays comparable."""
    field = _FIELDS[clock]
    summary = {"engines": {}, "peers": {}, "better_peer": better_peer(result, field)}
    for name, engine in result["engines"].items():
        if "error" in engine:
            summary["engines"][name] = {"error": engine["error"]}
            continue
        summary["engines"][name] = {
            "ms": quantile([turn["ms"] for turn in engine["rounds"]], 0.5),
            "processor_ms": quantile([turn["processor_ms"] for turn in engine["rounds"]], 0.5),
            "compile_ms": quantile(engine["compile_ms"], 0.5),
            "compile_processor_ms": quantile(engine["compile_processor_ms"], 0.5),
            "first_ms": quantile(engine["first_ms"], 0.5),
            "peak_bytes": peak_bytes(engine),
        }
    for peer in peers_of(result):
        values = ratios(result, peer, field)
        summary["peers"][peer] = {
            "ratio": quantile(values, 0.5),
            "lower": quantile(values, 0.25),
            "upper": quantile(values, 0.75),
            "processor_ratio": quantile(ratios(result, peer, "processor_ms"), 0.5),
        }
    return summary


def overall(results):
    """Geometric means over the models: by peer, and against the better one of each."""
    by_peer, against_better = {}, []
    for result in results:
        summary = result["summary"]
        for peer, figures in summary["peers"].items():
            by_peer.setdefault(peer, []).append(figures["ratio"])
        if summary["better_peer"] is not None:
            against_better.append(summary["peers"][summary["better_peer"]]["ratio"])
    means = {peer: geometric_mean(values) for peer, values in by_peer.items()}
    return {"by_peer": means, "better_peer": geometric_mean(against_better), "models": len(against_better)}


def number(value, digits=2):
    """A figure with about `digits` digits behind the point, more where it is small; a dash for None."""
    if value is None:
        return "-"
    if 0 < abs(value) < 1:
        digits += 1
    return f"{value:.{digits}f}"


def _lines_of(result):
    """The table's lines of one model: a line of texts per engine."""
    summary = result["summary"]
    for name, engine in summary["engines"].items():
        label = result["name"] if name == "burin" else ""
        if "error" in engine:
            yield [label, name, "error: " + engine["error"][:100]]
            continue
        line = [label, name, number(engine["ms"], 3), number(engine["processor_ms"], 3)]
        peer = summary["peers"].get(name)
        if peer is None:
            line += ["", "", ""]
        else:
            better = " *" if name == summary["better_peer"] else "  "
            line += [number(peer["ratio"]) + better, f"{number(peer['lower'])}..{number(peer['upper'])}",
                     number(peer["processor_ratio"])]
        yield line + [number(engine["compile_ms"], 1), number(engine["compile_processor_ms"], 1),
                      number(engine["peak_bytes"] / 1e6, 1)]


def table(results):
    """A text with a line per model and engine, and the means."""
    rows = [["model", "engine", "ms", "cpu ms", "ratio", "quartiles", "cpu ratio", "compile ms", "its cpu ms", "peak MB"]]
    for result in results:
        rows += _lines_of(result)
    columns = max(len(row) for row in rows)
    widths = [max(len(row[i]) for row in rows if len(row) == columns) for i in range(columns)]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) if i < 2 else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    means = overall(results)
    if means["models"] > 0:
        parts = [f"{name} {number(value)}" for name, value in means["by_peer"].items()]
        lines.append(f"Geometric means of {means['models']} models: {', '.join(parts)}, "
                     f"the better peer of each (*) {number(means['better_peer'])}")
    return "\n".join(lines) + "\n"


def far_outputs(results, tolerance):
    """A line for each pair of engines whose outputs part by more."""
    return [f"{result['name']}: outputs of {pair.replace(' ', ' and ')} part by {value:.2g} of the largest magnitude"
            for result in results for pair, value in result["differences"].items() if not value <= tolerance]

"""One HTML page of the results, with everything in it: nothing is loaded from anywhere."""
import html
import math

from tools.peers.compare import summary

_COLORS = {"burin": "#c2410c", "onnxruntime": "#2563eb", "openvino": "#059669"}
_OTHER_COLOR = "#6b7280"

_STYLE = """
body { font: 14px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #1f2937; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin-top: 2em; }
table { border-collapse: collapse; } th, td { padding: .2em .7em; text-align: right; white-space: nowrap; }
th { border-bottom: 1px solid #9ca3af; font-weight: 600; } td.name, th.name { text-align: left; }
tr.model td { border-top: 1px solid #e5e7eb; } .behind { color: #b91c1c; font-weight: 600; } .ahead { color: #047857; }
.error { color: #b91c1c; text-align: left; white-space: normal; } .void { background: #fef2f2; padding: .7em; }
svg text { font: 12px system-ui, sans-serif; fill: #374151; } details { margin: .5em 0; } summary { cursor: pointer; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1em 1em; } dd { margin: 0; }
"""


def _color(engine):
    return _COLORS.get(engine, _OTHER_COLOR)


def _text(x, y, text, anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(text)}</text>'


def _line(x1, y1, x2, y2, color="#d1d5db", width=1):
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}" '
            f'stroke-width="{width}"/>')


def _svg(width, height, parts):
    return (f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
            + "".join(parts) + "</svg>")


def _ticks(low, high):
    """Round ratios from low to high, for an axis of logarithms."""
    steps = [0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 20, 50, 100]
    return [step for step in steps if low <= step <= high]


def ratio_plot(results):
    """A row per model: a dot at the median ratio of each peer, a line from quartile to quartile."""
    rows = [(result["name"], result["summary"]["peers"]) for result in results if result["summary"]["peers"]]
    if not rows:
        return ""
    ends = [figures[key] for _, peers in rows for figures in peers.values() for key in ("lower", "upper")]
    low, high = min(0.7, *ends) * 0.95, max(1.5, *ends) * 1.05
    left, width, top, step = 190, 900, 30, 24
    bottom = top + step * len(rows)

    def place(ratio):
        return left + (width - left - 20) * math.log(ratio / low) / math.log(high / low)

    parts = []
    for tick in _ticks(low, high):
        parts.append(_line(place(tick), top - 5, place(tick), bottom, "#374151" if tick == 1 else "#e5e7eb"))
        parts.append(_text(place(tick), top - 10, f"{tick:g}x", "middle"))
    for i, (name, peers) in enumerate(rows):
        y = top + step * i + step / 2
        parts.append(_text(left - 10, y + 4, name, "end"))
        for j, (peer, figures) in enumerate(peers.items()):
            at = y + (j - (len(peers) - 1) / 2) * 7
            parts.append(_line(place(figures["lower"]), at, place(figures["upper"]), at, _color(peer), 2))
            parts.append(f'<circle cx="{place(figures["ratio"]):.1f}" cy="{at:.1f}" r="4" fill="{_color(peer)}">'
                         f"<title>{html.escape(name)}, {html.escape(peer)}: {figures['ratio']:.3f}</title></circle>")
    return _svg(width, bottom + 10, parts)


def rounds_plot(result):
    """A line per engine: the milliseconds of each round."""
    series = {name: [turn["ms"] for turn in engine["rounds"]]
              for name, engine in result["engines"].items() if len(engine["rounds"]) > 1}
    if not series:
        return ""
    left, width, top, height = 60, 700, 15, 190
    highest = max(max(values) for values in series.values())
    count = max(len(values) for values in series.values())

    def place(i, value):
        return left + (width - left - 10) * i / (count - 1), height - 20 - (height - 20 - top) * value / highest

    parts = [_line(left, height - 20, width - 10, height - 20, "#9ca3af"), _text(left - 6, height - 16, "0", "end"),
             _text(left - 6, top + 4, f"{highest:.3g} ms", "end"), _text(width - 10, height - 4, "rounds", "end")]
    for name, values in series.items():
        points = " ".join("{:.1f},{:.1f}".format(*place(i, value)) for i, value in enumerate(values))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{_color(name)}" stroke-width="1.5"/>')
    return _svg(width, height, parts)


def _legend(names):
    return " ".join(f'<span style="color: {_color(name)}">&#9679;</span> {html.escape(name)}' for name in names)


def _row(result, name, engine):
    label = html.escape(result["name"]) if name == "burin" else ""
    begin = (f'<tr{" class=model" if label else ""}><td class="name">{label}</td>'
             f'<td class="name">{html.escape(name)}</td>')
    if "error" in engine:
        return begin + f'<td class="error" colspan="8">{html.escape(engine["error"])}</td></tr>'
    cells = [summary.number(engine["ms"], 3), summary.number(engine["processor_ms"], 3)]
    figures = result["summary"]["peers"].get(name)
    if figures is None:
        cells += ["", "", ""]
    else:
        kind = "ahead" if figures["ratio"] >= 1 else "behind"
        better = " *" if name == result["summary"]["better_peer"] else ""
        cells += [f'<span class="{kind}">{summary.number(figures["ratio"])}{better}</span>',
                  f"{summary.number(figures['lower'])} to {summary.number(figures['upper'])}",
                  summary.number(figures["processor_ratio"])]
    cells += [summary.number(engine["compile_ms"], 1), summary.number(engine["compile_processor_ms"], 1),
              summary.number(engine["peak_bytes"] / 1e6, 1)]
    return begin + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _table(results):
    head = ["model", "engine", "ms", "processor ms", "ratio", "quartiles", "processor ratio", "compile ms",
            "processor ms", "peak MB"]
    cells = "".join(f'<th{" class=name" if i < 2 else ""}>{title}</th>' for i, title in enumerate(head))
    rows = [_row(result, name, engine) for result in results for name, engine in result["summary"]["engines"].items()]
    return f"<table><tr>{cells}</tr>{''.join(rows)}</table>"


def _facts(report):
    pairs = [("Processor", report["processor"]), ("Time", report["time"]), ("Threads", str(report["threads"])),
             ("Clock of the ratios", report["clock"]),
             ("Engines", ", ".join(f"{name} {version}".strip() for name, version in report["versions"].items())),
             ("Plan", ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in report["plan"].items()))]
    return "<dl>" + "".join(f"<dt>{key}</dt><dd>{html.escape(value)}</dd>" for key, value in pairs) + "</dl>"


def _means(report):
    means = report["overall"]
    if means["models"] == 0:
        return ""
    parts = [f"{html.escape(name)}: <b>{summary.number(value)}x</b>" for name, value in means["by_peer"].items()]
    return (f"<p>Geometric mean of Burin's speed over {means['models']} models by that of {', '.join(parts)}; by that "
            f"of the better peer of each model, marked *: <b>{summary.number(means['better_peer'])}x</b>.</p>")


def _model(result):
    lines = "".join(f"<li>{html.escape(pair.replace(' ', ' and '))}: {value:.3g}</li>"
                    for pair, value in result["differences"].items())
    return (f"<details><summary>{html.escape(result['name'])}</summary><p>{html.escape(result['model'])}</p>"
            f"{rounds_plot(result)}<p>Largest difference of outputs by the largest magnitude:</p><ul>{lines}</ul>"
            "</details>")


def render(report):
    """The page of a report (compare.py)."""
    results = report["results"]
    names = list(dict.fromkeys(name for result in results for name in result["engines"]))
    void = "" if not report["void"] else f'<p class="void">Void: {html.escape(report["void"])}</p>'
    body = [
        "<h1>Burin beside other engines</h1>", void, _facts(report), _means(report),
        "<h2>Ratio of times</h2><p>Above 1: Burin is faster. Medians of the rounds' ratios, lines from quartile to "
        "quartile.</p>", "<p>", _legend(name for name in names if name != "burin"), "</p>", ratio_plot(results),
        "<h2>Figures</h2><p>Times of one inference; processor time is of all threads. Compilation is from the path of "
        "the file. Peak memory is the most resident bytes, without those before compilation.</p>", _table(results),
        "<h2>Rounds</h2><p>", _legend(names), "</p>", *[_model(result) for result in results],
    ]
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Burin beside other engines</title>'
            f"<style>{_STYLE}</style></head><body>\n" + "\n".join(body) + "\n</body></html>\n")

"""Times Burin, ONNX Runtime and OpenVINO on the same models, in turns, at equal threads, in f32.

    bazel run //tools/peers/compare -- -venv FOLDER -m model.onnx [-data FOLDER] [-threads 2] [-html page.html]

`-h` lists the options; tools/peers/README.md says how to read the figures. Exit codes: 0 measured, 1 not, 2 measured,
but outputs part or the run is void.
"""
import argparse
import dataclasses
import datetime
import json
import os
import sys

from tools.peers.compare import engine as engines
from tools.peers.compare import environment, inputs, page, schedule, summary

ENGINES = ("burin", "onnxruntime", "openvino")


class _UsageError(Exception):
    """Says which option is wrong."""


def _parser():
    parser = argparse.ArgumentParser(prog="compare", description=__doc__.split("\n", 1)[0], allow_abbrev=False)
    add = parser.add_argument
    add("-m", metavar="MODEL", help="The model, a file.")
    add("-data", metavar="FOLDER", default="",
        help="Data for inputs: input_0.pb (TensorProto) or .npy and so on, in it or in its first test_data_set_*.")
    add("-i", metavar="FILES", default="", help="Data for inputs: NAME:FILE.npy,NAME:FILE.npy.")
    add("-shapes", metavar="SHAPES", default="",
        help="Shapes of inputs that are made up: NAME[1,3,224,224],NAME[1]. Needed where the model does not say.")
    add("-list", metavar="FILE",
        help='Several models instead: a JSON list of {"name", "model", "data", "files": {name: file}, "shapes": {name: '
             '[sizes]}}, of which all but the model may be missing. Paths are from the folder of the list.')
    add("-only", metavar="NAMES", default="", help="Of the list, the models with these names, separated by commas.")
    add("-engines", metavar="NAMES", default=",".join(ENGINES), help="Which to compare. Default: %(default)s.")
    add("-threads", metavar="N", type=int, default=1, help="Threads of each engine. Default: %(default)s.")
    add("-venv", metavar="FOLDER",
        help="The Python environment with the other engines. Where it, or a package, is not there it is made with pip.")
    add("-benchmark", metavar="FILE", help="The program of //tools:benchmark. Default: the one that was built.")
    add("-rounds", metavar="N", type=int, default=schedule.Plan.rounds, help="Default: %(default)s.")
    add("-compile_rounds", metavar="N", type=int, default=schedule.Plan.compile_rounds,
        help="Processes that each engine compiles in. Default: %(default)s.")
    add("-turn", metavar="SECONDS", type=float, default=schedule.Plan.turn_seconds,
        help="How long an engine infers in its turn, about. Default: %(default)s.")
    add("-pause", metavar="SECONDS", type=float, default=schedule.Plan.pause_seconds,
        help="What passes before each turn. Default: %(default)s.")
    add("-clock", choices=("wall", "processor"), default="wall",
        help="Ratios are of wall time, or of what all threads worked: for one thread on a machine that others use. "
             "Default: %(default)s.")
    add("-tolerance", metavar="X", type=float, default=1e-3,
        help="How far outputs may part, by the largest magnitude. Default: %(default)s.")
    add("-json", metavar="FILE", help="Writes all that was measured, anew after each model.")
    add("-html", metavar="FILE", help="Writes a page with plots.")
    add("-render", metavar="FILE", nargs="+", help="Measures nothing: makes the table and -html of files of -json.")
    return parser


def _jobs(options):
    if (options.m is None) == (options.list is None):
        raise _UsageError("One of -m and -list says what to compare")
    if options.m is not None:
        files = dict(pair.split(":", 1) for pair in options.i.split(",")) if options.i else {}
        name = os.path.basename(options.m)
        if name == "model.onnx":
            name = os.path.basename(os.path.dirname(os.path.abspath(options.m)))
        return [schedule.Job(name, options.m, options.data, files, inputs.parse_shapes(options.shapes))]
    folder = os.path.dirname(os.path.abspath(options.list))
    jobs = []
    with open(options.list, encoding="utf-8") as file:
        entries = json.load(file)
    for entry in entries:
        model = os.path.join(folder, entry["model"])
        data = os.path.join(folder, entry["data"]) if "data" in entry else ""
        files = {name: os.path.join(folder, path) for name, path in entry.get("files", {}).items()}
        jobs.append(schedule.Job(entry.get("name", entry["model"]), model, data, files, entry.get("shapes", {})))
    names = [name for name in options.only.split(",") if name]
    unknown = [name for name in names if all(name != job.name for job in jobs)]
    if unknown:
        raise _UsageError(f"Option -only: the list has no {', '.join(unknown)}")
    return [job for job in jobs if not names or job.name in names]


def _benchmark(given, start_folder):
    """The program, which a run by Bazel finds beside this, and one from the tree where Bazel builds."""
    candidates = [given] if given else [os.path.join(start_folder, "tools/benchmark/benchmark"),
                                        os.path.join(start_folder, "bazel-bin/tools/benchmark/benchmark")]
    for candidate in candidates:
        if os.access(candidate, os.X_OK) and os.path.isfile(candidate):
            return os.path.abspath(candidate)
    raise _UsageError(f"There is no program {' or '.join(candidates)}: build //tools:benchmark, or give -benchmark")


def _processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        fields = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return f"{fields[0]}, {len(fields)} processors" if fields else "unknown"


class _Commands:
    """How engines are started on a model."""

    def __init__(self, names, threads, benchmark, python):
        self._names, self._threads, self._benchmark, self._python = names, threads, benchmark, python
        self._has_precision = engines.has_precision(benchmark)

    def of(self, model):
        """By engine."""
        commands = {}
        for name in self._names:
            if name == "burin":
                commands[name] = engines.burin_command(self._benchmark, model, self._threads, self._has_precision)
            else:
                commands[name] = engines.peer_command(self._python, name, model, self._threads)
        return commands


def _versions(commands):
    versions = {}
    for name, command in commands.items():
        with engines.Process(name, command) as process:
            versions[name] = process.ask("version")["version"]
    return versions


def _why_void(pairs):
    """Why a run on several threads does not count, or nothing."""
    shared = [pair for pair in pairs if pair["shared"]]
    return "" if not shared else (f"processors {shared[0]['cpus'][0]} and {shared[0]['cpus'][1]} share a core: both do "
                                  f"{shared[0]['ratio']:.2f} of what they do alone")


def measure(options, start_folder):
    """The report of a run: what -json writes after each model."""
    names = [name for name in options.engines.split(",") if name]
    if "burin" not in names or any(name not in ENGINES for name in names):
        raise _UsageError(f"Option -engines: expected burin and some of {', '.join(ENGINES[1:])}")
    jobs = _jobs(options)
    benchmark = _benchmark(options.benchmark, start_folder)
    python = None
    if names != ["burin"]:
        if options.venv is None:
            raise _UsageError("Option -venv says where the other engines are, or are to be installed")
        python = environment.python_of(os.path.abspath(options.venv))
    plan = schedule.Plan(options.compile_rounds, options.rounds, options.turn, options.pause)
    commands = _Commands(names, options.threads, benchmark, python)
    first = commands.of(jobs[0].model)
    report = {"processor": _processor(),
              "time": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
              "threads": options.threads, "versions": _versions(first), "plan": dataclasses.asdict(plan),
              "clock": options.clock, "tolerance": options.tolerance, "cores": [], "void": "", "results": []}
    if options.threads > 1:
        report["cores"] += schedule.shared_cores(first["burin"])
    for job in jobs:
        print(f"{job.name} ...", file=sys.stderr, flush=True)
        result = schedule.run(job, commands.of(job.model), plan)
        result["summary"] = summary.summarize(result, options.clock)
        report["results"].append(result)
        report["overall"] = summary.overall(report["results"])
        if options.json:
            _write(options.json, json.dumps(report, indent=1) + "\n")
        print(summary.table([result]), file=sys.stderr, flush=True)
    if options.threads > 1:
        report["cores"] += schedule.shared_cores(first["burin"])
        report["void"] = _why_void(report["cores"])
    return report


def _merged(paths, clock):
    """One report of several: the first one's facts, and the models of all; where one is there twice, the last."""
    reports = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            reports.append(json.load(file))
    results = {result["name"]: result for report in reports for result in report["results"]}
    for result in results.values():
        result["summary"] = summary.summarize(result, clock)
    merged = dict(reports[0], results=list(results.values()), clock=clock,
                  void="; ".join(report["void"] for report in reports if report["void"]))
    merged["overall"] = summary.overall(merged["results"])
    return merged


def _write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main(arguments):
    options = _parser().parse_args(arguments)
    start_folder = os.getcwd()
    # Bazel starts programs in a folder of its own, and says where the user is.
    os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    try:
        report = _merged(options.render, options.clock) if options.render else measure(options, start_folder)
    except (_UsageError, inputs.InputError, engines.EngineError, environment.SetupError, OSError) as error:
        print(f"compare: {error}", file=sys.stderr)
        return 1
    if options.json:
        _write(options.json, json.dumps(report, indent=1) + "\n")
    if options.html:
        _write(options.html, page.render(report))
    print(summary.table(report["results"]), end="")
    far = summary.far_outputs(report["results"], report["tolerance"])
    for line in far + ([f"Void: {report['void']}"] if report["void"] else []):
        print(line)
    return 2 if far or report["void"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

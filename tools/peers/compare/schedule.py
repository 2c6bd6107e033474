"""In which order engines are asked: each in its turn, in rounds, so that what disturbs one disturbs the others.

First come rounds in which each engine compiles in a process of its own; the processes of the last of these stay, and
infer in turns. Before each turn there is a pause, in which the threads of the engine before go to sleep. A turn begins
with an inference that does not count: the caches have another engine's data.
"""
import dataclasses
import os
import statistics
import tempfile
import time

from tools.peers.compare import engine as engines
from tools.peers.compare import inputs, tensors

# Of a turn.
_LEAST_INFERENCES = 3
_MOST_INFERENCES = 2000


@dataclasses.dataclass
class Plan:
    """How long to measure."""
    compile_rounds: int = 3
    rounds: int = 15
    turn_seconds: float = 0.2
    pause_seconds: float = 0.05


@dataclasses.dataclass
class Job:
    """A model and its data."""
    name: str
    model: str
    data: str = ""
    files: dict = dataclasses.field(default_factory=dict)
    shapes: dict = dataclasses.field(default_factory=dict)


def rotated(names, number):
    """The names, from another one on in each round, and backwards in every other series of rounds: over them each comes
    first as often, and as often before another as after it."""
    at = number % len(names)
    order = names[at:] + names[:at]
    return order[::-1] if number // len(names) % 2 else order


class _Contest:
    """One model."""

    def __init__(self, job, commands, plan, folder):
        self._job = job
        self._commands = commands
        self._plan = plan
        self._folder = folder
        self._files = None
        self._processes = {}
        kinds = ("compile_ms", "compile_processor_ms", "first_ms", "memory", "rounds")
        self.result = {name: {kind: [] for kind in kinds} for name in commands}

    def close(self):
        for process in self._processes.values():
            process.close()

    def alive(self):
        return [name for name in self._commands if "error" not in self.result[name]]

    def compile(self):
        """Each engine, in each round, from a new process to the first outputs."""
        for number in range(self._plan.compile_rounds):
            for name in rotated(list(self._commands), number):
                if "error" in self.result[name]:
                    continue
                try:
                    self._compile(name)
                except (engines.EngineError, inputs.InputError, tensors.TensorError) as error:
                    self._fail(name, error)

    def _compile(self, name):
        if name in self._processes:
            self._processes.pop(name).close()
        process = self._processes[name] = engines.Process(name, self._commands[name])
        time.sleep(self._plan.pause_seconds)
        compiled = process.ask("compile")
        if self._files is None:
            self._files = inputs.make_inputs(compiled["inputs"], self._folder, self._job.data, self._job.files,
                                             self._job.shapes)
        process.ask("feed", inputs=self._files)
        first = process.ask("infer", count=1)["milliseconds"][0]
        process.ask("infer", count=2)
        result = self.result[name]
        result["compile_ms"].append(compiled["milliseconds"])
        result["compile_processor_ms"].append(compiled["processor_milliseconds"])
        result["first_ms"].append(first)
        result["memory"].append(process.ask("memory"))

    def _fail(self, name, error):
        self.result[name]["error"] = str(error)
        if name in self._processes:
            self._processes.pop(name).close()

    def compare_outputs(self):
        """How far the outputs of each pair of engines part, and of how many outputs."""
        outputs = {}
        for name in self.alive():
            folder = os.path.join(self._folder, name)
            os.makedirs(folder)
            try:
                written = self._processes[name].ask("outputs", folder=folder)["outputs"]
                outputs[name] = [tensors.read_npy(output["file"]) for output in written]
            except (engines.EngineError, tensors.TensorError) as error:
                self._fail(name, error)
        names = list(outputs)
        differences = {}
        for i, first in enumerate(names):
            for second in names[i + 1:]:
                pair = [tensors.difference(a, b) for a, b in zip(outputs[first], outputs[second])]
                if len(outputs[first]) != len(outputs[second]):
                    pair.append(float("inf"))
                differences[f"{first} {second}"] = max(pair, default=0.0)
        return differences

    def measure(self):
        """The rounds."""
        counts = {name: self._count_of(name) for name in self.alive()}
        for number in range(self._plan.rounds):
            names = self.alive()
            if not names:
                return
            for name in rotated(names, number):
                try:
                    self.result[name]["rounds"].append(self._turn(name, counts[name]))
                except engines.EngineError as error:
                    self._fail(name, error)

    def _count_of(self, name):
        """How many inferences fill a turn."""
        times = self._processes[name].ask("infer", count=3)["milliseconds"]
        count = round(1e3 * self._plan.turn_seconds / max(min(times), 1e-6))
        return max(_LEAST_INFERENCES, min(_MOST_INFERENCES, count))

    def _turn(self, name, count):
        time.sleep(self._plan.pause_seconds)
        self._processes[name].ask("infer", count=1)
        answer = self._processes[name].ask("infer", count=count)
        return {"ms": statistics.median(answer["milliseconds"]), "processor_ms":
                answer["processor_milliseconds"] / count}


def run(job, commands, plan):
    """Compares engines, whose names have commands, on one model. A dictionary: "name", "model", "engines": by name what
    was measured, or "error"; "differences" of the outputs by pair."""
    with tempfile.TemporaryDirectory(prefix="compare-") as folder:
        contest = _Contest(job, commands, plan, folder)
        try:
            contest.compile()
            differences = contest.compare_outputs()
            contest.measure()
        finally:
            contest.close()
    return {"name": job.name, "model": job.model, "engines": contest.result, "differences": differences}


def shared_cores(command):
    """What load loops on two processors at once say: the answer to "cores"."""
    with engines.Process("burin", command) as process:
        return process.ask("cores")["pairs"]

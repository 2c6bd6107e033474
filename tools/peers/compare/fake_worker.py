"""A worker for tests: doubles its first input and takes the times that it is told.

    python fake_worker.py MILLISECONDS [FAULT]

FAULT: "other" returns something else, "compile" fails to compile, "dies" ends at the fifth request for inferences,
"hangs" never answers one.
"""
import json
import os
import sys
import time

from tools.peers.compare import tensors


class FakeWorker:
    """Answers as tools/benchmark/worker/worker.h says."""

    def __init__(self, milliseconds, fault):
        self._milliseconds = milliseconds
        self._fault = fault
        self._input = None
        self._asked = 0

    def compile(self, _):
        if self._fault == "compile":
            return {"error": "UNIMPLEMENTED: what nobody knows"}
        return {"milliseconds": 10 * self._milliseconds, "processor_milliseconds": 5 * self._milliseconds,
                "inputs": [{"name": "x", "type": "f32", "shape": [2, 3]}],
                "outputs": [{"name": "y", "type": "f32", "shape": [2, 3]}]}

    def feed(self, request):
        self._input = tensors.read_npy(request["inputs"]["x"])
        return {}

    def infer(self, request):
        self._asked += 1
        if self._fault == "dies" and self._asked == 5:
            print("out of ink", file=sys.stderr)
            sys.exit(3)
        if self._fault == "hangs":
            time.sleep(1000)
        return {"milliseconds": [self._milliseconds] * request["count"],
                "processor_milliseconds": self._milliseconds * request["count"] / 2}

    def outputs(self, request):
        factor = 3 if self._fault == "other" else 2
        file = os.path.join(request["folder"], "output_0.npy")
        doubled = [factor * value for value in self._input.values()]
        tensors.write_npy(file, tensors.of_values("<f4", self._input.shape, doubled))
        return {"outputs": [{"name": "y", "file": file}]}

    def memory(self, _):
        return {"before": 1000000, "peak": 1000000 + int(1e6 * self._milliseconds)}

    def version(self, _):
        return {"version": "7.0"}

    def cores(self, _):
        return {"pairs": [{"cpus": [0, 1], "ratio": 0.5, "shared": True}]}


def main(arguments):
    worker = FakeWorker(float(arguments[0]), arguments[1] if len(arguments) > 1 else "")
    for line in sys.stdin:
        request = json.loads(line)
        answer = {} if request["do"] == "quit" else getattr(worker, request["do"])(request)
        print(json.dumps(answer), flush=True)
        if request["do"] == "quit":
            break


if __name__ == "__main__":
    main(sys.argv[1:])

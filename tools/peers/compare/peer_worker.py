"""Answers the requests of tools/benchmark/worker/worker.h with ONNX Runtime or OpenVINO.

    python peer_worker.py onnxruntime|openvino MODEL THREADS

Runs with the Python of the environment that has the packages (environment.py). Tensors are handed over once and written
in place, without copies, as Burin's are.
"""
import json
import os
import sys
import time

import numpy


def _status(field):
    with open("/proc/self/status", encoding="ascii") as file:
        for line in file:
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024
    raise RuntimeError(f"the system does not tell {field}")


def _reset_peak():
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
    except OSError:
        pass  # The peak is then that of the whole process, in which nothing larger has happened.


class OnnxRuntime:
    """A session; inputs are bound, and outputs are memory of its own."""

    def __init__(self, model, threads):
        import onnxruntime  # pylint: disable=import-outside-toplevel
        self._module = onnxruntime
        self.version = onnxruntime.__version__
        self._model = model
        self._options = onnxruntime.SessionOptions()
        self._options.intra_op_num_threads = threads
        self._options.inter_op_num_threads = 1
        self._options.log_severity_level = 3
        self._session = None
        self._binding = None
        self._inputs = {}

    def compile(self):
        self._session = self._module.InferenceSession(self._model, self._options, providers=["CPUExecutionProvider"])

    def start(self):
        self._binding = self._session.io_binding()
        for port in self._session.get_outputs():
            self._binding.bind_output(port.name)

    @staticmethod
    def _describe(ports):
        names = {"tensor(float)": "f32", "tensor(double)": "f64", "tensor(float16)": "f16", "tensor(bool)": "boolean"}
        for bits in (8, 16, 32, 64):
            names.update({f"tensor(int{bits})": f"i{bits}", f"tensor(uint{bits})": f"u{bits}"})
        return [{"name": port.name, "type": names.get(port.type, port.type),
                 "shape": [dim if isinstance(dim, int) else -1 for dim in port.shape]} for port in ports]

    def inputs(self):
        return self._describe(self._session.get_inputs())

    def outputs(self):
        return self._describe(self._session.get_outputs())

    def feed(self, name, values):
        self._inputs[name] = self._module.OrtValue.ortvalue_from_numpy(values)
        self._binding.bind_ortvalue_input(name, self._inputs[name])

    def infer(self):
        self._session.run_with_iobinding(self._binding)

    def results(self):
        return self._binding.copy_outputs_to_cpu()


class OpenVino:
    """A compiled model of one stream and a request."""

    def __init__(self, model, threads):
        import openvino  # pylint: disable=import-outside-toplevel
        self._module = openvino
        self.version = openvino.__version__
        self._model = model
        self._core = openvino.Core()
        self._properties = {"NUM_STREAMS": "1", "INFERENCE_NUM_THREADS": str(threads), "ENABLE_CPU_PINNING": "NO",
                            "INFERENCE_PRECISION_HINT": "f32"}
        self._compiled = None
        self._request = None
        self._tensors = {}

    def compile(self):
        self._compiled = self._core.compile_model(self._model, "CPU", self._properties)

    def start(self):
        self._request = self._compiled.create_infer_request()

    @staticmethod
    def _describe(ports):
        return [{"name": port.get_any_name(), "type": port.get_element_type().get_type_name(),
                 "shape": [dim.get_length() if dim.is_static else -1 for dim in port.get_partial_shape()]
                 if port.get_partial_shape().rank.is_static else None} for port in ports]

    def inputs(self):
        return self._describe(self._compiled.inputs)

    def outputs(self):
        return self._describe(self._compiled.outputs)

    def feed(self, name, values):
        self._tensors[name] = self._module.Tensor(values, shared_memory=True)
        self._request.set_tensor(name, self._tensors[name])

    def infer(self):
        self._request.start_async()
        self._request.wait()

    def results(self):
        return [self._request.get_tensor(port).data for port in self._compiled.outputs]


class Worker:
    """The state between requests."""

    def __init__(self, engine):
        self._engine = engine
        self._before = 0

    def compile(self, _):
        _reset_peak()
        self._before = _status("VmRSS")
        processor, start = time.process_time(), time.perf_counter()
        self._engine.compile()
        milliseconds = 1e3 * (time.perf_counter() - start)
        processor_milliseconds = 1e3 * (time.process_time() - processor)
        self._engine.start()
        return {"milliseconds": milliseconds, "processor_milliseconds": processor_milliseconds,
                "inputs": self._engine.inputs(), "outputs": self._engine.outputs()}

    def feed(self, request):
        for name, file in request["inputs"].items():
            self._engine.feed(name, numpy.load(file))
        return {}

    def infer(self, request):
        infer, clock = self._engine.infer, time.perf_counter
        milliseconds = []
        processor = time.process_time()
        for _ in range(request["count"]):
            start = clock()
            infer()
            milliseconds.append(1e3 * (clock() - start))
        return {"milliseconds": milliseconds, "processor_milliseconds": 1e3 * (time.process_time() - processor)}

    def outputs(self, request):
        written = []
        for i, (port, values) in enumerate(zip(self._engine.outputs(), self._engine.results())):
            file = os.path.join(request["folder"], f"output_{i}.npy")
            numpy.save(file, numpy.ascontiguousarray(values))
            written.append({"name": port["name"], "file": file})
        return {"outputs": written}

    def memory(self, _):
        return {"before": self._before, "peak": _status("VmHWM")}

    def version(self, _):
        return {"version": self._engine.version}


def main(arguments):
    engine_name, model, threads = arguments
    # What libraries print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    worker = Worker({"onnxruntime": OnnxRuntime, "openvino": OpenVino}[engine_name](model, int(threads)))
    for line in sys.stdin:
        request = json.loads(line)
        try:
            quits = request["do"] == "quit"
            answer = {} if quits else getattr(worker, request["do"])(request)
        except Exception as error:  # pylint: disable=broad-except
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)
        if quits:
            break
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

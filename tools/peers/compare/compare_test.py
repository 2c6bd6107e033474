"""Tests the comparison with engines that take the times they are told: no other engine is needed."""
import contextlib
import io
import json
import math
import os
import struct
import sys
import tempfile
import unittest
from unittest import mock

from tools.peers.compare import compare, engine, fake_worker, inputs, page, schedule, summary, tensors

_PLAN = schedule.Plan(compile_rounds=2, rounds=4, turn_seconds=0.01, pause_seconds=0)


def _fake(milliseconds, fault=""):
    return [sys.executable, fake_worker.__file__, str(milliseconds), fault]


class _FolderTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        # Workers find the modules that this test has.
        environment = mock.patch.dict(os.environ, {"PYTHONPATH": os.pathsep.join(sys.path)})
        environment.start()
        self.addCleanup(environment.stop)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)


class TensorsTest(_FolderTest):

    def test_what_is_written_is_read(self):
        for dtype, shape, values in [("<f4", (2, 2), [1, -2, 0.5, 8]), ("<i8", (3,), [1, -1, 2 ** 40]),
                                     ("|b1", (), [1]), ("<f2", (2,), [0.5, -4]), ("<f8", (0, 3), [])]:
            tensors.write_npy(self.path("a.npy"), tensors.of_values(dtype, shape, values))
            tensor = tensors.read_npy(self.path("a.npy"))
            self.assertEqual((tensor.dtype, tensor.shape, list(tensor.values())), (dtype, shape, values))
            self.assertEqual((os.path.getsize(self.path("a.npy")) - len(tensor.data)) % 64, 0)

    def test_other_files_are_refused(self):
        with self.assertRaisesRegex(tensors.TensorError, "no .npy file"):
            tensors.read_npy(self.write("a.npy", b"nothing at all"))
        tensors.write_npy(self.path("a.npy"), tensors.of_values("<f4", (2,), [1, 2]))
        with open(self.path("a.npy"), "ab") as file:
            file.write(b"x")
        with self.assertRaisesRegex(tensors.TensorError, r"takes 8 bytes, found 9"):
            tensors.read_npy(self.path("a.npy"))

    def test_protos_are_read_with_raw_data_and_with_fields(self):
        # dims: 2, packed; data_type; name; raw_data
        raw = b"\x0a\x01\x02" + b"\x10\x01" + b"\x42\x01x" + b"\x4a\x08" + struct.pack("<2f", 1.5, -2)
        name, tensor = tensors.read_proto(self.write("raw.pb", raw))
        self.assertEqual((name, tensor.dtype, tensor.shape, list(tensor.values())), ("x", "<f4", (2,), [1.5, -2]))
        # dims: 1, 2; float_data
        floats = b"\x08\x01\x08\x02" + b"\x10\x01" + b"\x22\x08" + struct.pack("<2f", 3, 4)
        self.assertEqual(list(tensors.read_proto(self.write("floats.pb", floats))[1].values()), [3, 4])
        # int64_data: 5, -1
        longs = b"\x08\x02" + b"\x10\x07" + b"\x3a\x0b\x05" + b"\xff" * 9 + b"\x01"
        self.assertEqual(list(tensors.read_proto(self.write("longs.pb", longs))[1].values()), [5, -1])
        # int32_data of an int8: -2
        byte = b"\x08\x01" + b"\x10\x03" + b"\x2a\x0a\xfe" + b"\xff" * 8 + b"\x01"
        self.assertEqual(list(tensors.read_proto(self.write("byte.pb", byte))[1].values()), [-2])
        with self.assertRaisesRegex(tensors.TensorError, "element type 8"):
            tensors.read_proto(self.write("text.pb", b"\x08\x01\x10\x08"))

    def test_differences_are_by_the_largest_magnitude(self):
        def of(*values):
            return tensors.of_values("<f4", (len(values),), values)
        self.assertEqual(tensors.difference(of(1, 2), of(1, 2)), 0)
        self.assertEqual(tensors.difference(of(1, -3), of(1, -4)), 0.25)
        self.assertEqual(tensors.difference(of(0, 0), of(0, 0)), 0)
        self.assertEqual(tensors.difference(of(math.nan, math.inf, 1), of(math.nan, math.inf, 1)), 0)
        self.assertEqual(tensors.difference(of(math.nan), of(1)), math.inf)
        self.assertEqual(tensors.difference(of(math.inf), of(1)), math.inf)
        self.assertEqual(tensors.difference(of(1), of(0)), math.inf)
        self.assertEqual(tensors.difference(of(1), of(1, 1)), math.inf)

    def test_made_up_data_is_the_same_again_and_valid_as_an_index(self):
        floats = tensors.random_tensor("<f4", (100,), 1).values()
        self.assertEqual(list(floats), list(tensors.random_tensor("<f4", (100,), 1).values()))
        self.assertNotEqual(list(floats), list(tensors.random_tensor("<f4", (100,), 2).values()))
        self.assertTrue(all(0 <= value < 1 for value in floats))
        self.assertEqual(set(tensors.random_tensor("<i8", (100,), 1).values()), {0, 1})


class InputsTest(_FolderTest):

    _PORTS = [{"name": "a", "type": "f32", "shape": [1, -1]}, {"name": "b", "type": "i64", "shape": [2]}]

    def test_shapes_are_read(self):
        self.assertEqual(inputs.parse_shapes("a[1,20],b.c[]"), {"a": [1, 20], "b.c": []})
        self.assertEqual(inputs.parse_shapes(""), {})
        for text in ("a", "a[1", "a[x]", "[1]"):
            with self.assertRaisesRegex(inputs.InputError, "-shapes"):
                inputs.parse_shapes(text)

    def test_data_comes_from_files_sets_and_shapes(self):
        tensors.write_npy(self.path("mine.npy"), tensors.of_values("<f4", (1, 1), [7]))
        written = inputs.make_inputs(self._PORTS, self.folder, files={"a": self.path("mine.npy")})
        self.assertEqual(list(tensors.read_npy(written["a"]).values()), [7])
        self.assertEqual(tensors.read_npy(written["b"]).shape, (2,))
        written = inputs.make_inputs(self._PORTS, self.folder, shapes={"a": [1, 5]})
        self.assertEqual(tensors.read_npy(written["a"]).shape, (1, 5))

    def test_a_data_set_is_matched_by_name_or_in_order(self):
        os.makedirs(self.path("data/test_data_set_0"))
        # Names "b" and "".
        self.write("data/test_data_set_0/input_0.pb", b"\x08\x02\x10\x07\x42\x01b\x3a\x02\x08\x09")
        tensors.write_npy(self.path("data/test_data_set_0/input_1.npy"), tensors.of_values("<f4", (1, 1), [4]))
        ports = [self._PORTS[1], self._PORTS[0]]
        written = inputs.make_inputs(ports, self.folder, data=self.path("data"))
        self.assertEqual(list(tensors.read_npy(written["b"]).values()), [8, 9])
        self.assertEqual(list(tensors.read_npy(written["a"]).values()), [4])
        os.remove(self.path("data/test_data_set_0/input_1.npy"))
        with self.assertRaisesRegex(inputs.InputError, 'Input "a" has no data'):
            inputs.make_inputs(ports, self.folder, data=self.path("data"))

    def test_what_is_missing_is_named(self):
        with self.assertRaisesRegex(inputs.InputError, 'Input "a" has shape'):
            inputs.make_inputs(self._PORTS, self.folder)
        with self.assertRaisesRegex(inputs.InputError, 'no input "c"; there are a, b'):
            inputs.make_inputs(self._PORTS, self.folder, shapes={"c": [1]})


class EngineTest(_FolderTest):

    def test_answers_errors_and_ends_are_told_apart(self):
        with engine.Process("fake", _fake(1)) as process:
            self.assertEqual(process.ask("compile")["milliseconds"], 10)
        with engine.Process("fake", _fake(1, "compile")) as process:
            with self.assertRaisesRegex(engine.EngineError, "fake: UNIMPLEMENTED"):
                process.ask("compile")
            self.assertIn("pairs", process.ask("cores"))
        with engine.Process("fake", _fake(1, "dies")) as process:
            for _ in range(4):
                process.ask("infer", count=1)
            with self.assertRaisesRegex(engine.EngineError, "ended with 3 at \"infer\": out of ink"):
                process.ask("infer", count=1)

    def test_an_engine_that_hangs_is_ended(self):
        with engine.Process("fake", _fake(1, "hangs"), seconds=1) as process:
            with self.assertRaisesRegex(engine.EngineError, "no answer to \"infer\" in 1 s"):
                process.ask("infer", count=1)

    def test_burin_is_started_in_f32_with_the_threads(self):
        command = " ".join(engine.burin_command("benchmark", "a.onnx", 2))
        self.assertIn("-worker -m a.onnx -d CPU", command)
        self.assertIn("-nstreams 1 -nthreads 2", command)
        self.assertIn("-infer_precision f32", command)
        self.assertNotIn("-infer_precision", engine.burin_command("benchmark", "a.onnx", 2, has_precision=False))

    def test_a_device_without_a_choice_of_precision_is_known(self):
        for text, expected in [(f"exec {' '.join(_fake(1))}", True),
                               ("echo no property INFERENCE_PRECISION_HINT >&2; exit 1", False)]:
            path = self.write("benchmark", f"#!/bin/sh\n{text}\n".encode())
            os.chmod(path, 0o755)
            self.assertEqual(engine.has_precision(path), expected)
        path = self.write("benchmark", b"#!/bin/sh\necho no such processor >&2; exit 1\n")
        with self.assertRaisesRegex(engine.EngineError, "no such processor"):
            engine.has_precision(path)


class ScheduleTest(_FolderTest):

    def run_fakes(self, **commands):
        return schedule.run(schedule.Job("toy", "toy.onnx"), commands, _PLAN)

    def test_everybody_comes_first_and_after_everybody_else(self):
        orders = [schedule.rotated(["a", "b", "c"], i) for i in range(6)]
        self.assertEqual(sorted(order[0] for order in orders), ["a", "a", "b", "b", "c", "c"])
        pairs = [(order[i], order[i + 1]) for order in orders for i in range(2)]
        self.assertEqual({pairs.count(pair) for pair in pairs}, {2})
        self.assertEqual(len(set(pairs)), 6)

    def test_times_of_all_rounds_are_kept(self):
        result = self.run_fakes(burin=_fake(2), onnxruntime=_fake(3))
        for name, milliseconds in [("burin", 2), ("onnxruntime", 3)]:
            figures = result["engines"][name]
            self.assertEqual(figures["rounds"], [{"ms": milliseconds, "processor_ms": milliseconds / 2}] * 4)
            self.assertEqual(figures["compile_ms"], [10 * milliseconds] * 2)
            self.assertEqual(figures["compile_processor_ms"], [5 * milliseconds] * 2)
            self.assertEqual(figures["first_ms"], [milliseconds] * 2)
            self.assertEqual(figures["memory"], [{"before": 1000000, "peak": 1000000 + 1000000 * milliseconds}] * 2)
        self.assertEqual(result["differences"], {"burin onnxruntime": 0})

    def test_an_engine_that_fails_does_not_stop_the_others(self):
        result = self.run_fakes(burin=_fake(2), onnxruntime=_fake(3, "compile"), openvino=_fake(3, "dies"))
        self.assertEqual(len(result["engines"]["burin"]["rounds"]), 4)
        self.assertIn("UNIMPLEMENTED", result["engines"]["onnxruntime"]["error"])
        self.assertIn("out of ink", result["engines"]["openvino"]["error"])
        self.assertEqual(summary.peers_of(result), [])

    def test_outputs_that_part_are_found(self):
        result = self.run_fakes(burin=_fake(2), onnxruntime=_fake(3), openvino=_fake(3, "other"))
        self.assertEqual(result["differences"]["burin onnxruntime"], 0)
        self.assertAlmostEqual(result["differences"]["burin openvino"], 1 / 3, places=5)
        far = summary.far_outputs([result], 1e-3)
        self.assertEqual(len(far), 2)
        self.assertIn("toy: outputs of burin and openvino part by 0.33", far[0])


def _result(name="toy", **times):
    """A result of engines with the milliseconds of each round; with a text, of one that failed."""
    engines = {}
    for engine_name, rounds in times.items():
        engines[engine_name] = {"compile_ms": [1, 3, 2], "compile_processor_ms": [1, 1, 1], "first_ms": [4],
                                "memory": [{"before": 10, "peak": 2000010}], "rounds": []}
        if isinstance(rounds, str):
            engines[engine_name]["error"] = rounds
        else:
            engines[engine_name]["rounds"] = [{"ms": ms, "processor_ms": ms} for ms in rounds]
    result = {"name": name, "model": name + ".onnx", "engines": engines, "differences": {}}
    result["summary"] = summary.summarize(result)
    return result


class SummaryTest(unittest.TestCase):

    def test_ratios_are_of_one_round(self):
        # The second round was disturbed, for both.
        result = _result(burin=[1, 10, 1], onnxruntime=[2, 20, 2], openvino=[3, 3, 1.5])
        self.assertEqual(summary.ratios(result, "onnxruntime"), [2, 2, 2])
        self.assertEqual(result["summary"]["peers"]["onnxruntime"]["ratio"], 2)
        self.assertEqual(result["summary"]["peers"]["openvino"]["ratio"], 1.5)
        self.assertEqual(result["summary"]["better_peer"], "openvino")
        self.assertEqual(result["summary"]["engines"]["burin"]["compile_ms"], 2)
        self.assertEqual(result["summary"]["engines"]["burin"]["peak_bytes"], 2000000)

    def test_the_clock_decides_what_ratios_are_of(self):
        result = _result(burin=[1, 1], onnxruntime=[2, 2], openvino=[3, 3])
        for turn in result["engines"]["openvino"]["rounds"]:
            turn["processor_ms"] = 1.5
        self.assertEqual(summary.summarize(result)["better_peer"], "onnxruntime")
        by_processor = summary.summarize(result, "processor")
        self.assertEqual(by_processor["better_peer"], "openvino")
        self.assertEqual(by_processor["peers"]["openvino"]["ratio"], 1.5)

    def test_quantiles_and_means(self):
        self.assertEqual(summary.quantile([3, 1, 2], 0.5), 2)
        self.assertEqual(summary.quantile([1, 2], 0.25), 1.25)
        self.assertIsNone(summary.quantile([], 0.5))
        self.assertAlmostEqual(summary.geometric_mean([1, 4]), 2)
        results = [_result(burin=[1], onnxruntime=[4], openvino=[5]), _result(burin=[1], onnxruntime=[1]),
                   _result(burin="no", onnxruntime=[1])]
        overall = summary.overall(results)
        self.assertEqual(overall["models"], 2)
        self.assertAlmostEqual(overall["by_peer"]["onnxruntime"], 2)
        self.assertAlmostEqual(overall["by_peer"]["openvino"], 5)
        self.assertAlmostEqual(overall["better_peer"], 2)

    def test_the_table_has_a_line_per_engine(self):
        text = summary.table([_result(burin=[1], onnxruntime=[2], openvino="gone"), _result("b", burin=[1])])
        lines = text.splitlines()
        self.assertEqual(len(lines), 6)
        self.assertRegex(lines[1], r"^toy +burin +1\.000")
        self.assertRegex(lines[2], r"^ +onnxruntime +2\.000 +2\.000 +2\.00 \* +2\.00\.\.2\.00 +2\.00 +2\.0 +1\.0 +2\.0")
        self.assertIn("error: gone", lines[3])
        self.assertIn("Geometric means of 1 models: onnxruntime 2.00", lines[5])

    def test_outputs_within_the_tolerance_are_not_told(self):
        result = dict(_result(burin=[1]), differences={"a b": 1e-5, "a c": 0.5, "b c": math.nan})
        self.assertEqual(len(summary.far_outputs([result], 1e-3)), 2)


class PageTest(unittest.TestCase):

    def report(self, results, void=""):
        return {"processor": "P", "time": "T", "threads": 1, "versions": {"burin": "", "onnxruntime": "1.0"},
                "clock": "wall", "plan": {"rounds": 3}, "results": results, "overall": summary.overall(results), "void": void}

    def test_all_is_in_one_file(self):
        text = page.render(self.report([_result("a<b", burin=[1, 2, 1], onnxruntime=[2, 1, 2], openvino="gone & lost")]))
        self.assertIn("a&lt;b", text)
        self.assertIn("gone &amp; lost", text)
        self.assertIn("<polyline", text)
        self.assertIn("<circle", text)
        self.assertNotIn("href", text)
        self.assertNotIn("src=", text)
        self.assertNotIn("http", text)
        self.assertNotIn("Void", text)

    def test_a_void_run_says_so(self):
        self.assertIn("Void: one core", page.render(self.report([], "one core")))


class MainTest(_FolderTest):

    def call(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = compare.main(arguments)
        return status, out.getvalue(), err.getvalue()

    def program(self, fault=""):
        """A program in the place of //tools:benchmark."""
        path = self.write("benchmark", f"#!/bin/sh\nexec {' '.join(_fake(2, fault))}\n".encode())
        os.chmod(path, 0o755)
        return path

    def test_burin_alone_is_measured_and_rendered(self):
        status, out, _ = self.call("-engines", "burin", "-m", "toy/model.onnx", "-benchmark", self.program(), "-rounds",
                                   "3", "-turn", "0.01", "-pause", "0", "-json", self.path("a.json"))
        self.assertEqual(status, 0, out)
        self.assertRegex(out, r"toy +burin +2\.000")
        with open(self.path("a.json"), encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)["results"][0]["engines"]["burin"]["rounds"]), 3)
        status, out, _ = self.call("-render", self.path("a.json"), self.path("a.json"), "-html", self.path("a.html"))
        self.assertEqual((status, out.count("burin")), (0, 1))
        self.assertTrue(os.path.exists(self.path("a.html")))

    def test_a_list_has_paths_from_its_folder(self):
        with open(self.path("list.json"), "w", encoding="utf-8") as file:
            json.dump([{"name": "one", "model": "one.onnx"}, {"name": "two", "model": "two.onnx"}], file)
        arguments = ["-engines", "burin", "-list", self.path("list.json"), "-benchmark", self.program(), "-rounds", "1",
                     "-turn", "0.01", "-pause", "0", "-json", self.path("a.json")]
        self.assertEqual(self.call(*arguments, "-only", "two")[0], 0)
        with open(self.path("a.json"), encoding="utf-8") as file:
            results = json.load(file)["results"]
        self.assertEqual([(result["name"], result["model"]) for result in results], [("two", self.path("two.onnx"))])
        status, _, err = self.call(*arguments, "-only", "three")
        self.assertEqual(status, 1)
        self.assertIn("has no three", err)

    def test_a_run_on_shared_cores_is_void(self):
        status, out, _ = self.call("-engines", "burin", "-m", "a.onnx", "-benchmark", self.program(), "-rounds", "1",
                                   "-turn", "0.01", "-pause", "0", "-threads", "2")
        self.assertEqual(status, 2)
        self.assertIn("Void: processors 0 and 1 share a core: both do 0.50", out)

    def test_wrong_options_are_named(self):
        for arguments, message in [
            (["-engines", "burin"], "-m and -list"),
            (["-m", "a", "-list", "b"], "-m and -list"),
            (["-m", "a", "-engines", "openvino"], "-engines"),
            (["-m", "a", "-engines", "burin,abacus"], "-engines"),
            (["-m", "a", "-benchmark", "/no/benchmark"], "/no/benchmark"),
            (["-m", "a", "-benchmark", self.program()], "-venv"),
            (["-m", "a", "-engines", "burin", "-shapes", "x"], "-shapes"),
            (["-list", "/no/list.json", "-engines", "burin"], "/no/list.json"),
        ]:
            status, _, err = self.call(*arguments)
            self.assertEqual(status, 1, arguments)
            self.assertIn(message, err)


if __name__ == "__main__":
    unittest.main()

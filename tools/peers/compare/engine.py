"""An engine in a process of its own, which is asked over pipes: a line of JSON for a line of JSON.

The requests are those of tools/benchmark/worker/worker.h; peer_worker.py answers the same ones for other engines.
"""
import contextlib
import json
import os
import select
import subprocess
import tempfile
import time


class EngineError(Exception):
    """Says what an engine answered, or that it is gone."""


class Process:
    """A running worker. Ends with the block of `with`."""

    def __init__(self, name, command, seconds=600):
        self.name = name
        self._seconds = seconds
        self._messages = tempfile.TemporaryFile()
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=self._messages)
        self._buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def ask(self, task, **fields):
        """The answer to a request, a dictionary. EngineError where it is an error, or none comes in time."""
        try:
            self._process.stdin.write(json.dumps({"do": task, **fields}).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._gone(task) from None
        answer = json.loads(self._read_line(task))
        if "error" in answer:
            raise EngineError(f"{self.name}: {answer['error']}")
        return answer

    def close(self):
        if self._process.poll() is None:
            try:
                self.ask("quit")
                self._process.wait(timeout=10)
            except (EngineError, ValueError, subprocess.TimeoutExpired):
                self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):  # A request that nobody read is still to be written.
                pipe.close()
        self._messages.close()

    def _read_line(self, task):
        end = time.monotonic() + self._seconds
        while b"\n" not in self._buffer:
            ready, _, _ = select.select([self._process.stdout], [], [], max(0, end - time.monotonic()))
            if not ready:
                self._process.kill()
                raise EngineError(f"{self.name}: no answer to \"{task}\" in {self._seconds} s")
            part = os.read(self._process.stdout.fileno(), 1 << 16)
            if not part:
                raise self._gone(task)
            self._buffer += part
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line

    def _gone(self, task):
        status = self._process.wait()
        self._messages.seek(0)
        last = self._messages.read().decode(errors="replace").strip().splitlines()[-3:]
        return EngineError(f"{self.name}: the process ended with {status} at \"{task}\": {' / '.join(last)}")


def burin_command(benchmark, model, threads, has_precision=True):
    """How Burin is started: one stream, f32 where another type could be chosen, and threads that the system may move, as
    those of the others."""
    command = [benchmark, "-worker", "-m", model, "-d", "CPU", "-hint", "none", "-nstreams", "1", "-nthreads",
               str(threads), "-pin", "NO"]
    return command + (["-infer_precision", "f32"] if has_precision else [])


def has_precision(benchmark):
    """Whether Burin's device lets the type be chosen in which it computes; otherwise it is f32."""
    with Process("burin", burin_command(benchmark, "none", 1)) as process:
        try:
            process.ask("version")
        except EngineError as error:
            if "INFERENCE_PRECISION_HINT" in str(error):
                return False
            raise
    return True


def peer_command(python, engine, model, threads):
    """How another engine is started, with the Python that has its package."""
    worker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer_worker.py")
    return [python, "-B", worker, engine, model, str(threads)]

"""The throw-away environment that has the other engines: made with pip where it is not there."""
import os
import shutil
import subprocess
import sys

PACKAGES = ("numpy", "onnxruntime", "openvino")


class SetupError(Exception):
    """Says what is missing."""


def python_of(folder):
    """The Python of the environment at `folder`, which is made, with PACKAGES, where there is none."""
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(python):
        _run([sys.executable, "-m", "venv", "--without-pip", folder])
    missing = [name for name in PACKAGES if not _has(python, name)]
    if missing:
        print(f"Installing {' '.join(missing)} into {folder}", file=sys.stderr)
        _run([*_pip(), "--disable-pip-version-check", "--python", python, "install", "--quiet", *missing])
    return python


def _has(python, name):
    code = f"import importlib.util as u, sys; sys.exit(u.find_spec({name!r}) is None)"
    return subprocess.run([python, "-c", code], check=False).returncode == 0


def _pip():
    """A pip that installs for another Python: since 22.3."""
    if subprocess.run([sys.executable, "-m", "pip", "--version"], check=False, capture_output=True).returncode == 0:
        return [sys.executable, "-m", "pip"]
    pip = shutil.which("pip3") or shutil.which("pip")
    if pip is None:
        raise SetupError("There is no pip: install it, or make the environment with " + ", ".join(PACKAGES))
    return [pip]


def _run(command):
    result = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        raise SetupError(f"{' '.join(command)} failed: {result.stdout.strip()[-2000:]}")

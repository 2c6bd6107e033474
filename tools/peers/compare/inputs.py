"""The data that all engines are given: of a data set, of files, or made up."""
import glob
import os
import re

from tools.peers.compare import tensors


class InputError(Exception):
    """Says which input has no data."""


def parse_shapes(text):
    """Shapes by name of "in1[1,3,224,224],in2[1]"."""
    if not re.fullmatch(r"(?:,?[^\[\],]+\[[0-9,]*\])*", text):
        raise InputError(f"Option -shapes: expected NAME[1,2],NAME[1], found \"{text}\"")
    return {name: [int(dim) for dim in dims.split(",") if dim]
            for name, dims in re.findall(r"([^\[\],]+)\[([0-9,]*)\]", text)}


def _of_data_set(ports, folder):
    """Tensors by name, of a folder with input_0.pb or input_0.npy, or of the first data set in it."""
    sets = sorted(glob.glob(os.path.join(glob.escape(folder), "test_data_set_*")))
    folder = sets[0] if sets else folder
    found = {}
    for i, port in enumerate(ports):
        path = os.path.join(folder, f"input_{i}")
        if os.path.exists(path + ".pb"):
            name, tensor = tensors.read_proto(path + ".pb")
        elif os.path.exists(path + ".npy"):
            name, tensor = "", tensors.read_npy(path + ".npy")
        else:
            raise InputError(f"Input \"{port['name']}\" has no data: there is neither {path}.pb nor .npy")
        found[name if any(name == other["name"] for other in ports) else port["name"]] = tensor
    return found


def make_inputs(ports, folder, data="", files=None, shapes=None):
    """Writes the data of each port into `folder`; returns the files by the port's name. `ports` are as a worker
    describes them, `data` is a data set, `files` and `shapes` are by name."""
    files, shapes = files or {}, shapes or {}
    for name in [*files, *shapes]:
        if all(name != port["name"] for port in ports):
            raise InputError(f"There is no input \"{name}\"; there are {', '.join(port['name'] for port in ports)}")
    given = _of_data_set(ports, data) if data else {}
    written = {}
    for i, port in enumerate(ports):
        name = port["name"]
        if name in files:
            tensor = tensors.read_npy(files[name])
        elif name in given:
            tensor = given[name]
        else:
            shape = shapes.get(name, port["shape"])
            if shape is None or min(shape, default=0) < 0:
                raise InputError(f"Input \"{name}\" has shape {shape}: -shapes, -data or -i says what it is given")
            tensor = tensors.random_tensor(tensors.DTYPES[port["type"]], shape, seed=i + 1)
        written[name] = os.path.join(folder, f"input_{i}.npy")
        tensors.write_npy(written[name], tensor)
    return written

"""Tensors in files: NumPy's .npy, the TensorProto of ONNX test data, and how far two of them part.

Plain Python, so that the tool needs no package where it runs. Formats: numpy.lib.format version 1, onnx.proto's
TensorProto in protobuf's wire format.
"""
import array
import ast
import math
import random
import struct
import sys

# A dtype of .npy -> the code of array and struct.
_CODES = {"<f4": "f", "<f8": "d", "<i2": "h", "<i4": "i", "<i8": "q", "<u2": "H", "<u4": "I", "<u8": "Q", "|b1": "B",
          "|i1": "b", "|u1": "B", "<f2": "e"}

# A type of TensorProto -> its dtype, and the field that has its values where raw_data has not.
_PROTO_TYPES = {1: ("<f4", 4), 2: ("|u1", 5), 3: ("|i1", 5), 4: ("<u2", 5), 5: ("<i2", 5), 6: ("<i4", 5),
                7: ("<i8", 7), 9: ("|b1", 5), 10: ("<f2", 5), 11: ("<f8", 10), 12: ("<u4", 11), 13: ("<u8", 11)}

# An element type as workers name it -> its dtype.
DTYPES = {"f16": "<f2", "f32": "<f4", "f64": "<f8", "i8": "|i1", "i16": "<i2", "i32": "<i4", "i64": "<i8", "u8": "|u1",
          "u16": "<u2", "u32": "<u4", "u64": "<u8", "boolean": "|b1"}


class TensorError(Exception):
    """Says what is wrong with a file."""


class Tensor:
    """A dense little-endian tensor in row-major order."""

    def __init__(self, dtype, shape, data):
        if dtype not in _CODES:
            raise TensorError(f"element type {dtype} is not read")
        self.dtype = dtype
        self.shape = tuple(shape)
        self.data = bytes(data)
        wanted = math.prod(self.shape) * struct.calcsize("<" + _CODES[dtype])
        if len(self.data) != wanted:
            raise TensorError(f"{dtype}{list(self.shape)} takes {wanted} bytes, found {len(self.data)}")

    def values(self):
        """The elements, as a sequence of numbers."""
        code = _CODES[self.dtype]
        if code == "e" or sys.byteorder != "little":
            return struct.unpack(f"<{math.prod(self.shape)}{code}", self.data)
        return array.array(code, self.data)


def of_values(dtype, shape, values):
    """A tensor of numbers."""
    return Tensor(dtype, shape, struct.pack(f"<{math.prod(shape)}{_CODES[dtype]}", *values))


def read_npy(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:6] != b"\x93NUMPY" or data[6:7] not in (b"\1", b"\2"):
        raise TensorError(f"{path} is no .npy file of version 1 or 2")
    size = 2 if data[6] == 1 else 4
    begin = 8 + size
    end = begin + int.from_bytes(data[8:begin], "little")
    header = ast.literal_eval(data[begin:end].decode("latin-1").strip())
    if header["fortran_order"] and len(header["shape"]) > 1:
        raise TensorError(f"{path} is in Fortran order, which is not read")
    return Tensor(header["descr"], header["shape"], data[end:])


def write_npy(path, tensor):
    header = f"{{'descr': '{tensor.dtype}', 'fortran_order': False, 'shape': {tensor.shape}, }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode("ascii") + tensor.data)


def _varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        shift += 7
        if byte < 0x80:
            return value, at


def _fields(data):
    """Yields the (number, value) of each field of a message; bytes of those with a length, else integers."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = _varint(data, at)
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            value, at = data[at:at + size], at + size
        elif kind == 2:
            size, at = _varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            raise TensorError(f"wire type {kind} is not read")
        yield key >> 3, value


def _varints(value):
    """The integers of a repeated field, packed or not."""
    if isinstance(value, int):
        return [value]
    numbers, at = [], 0
    while at < len(value):
        number, at = _varint(value, at)
        numbers.append(number)
    return numbers


def _signed(number):
    return number - (1 << 64) if number >> 63 else number


def read_proto(path):
    """(name, tensor) of a file with a TensorProto."""
    with open(path, "rb") as file:
        data = file.read()
    shape, kind, name, raw, typed = [], 0, "", None, {}
    for number, value in _fields(data):
        if number == 1:
            shape += [_signed(dim) for dim in _varints(value)]
        elif number == 2:
            kind = value
        elif number == 8:
            name = value.decode()
        elif number == 9:
            raw = value
        elif number in (4, 5, 7, 10, 11):
            typed.setdefault(number, []).append(value)
    if kind not in _PROTO_TYPES:
        raise TensorError(f"{path}: element type {kind} of a TensorProto is not read")
    dtype, field = _PROTO_TYPES[kind]
    if raw is None:
        parts = typed.get(field, [])
        if field in (4, 10):
            raw = b"".join(parts)
        else:
            # Bits of float16 are kept as numbers.
            code = {"e": "H"}.get(_CODES[dtype], _CODES[dtype])
            mask = (1 << 8 * struct.calcsize("<" + code)) - 1
            numbers = [number & mask for part in parts for number in _varints(part)]
            raw = struct.pack(f"<{len(numbers)}{code.upper()}", *numbers)
    return name, Tensor(dtype, shape, raw)


def random_tensor(dtype, shape, seed):
    """Numbers in [0, 1), or, of integers, 0 and 1: what is valid as an index, a mask and a picture."""
    generator = random.Random(seed)
    count = math.prod(shape)
    code = _CODES[dtype]
    numbers = ([generator.random() for _ in range(count)] if code in "efd"
               else [generator.randrange(2) for _ in range(count)])
    return of_values(dtype, shape, numbers)


def difference(a, b):
    """The largest difference of two tensors' elements by the largest magnitude in the second; inf where they cannot be
    compared, or one has a NaN where the other has none."""
    if a.shape != b.shape:
        return math.inf
    largest, scale = 0.0, 0.0
    for x, y in zip(a.values(), b.values()):
        if x == y or (x != x and y != y):
            scale = max(scale, abs(y)) if y == y and abs(y) != math.inf else scale
            continue
        if x != x or y != y or math.inf in (abs(x), abs(y)):
            return math.inf
        largest = max(largest, abs(x - y))
        scale = max(scale, abs(y))
    if largest == 0:
        return 0.0
    return largest / scale if scale > 0 else math.inf

"""The tensors and metadata of an ONNX file, read without the onnx package.

An ONNX file is one protobuf message, of which only these fields matter (humanoid specification, section 5.2):
ModelProto 7 graph, 14 metadata entry (1 key, 2 value); GraphProto 5 initialiser; TensorProto 1 dims (packed or one by
one), 2 data type (1 is float32), 4 float data, 8 name, 9 raw data. Nothing in the file is run, and a file that is no
such message is an error, whatever its bytes.
"""

import math
from collections.abc import Iterator

import numpy as np

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""Wire types of protobuf."""

GRAPH, METADATA, INITIALISER = 7, 14, 5
DIMS, DATA_TYPE, FLOAT_DATA, NAME, RAW_DATA = 1, 2, 4, 8, 9
FLOAT32 = 1
LONGEST_VARINT = 10
"""Bytes of a 64-bit number."""


def read(data: bytes) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """The float32 initialisers and the metadata of an ONNX model; tensors of other types are left out.

    Args:
        data: the file's bytes.

    Returns:
        Arrays by name, and metadata strings by key.

    Raises:
        ValueError: the bytes are no ONNX model.
    """
    tensors: dict[str, np.ndarray] = {}
    metadata: dict[str, str] = {}
    try:
        for number, _, value in _fields(data):
            if number == GRAPH:
                tensors |= dict(_initialisers(_text_free(value)))
            elif number == METADATA:
                entry = {key: _text_free(text).decode() for key, _, text in _fields(_text_free(value))}
                metadata[entry[1]] = entry[2]
    except (ValueError, KeyError, IndexError, OverflowError) as error:
        raise ValueError(f"no ONNX model: {error}") from error
    if not tensors:
        raise ValueError("no ONNX model: it holds no float32 tensor")
    return tensors, metadata


def _text_free(value: int | bytes) -> bytes:
    """The bytes of a field that must have some."""
    if isinstance(value, int):
        raise ValueError("a number where bytes were expected")
    return value


def _initialisers(graph: bytes) -> Iterator[tuple[str, np.ndarray]]:
    for number, _, value in _fields(graph):
        if number == INITIALISER:
            name, array = _tensor(_text_free(value))
            if array is not None:
                yield name, array


def _tensor(data: bytes) -> tuple[str, np.ndarray | None]:
    """Name and array of a TensorProto; None for another type than float32."""
    dims: list[int] = []
    name, kind, floats, raw = "", 0, b"", None
    for number, wire, value in _fields(data):
        if number == DIMS:
            dims += _packed(value) if isinstance(value, bytes) else [value]
        elif number == DATA_TYPE and isinstance(value, int):
            kind = value
        elif number == FLOAT_DATA and wire in (BYTES, FIXED32):
            floats += _text_free(value)
        elif number == NAME:
            name = _text_free(value).decode()
        elif number == RAW_DATA:
            raw = _text_free(value)
    if kind != FLOAT32:
        return name, None
    content = floats if raw is None else raw
    if len(content) != 4 * math.prod(dims):
        raise ValueError(f"tensor {name!r} of shape {tuple(dims)} holds {len(content)} bytes")
    return name, np.frombuffer(content, "<f4").reshape(dims)


def _packed(data: bytes) -> list[int]:
    found, at = [], 0
    while at < len(data):
        value, at = _varint(data, at)
        found.append(value)
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits per byte, the lowest first, and the place after it."""
    value = 0
    for k in range(LONGEST_VARINT):
        byte = data[at + k]
        value |= (byte & 0x7F) << (7 * k)
        if byte < 0x80:
            return value, at + k + 1
    raise ValueError("a number does not end")


def _fields(data: bytes) -> Iterator[tuple[int, int, int | bytes]]:
    """Field number, wire type and value of every field of a message."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == VARINT:
            value, at = _varint(data, at)
            yield number, wire, value
            continue
        if wire == BYTES:
            size, at = _varint(data, at)
        elif wire in (FIXED64, FIXED32):
            size = 8 if wire == FIXED64 else 4
        else:
            raise ValueError(f"wire type {wire} at byte {at}")
        if at + size > len(data):
            raise ValueError(f"a field of {size} bytes at byte {at} of {len(data)}")
        yield number, wire, data[at : at + size]
        at += size

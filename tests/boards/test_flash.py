"""``loopline flash`` with programmers that only write down how they were called."""

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from loopline.boards import BOARDS, flash
from loopline.boards.__main__ import main
from loopline.boards.board import Programmer
from tests.host.leftovers import ends

HX8K = BOARDS["hx8k"]
BITSTREAM = b"\x7e\xaa\x99\x7e and so on"
RECORD = """\
#!/bin/sh
printf '%s\\n' "$@" > "$CALLED"
for last; do :; done
cat "$last" > "$CALLED.bitstream"
"""
PROGRAMMERS = {
    "works": "echo programming",
    "fails": "echo 'no device' >&2; exit 3",
    "hangs up": "kill -HUP $$",
    "never ends": 'echo $$ > "$CALLED.pid"; exec sleep 1000',
    "does not listen": 'trap "" INT TERM HUP; echo $$ > "$CALLED.pid"; while :; do sleep 0.1; done',
}

pytestmark = pytest.mark.usefixtures("keep_signals")


@pytest.fixture
def built(tmp_path, monkeypatch):
    """A folder as ``loopline build`` leaves it, in which the test works; the archive is in it."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "build" / "hx8k"
    folder.mkdir(parents=True)
    manifest = {
        "board": "hx8k",
        "sha256": {"loopline.bin": hashlib.sha256(BITSTREAM).hexdigest()},
    }
    (folder / "loopline.bin").write_bytes(BITSTREAM)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    pack(folder)
    return folder


def pack(folder, method=zipfile.ZIP_STORED):
    with zipfile.ZipFile(folder / "hx8k.zip", "w", method) as archive:
        for name in ("loopline.bin", "manifest.json"):
            archive.write(folder / name, name)


@pytest.fixture
def programmer(tmp_path, monkeypatch):
    """Put a programmer of one of these kinds on the path, and return what records its call."""
    folder, called = tmp_path / "bin", tmp_path / "called"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("CALLED", str(called))

    def put(kind, tool="iceprog"):
        path = folder / tool
        path.write_text(RECORD + PROGRAMMERS[kind] + "\n")
        path.chmod(0o755)
        return called

    return put


@pytest.fixture
def leftovers(tmp_path, monkeypatch):
    """Temporary files are in a folder that is empty at the end."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert list(folder.iterdir()) == []


def error_of(capsys, words, status=1):
    """The one line that a command prints on standard error."""
    assert main(words) == status
    (line,) = capsys.readouterr().err.splitlines()
    return line.removeprefix("loopline flash: ")


@pytest.mark.parametrize("where", [[], ["build/hx8k"], ["build/hx8k/hx8k.zip"]])
@pytest.mark.parametrize(("option", "given"), [("--flash", []), ("--sram", ["-S"]), (None, [])])
@pytest.mark.usefixtures("built", "leftovers")
def test_the_programmer_gets_the_bitstream(programmer, capfd, where, option, given):
    called = programmer("works")
    assert main(["flash", "hx8k", *where, *([option] if option else [])]) == 0
    assert called.read_text().split() == [*given, "loopline.bin"]
    assert Path(f"{called}.bitstream").read_bytes() == BITSTREAM
    shown = "build/hx8k/loopline.bin"
    if where[-1:] == ["build/hx8k/hx8k.zip"]:
        shown = "loopline.bin  # of build/hx8k/hx8k.zip"
    first, *rest = capfd.readouterr().out.splitlines()
    assert first == f"hx8k: {' '.join(['iceprog', *given, shown])}"
    assert rest == ["programming", "hx8k: done"]


@pytest.mark.parametrize(
    ("name", "option", "arguments"),
    [
        ("tinyfpga-bx", [], ["tinyprog", "-p"]),
        ("ulx3s-85f", [], ["openFPGALoader", "-b", "ulx3s", "-f"]),
        ("ulx3s-85f", ["--sram"], ["openFPGALoader", "-b", "ulx3s"]),
        ("orangecrab-25f", [], ["dfu-util", "-d", "1209:5af0", "-a", "0", "-D"]),
        ("tang-nano-20k", ["--sram"], ["openFPGALoader", "-b", "tangnano20k"]),
    ],
)
@pytest.mark.usefixtures("leftovers")
def test_every_programmer_gets_its_arguments(
    programmer, tmp_path, monkeypatch, capfd, name, option, arguments
):
    monkeypatch.chdir(tmp_path)
    bitstream = BOARDS[name].family.bitstream
    checksum = hashlib.sha256(BITSTREAM).hexdigest()
    manifest = {"board": name, "sha256": {bitstream: checksum}}
    with zipfile.ZipFile("some.zip", "w") as archive:
        archive.writestr(bitstream, BITSTREAM)
        archive.writestr("manifest.json", json.dumps(manifest))
    tool, *given = arguments
    called = programmer("works", tool)
    assert main(["flash", name, "some.zip", *option]) == 0
    assert called.read_text().split() == [*given, bitstream]
    assert Path(f"{called}.bitstream").read_bytes() == BITSTREAM
    shown = " ".join([*arguments, bitstream])
    assert capfd.readouterr().out.splitlines()[0] == f"{name}: {shown}  # of some.zip"


@pytest.mark.usefixtures("built")
def test_a_dry_run_prints_the_command_and_needs_no_programmer(monkeypatch, capsys, programmer):
    called = programmer("works")
    assert main("flash hx8k --dry-run --sram".split()) == 0
    assert capsys.readouterr().out == "iceprog -S build/hx8k/loopline.bin\n"
    monkeypatch.setenv("PATH", "")
    assert main("flash hx8k build/hx8k/hx8k.zip --dry-run".split()) == 0
    assert capsys.readouterr().out == "iceprog loopline.bin  # of build/hx8k/hx8k.zip\n"
    assert not called.exists()


@pytest.mark.usefixtures("built")
def test_a_programmer_that_is_missing(monkeypatch, capsys):
    monkeypatch.setenv("PATH", "")
    line = error_of(capsys, ["flash", "hx8k"])
    assert line == "iceprog is not installed: apt install fpga-icestorm"


@pytest.mark.usefixtures("built")
def test_another_programmer_where_that_is_missing(monkeypatch, tmp_path, capsys, programmer):
    called = programmer("works", "openFPGALoader")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    # With nothing else on the path but what the programmers of the test run.
    (tmp_path / "bin" / "cat").symlink_to(shutil.which("cat"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert main("flash hx8k --dry-run".split()) == 0
    assert capsys.readouterr().out == "openFPGALoader -b ice40_generic -f build/hx8k/loopline.bin\n"
    assert main("flash hx8k".split()) == 0
    assert called.read_text().split() == ["-b", "ice40_generic", "-f", "loopline.bin"]
    called.unlink()
    # It cannot load the FPGA of this board.
    line = error_of(capsys, ["flash", "hx8k", "--sram"])
    assert line == "iceprog is not installed: apt install fpga-icestorm"
    programmer("works")
    assert main("flash hx8k".split()) == 0
    assert called.read_text().split() == ["loopline.bin"]


@pytest.mark.usefixtures("built", "leftovers")
def test_a_programmer_that_fails(programmer, capfd):
    programmer("fails")
    assert main(["flash", "hx8k"]) == 1
    assert capfd.readouterr().err == (
        "no device\nloopline flash: iceprog failed with status 3: is the board connected, and may "
        "you use its port?\n"
    )


@pytest.mark.usefixtures("built", "leftovers")
def test_a_programmer_that_hangs_up(programmer, capsys):
    programmer("hangs up")
    assert error_of(capsys, ["flash", "hx8k"]) == "iceprog was ended by SIGHUP"


@pytest.mark.parametrize("kind", ["never ends", "does not listen"])
@pytest.mark.usefixtures("built", "leftovers")
def test_a_programmer_that_never_ends(programmer, monkeypatch, capsys, kind):
    monkeypatch.setattr(flash, "_SECONDS", 0.5)
    monkeypatch.setattr(flash, "_GRACE_SECONDS", 0.2)
    called = programmer(kind)
    assert error_of(capsys, ["flash", "hx8k"]) == "iceprog was not done after 0.5 seconds"
    assert ends(int(Path(f"{called}.pid").read_text()), 5)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.usefixtures("built", "hangup_ends", "leftovers")
def test_an_interruption_ends_the_programmer(programmer, number):
    called = programmer("never ends")
    pid = Path(f"{called}.pid")
    with subprocess.Popen(
        [sys.executable, "-m", "loopline.boards", "flash", "hx8k"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        while not (pid.exists() and pid.read_text()):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(number)
        _, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (
        (130, "\ninterrupted\n") if number == signal.SIGINT else (128 + number, "")
    )
    assert ends(int(pid.read_text()), 5)


@pytest.mark.usefixtures("programmer")
class TestRefused:
    """What is not the build of this board is not written, whatever it is."""

    @pytest.fixture(autouse=True)
    def no_call(self, programmer):
        called = programmer("works")
        yield
        assert not called.exists()

    @pytest.mark.parametrize("where", ["build/hx8k", "build/hx8k/hx8k.zip"])
    def test_another_board(self, built, capsys, where):
        manifest = built / "manifest.json"
        manifest.write_text(manifest.read_text().replace("hx8k", "ulx3s-85f"))
        pack(built)
        line = error_of(capsys, ["flash", "hx8k", where])
        assert line == f"{where} is for the board ulx3s-85f, not for hx8k"

    @pytest.mark.parametrize("where", ["build/hx8k", "build/hx8k/hx8k.zip"])
    def test_another_bitstream(self, built, capsys, where):
        (built / "loopline.bin").write_bytes(BITSTREAM + b".")
        pack(built)
        line = error_of(capsys, ["flash", "hx8k", where])
        assert line == (
            f"loopline.bin in {where} is not the one of its manifest: build it with loopline build "
            "hx8k"
        )

    @pytest.mark.parametrize(
        "manifest",
        [b"{", b"[]", b'{"board": "hx8k"}', b"\xff", pytest.param(b"[" * 10**6, id="deep")],
    )
    def test_a_manifest_that_is_none(self, built, capsys, manifest):
        (built / "manifest.json").write_bytes(manifest)
        line = error_of(capsys, ["flash", "hx8k"])
        assert line.startswith("build/hx8k is no folder or archive of a build: build it with")

    def test_files_that_are_missing(self, built, capsys):
        again = "build it with loopline build hx8k"
        (built / "loopline.bin").unlink()
        line = error_of(capsys, ["flash", "hx8k"])
        assert line == f"there is no loopline.bin in build/hx8k: {again}"
        (built / "manifest.json").unlink()
        line = error_of(capsys, ["flash", "hx8k"])
        assert line == f"there is no manifest.json in build/hx8k: {again}"
        line = error_of(capsys, ["flash", "hx8k", "nowhere.zip"])
        assert line == f"there is no nowhere.zip: {again}"

    @pytest.mark.parametrize("text", [b"", b"PK\x05\x06", b"PK\x05\x06" + bytes(18)])
    def test_an_archive_that_is_none(self, built, capsys, text):
        (built / "some.zip").write_bytes(text)
        line = error_of(capsys, ["flash", "hx8k", "build/hx8k/some.zip"])
        assert line.startswith("build/hx8k/some.zip is no folder or archive of a build: build it")

    @pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
    def test_an_archive_with_a_damaged_byte(self, built, method):
        """Also one that was packed again, and so compressed."""
        archive, chance = built / "hx8k.zip", random.Random(method)
        pack(built, method)
        whole = archive.read_bytes()
        for _ in range(1000):
            damaged = bytearray(whole)
            damaged[chance.randrange(len(whole))] ^= chance.randrange(1, 256)
            archive.write_bytes(damaged)
            with suppress(flash.FlashError):
                assert flash.bitstream_of(HX8K, archive) == BITSTREAM

    def test_a_pipe(self, built, capsys):
        os.mkfifo("pipe")
        line = error_of(capsys, ["flash", "hx8k", "pipe"])
        assert line.startswith("pipe is no folder or archive of a build: build it")

    def test_wrong_use(self, built, monkeypatch, capsys):
        with pytest.raises(SystemExit, match="2"):
            main(["flash", "nano"])
        assert "no board 'nano'; there are: " in capsys.readouterr().err
        with pytest.raises(SystemExit, match="2"):
            main("flash hx8k --sram --flash".split())
        assert "not allowed with argument --sram" in capsys.readouterr().err
        only = replace(HX8K, programmer=Programmer("tinyprog", sram=None, flash=("-p",)))
        monkeypatch.setitem(BOARDS, "hx8k", only)
        with pytest.raises(SystemExit, match="2"):
            main("flash hx8k --sram".split())
        line = capsys.readouterr().err.splitlines()[-1]
        assert line.startswith(
            "loopline flash: --sram: tinyprog cannot do that on hx8k, only --flash"
        )
        assert main("flash hx8k --dry-run".split()) == 0
        assert capsys.readouterr().out == "tinyprog -p build/hx8k/loopline.bin\n"

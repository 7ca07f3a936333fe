"""What the tests of the heddle program share: running it, and making files for it."""
import json
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.environ.get("HEDDLE_PROGRAM", "")
EPS = {"s": 2.0 ** -23, "c": 2.0 ** -23, "d": 2.0 ** -52, "z": 2.0 ** -52}
SECONDS = 600


class ProgramTest(unittest.TestCase):
    """A scratch folder for each test, and the program run in it."""

    command = "svdvals"  # whose values() are

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="heddle-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, name, content):
        mode = "wb" if isinstance(content, bytes) else "w"
        with open(self.path(name), mode) as f:
            f.write(content)
        return name

    def run_program(self, *words, stdin=None, env=None):
        """Returns exit code, standard output and standard error (text)."""
        done = subprocess.run([PROGRAM, *words], input=stdin, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=SECONDS, env=dict(os.environ, **(env or {})), check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def succeed(self, *words, stdin=None):
        code, out, err = self.run_program(*words, stdin=stdin)
        self.assertEqual(code, 0, err)
        return out, err

    def values(self, *words, stdin=None):
        out, _ = self.succeed(self.command, *words, stdin=stdin)
        return [float(line) for line in out.splitlines()]

    def json(self, *words):
        out, _ = self.succeed(*words)
        return json.loads(out)

    def refuse(self, code, pattern, *words, stdin=None, env=None):
        """The program must end with this code, say what matches pattern and write nothing: no output, no new file."""
        before = sorted(os.listdir(self.folder))
        got, out, err = self.run_program(*words, stdin=stdin, env=env)
        self.assertEqual(got, code, err)
        self.assertEqual(out, "")
        self.assertTrue(re.search(pattern, err), f"{err!r} does not match {pattern!r}")
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def assert_close(self, got, expected, eps=EPS["d"], factor=32):
        self.assertEqual(len(got), len(expected), got)
        norm = max(map(abs, expected), default=0)
        for g, e in zip(got, expected):
            self.assertLessEqual(abs(g - e), factor * eps * norm, f"{got} is not {expected}")


class TerminalTest(ProgramTest):
    """The same with a terminal to watch."""

    def start(self, *words):
        """The program with a terminal as its standard error.  Returns the process and our side of the terminal."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen([PROGRAM, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        self.addCleanup(os.close, ours)
        self.addCleanup(process.stdout.close)
        return process, ours

    def read(self, terminal, until=None):
        """What comes until the pattern does, or until the other side is closed."""
        text = b""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and not (until and until.search(text)):
            if not select.select([terminal], [], [], 1)[0]:
                continue
            try:
                piece = os.read(terminal, 4096)
            except OSError:  # closed
                break
            if not piece:
                break
            text += piece
        return text


def npy(letter, m, n, elements, fortran=False):
    """The bytes of an .npy file; letter: f4, f8, c8 or c16; elements in the order they are stored, reals."""
    order = "True" if fortran else "False"
    header = f"{{'descr': '<{letter}', 'fortran_order': {order}, 'shape': ({m}, {n}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    code = "f" if letter in ("f4", "c8") else "d"
    body = struct.pack(f"<{len(elements)}{code}", *elements)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + body


def npy_values(content):
    """The reals in the bytes of a one-dimensional .npy file, and the letter of their type."""
    length = struct.unpack("<H", content[8:10])[0]
    header = content[10:10 + length].decode()
    letter = re.search(r"'descr': '<(f[48])'", header).group(1)
    count = int(re.search(r"'shape': \((\d+),\)", header).group(1))
    code = "f" if letter == "f4" else "d"
    return letter, list(struct.unpack(f"<{count}{code}", content[10 + length:]))


def main():
    if not PROGRAM:
        print("SKIPPED: HEDDLE_PROGRAM does not name the program")
        sys.exit(77)
    unittest.main(verbosity=2)

"""Progress on a terminal and nowhere else, and Ctrl-C."""
import os
import pty
import re
import select
import signal
import subprocess
import time

import program

# Long enough on one worker for several looks at it.
LONG = ("svdvals", "--random", "2000", "--workers", "1", "--route", "graph")
PROGRESS = re.compile(rb"\r\w+ +\d+ %")


class Terminal(program.ProgramTest):
    def start(self, *words):
        """The program with a terminal as its standard error.  Returns the process and our side of the terminal."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen([program.PROGRAM, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        self.addCleanup(os.close, ours)
        self.addCleanup(process.stdout.close)
        return process, ours

    def read(self, terminal, until=None):
        """What comes until the pattern does, or until the other side is closed."""
        text = b""
        end = time.monotonic() + program.SECONDS
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

    def test_progress_is_shown_and_cleared(self):
        process, terminal = self.start(*LONG, "--top", "1", "-o", "value")
        text = self.read(terminal)
        self.assertEqual(process.wait(program.SECONDS), 0)
        self.assertRegex(text, PROGRESS)
        self.assertTrue(text.endswith(b"\r\x1b[K"), text[-80:])
        self.assertNotIn(b"\n", text)
        self.assertEqual(process.stdout.read(), b"")

    def test_no_progress_on_a_pipe(self):
        _, err = self.succeed(*LONG, "--top", "1")
        self.assertEqual(err, "")

    def test_interrupt(self):
        process, terminal = self.start("svdvals", "--random", "4000", "--workers", "1", "--route", "graph", "-o", "values.txt")
        text = self.read(terminal, PROGRESS)
        self.assertRegex(text, PROGRESS)
        process.send_signal(signal.SIGINT)
        text = self.read(terminal)
        self.assertEqual(process.wait(program.SECONDS), 130)
        self.assertRegex(text, rb"heddle: interrupted")
        self.assertEqual(process.stdout.read(), b"")
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    program.main()

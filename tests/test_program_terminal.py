"""Progress on a terminal and nowhere else, and Ctrl-C."""
import json
import os
import re
import signal

import program

# Long enough on one worker for several looks at it.
LONG = ("svdvals", "--random", "2000", "--workers", "1", "--route", "graph")
PROGRESS = re.compile(rb"\r\w+ +\d+ %")


class Terminal(program.TerminalTest):
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

    def interrupt_bench(self, until, *words):
        """Ctrl-C once the status line matches.  Returns standard output and what was on the terminal."""
        process, terminal = self.start("bench", "svdvals", "--peer", "lapack", "--workers", "1", *words)
        self.assertRegex(self.read(terminal, until), until)
        process.send_signal(signal.SIGINT)
        out, text = process.stdout.read().decode(), self.read(terminal)
        self.assertEqual(process.wait(program.SECONDS), 130)
        return out, text

    def test_interrupted_bench_reports_the_runs_there_were(self):
        out, text = self.interrupt_bench(re.compile(rb"64x64: run 3 of 500"), "--sizes", "64", "--repeat", "500", "--json")
        self.assertRegex(text, rb"heddle: interrupted: 0 of 1 cases")
        rows = json.loads(out)
        self.assertEqual([row["contestant"] for row in rows], ["heddle", "lapack"])
        self.assertTrue(all(2 <= row["runs"] < 500 for row in rows))

    def test_interrupted_bench_reports_the_cases_before(self):
        out, text = self.interrupt_bench(re.compile(rb"300x300: run 0 of 20"), "--sizes", "64,300", "--repeat", "20")
        self.assertRegex(text, rb"heddle: interrupted: 1 of 2 cases")
        for contestant in ("heddle", "lapack"):
            self.assertRegex(out, rf"(?m)^d +64 +64 +- +{contestant}")

    def test_progress_of_eigenvalues(self):
        process, terminal = self.start("eigvals", "--random", "2500", "--workers", "1", "--route", "graph", "--top", "1", "-o", "value")
        text = self.read(terminal)
        self.assertEqual(process.wait(program.SECONDS), 0)
        self.assertRegex(text, rb"\rsy2sb +\d+ %")


if __name__ == "__main__":
    program.main()

"""heddle tune, the table it writes, and what the other commands make of tables."""
import json
import os
import re
import signal
import stat
import time

import program

TABLE = "heddle-tuning 1\nsvdvals d 256 lapack 16 48 0 0\nsvdvals d max graph 24 120 8 4\n"
BROKEN = "heddle-tuning 1\nsvdvals d 256 lapack 16 48 0\n"
SMALL = ("--types", "d", "--sizes", "24,28", "--time", "20", "--workers", "1")
JOBS = ("svdvals", "eigvals", "trsm", "trsm-few")


def rows(text):
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]


class Tables(program.ProgramTest):
    """Which table counts, as `heddle info` and the others say."""

    def info(self, env):
        code, out, err = self.run_program("info", "--json", env=env)
        self.assertEqual(code, 0, err)
        return json.loads(out), err

    def choice(self, info, job="svdvals", kind="d", n=4096):
        return next(c for c in info["choices"] if (c["job"], c["type"], c["m"], c["n"]) == (job, kind, n, n))

    def test_built_in(self):
        info, err = self.info({})
        self.assertEqual((info["tuning"], err), ({"table": "built in", "error": None}, ""))
        self.assertIn("table      built in\n", self.succeed("info")[0])

    def test_a_table(self):
        path = self.path(self.file("table", TABLE))
        info, err = self.info({"HEDDLE_TUNING": path})
        self.assertEqual((info["tuning"], err), ({"table": path, "error": None}, ""))
        choice = self.choice(info)
        self.assertEqual([choice[k] for k in ("band", "tile", "group", "steps", "route")], [24, 120, 8, 4, "graph"])
        self.assertEqual(self.choice(info, n=128)["route"], "lapack")
        builtin, _ = self.info({})
        for job, kind in (("svdvals", "s"), ("eigvals", "d")):
            self.assertEqual(self.choice(info, job, kind), self.choice(builtin, job, kind))

    def test_the_users_own(self):
        os.makedirs(self.path("config/heddle"))
        path = self.path(self.file("config/heddle/tuning", TABLE))
        env = {"XDG_CONFIG_HOME": self.path("config"), "HEDDLE_TUNING": ""}
        self.assertEqual(self.info(env)[0]["tuning"]["table"], "built in")
        without = {k: v for k, v in os.environ.items() if k != "HEDDLE_TUNING"}
        without.update(XDG_CONFIG_HOME=self.path("config"))
        done = program.subprocess.run([program.PROGRAM, "info", "--json"], stdout=program.subprocess.PIPE, env=without, check=True)
        self.assertEqual(json.loads(done.stdout)["tuning"]["table"], path)

    def test_every_command_warns_of_a_broken_table(self):
        path = self.path(self.file("broken", BROKEN))
        warning = f"heddle: warning: {path}:2: 7 columns; expected 8: job type order route band tile group steps; " \
                  "the choices are the built-in ones\n"
        self.file("eye.csv", "1,0\n0,1\n")
        for words in (("svdvals", "eye.csv"), ("eigvals", "eye.csv"), ("bench", "svdvals", "--sizes", "16", "--repeat", "1"),
                      ("info",), ("info", "--json"), ("tune", *SMALL, "--dry-run")):
            with self.subTest(words=words):
                code, out, err = self.run_program(*words, env={"HEDDLE_TUNING": path})
                self.assertEqual(code, 0)
                self.assertEqual(err, warning)
                self.assertNotEqual(out, "")
        info, _ = self.info({"HEDDLE_TUNING": path})
        builtin, _ = self.info({})
        self.assertEqual(info["choices"], builtin["choices"])
        self.assertEqual(info["tuning"]["table"], "built in")
        self.assertTrue(info["tuning"]["error"].startswith(path + ":2: "))

    def test_a_missing_table(self):
        _, err = self.info({"HEDDLE_TUNING": self.path("nowhere")})
        self.assertRegex(err, "warning: .*nowhere: No such file or directory; the choices are the built-in ones")


class Tune(program.ProgramTest):
    def tune(self, *words, env=None):
        code, out, err = self.run_program("tune", *words, env=env)
        self.assertEqual(code, 0, err)
        return out, err

    def table(self, name):
        with open(self.path(name), encoding="ascii") as f:
            return f.read()

    def test_a_table_that_info_reads(self):
        out, err = self.tune(*SMALL, "-o", "table")
        self.assertEqual(err, "")
        for job in JOBS:
            for n in (24, 28):
                self.assertRegex(out, rf"(?m)^{job} +d +{n} +(lapack|direct|(band \d+, )?tile \d+).* [0-9.]+$")
        self.assertRegex(out, r"The new table is -?[0-9.]+% faster than the one in force over these 8 cases")
        self.assertIn("Written to table.\n", out)
        text = self.table("table")
        self.assertRegex(text, r"^heddle-tuning 1\n# Measured by heddle \S+ on \d{4}-\d\d-\d\d: .*cores?, 1 CPU worker; BLAS: ")
        self.assertEqual({tuple(row[:2]) for row in rows(text)[1:]}, {(job, "d") for job in JOBS})
        path = self.path("table")
        code, out, err = self.run_program("info", "--json", env={"HEDDLE_TUNING": path})
        self.assertEqual((code, err), (0, ""))
        info = json.loads(out)
        self.assertEqual(info["tuning"], {"table": path, "error": None})
        # beyond what the sizes speak for, what was in force stays
        builtin = json.loads(self.succeed("info", "--json")[0])
        self.assertEqual(info["choices"], builtin["choices"])
        self.assertEqual(os.listdir(self.folder), ["table"])
        mask = os.umask(0)
        os.umask(mask)
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o666 & ~mask)

    def test_the_users_own_table_and_the_rows_in_it(self):
        env = {"XDG_CONFIG_HOME": self.path("a/b")}
        out, _ = self.tune("svdvals", *SMALL, env=env)
        path = os.path.join("a", "b", "heddle", "tuning")
        self.assertIn(f"Written to {self.path(path)}.\n", out)
        before = [row for row in rows(self.table(path)) if row[0] == "svdvals"]
        self.tune("eigvals", *SMALL, env=env)
        text = self.table(path)
        self.assertEqual([row for row in rows(text) if row[0] == "svdvals"], before)
        self.assertTrue([row for row in rows(text) if row[0] == "eigvals"])
        self.assertEqual(os.listdir(self.path("a/b/heddle")), ["tuning"])

    def test_a_broken_table_is_replaced(self):
        self.file("table", BROKEN)
        _, err = self.tune("eigvals", *SMALL, "-o", "table")
        self.assertRegex(err, r"table:2: 7 columns; .*; it is replaced as a whole")
        self.assertEqual({row[0] for row in rows(self.table("table"))[1:]}, {"eigvals"})

    def test_a_link_stays_one(self):
        self.file("real", TABLE)
        os.symlink("real", self.path("link"))
        self.tune("eigvals", *SMALL, "-o", "link")
        self.assertTrue(os.path.islink(self.path("link")))
        self.assertEqual({row[0] for row in rows(self.table("real"))[1:]}, {"svdvals", "eigvals"})

    def test_c_rows(self):
        out, err = self.tune("svdvals", *SMALL, "--c")
        lines = out.splitlines()
        self.assertRegex(lines[0], r"^/\* Measured by .* \*/$")
        pattern = r"^\t\{ TUNING_(SVDVALS|EIGVALS|TRSM|TRSM_FEW), HEDDLE_[SDCZ], (\d+|INT64_MAX), \{( \.\w+ = \w+,?)+ \} \},$"
        for line in lines[1:]:
            self.assertRegex(line, pattern)
        self.assertEqual(len([line for line in lines if "INT64_MAX" in line]), 16)  # the table is whole
        self.assertIn("Measured", out)
        self.assertIn("faster", err)
        self.assertEqual(os.listdir(self.folder), [])
        self.tune("svdvals", *SMALL, "--c", "-o", "rows.c")
        self.assertRegex(self.table("rows.c").splitlines()[1], pattern)

    def test_dry_run(self):
        out, err = self.tune(*SMALL, "--dry-run", env={"XDG_CONFIG_HOME": self.path("config")})
        self.assertEqual(err, "")
        for job in JOBS:
            self.assertRegex(out, rf"(?m)^{job} +d +24 \(\S+\) 28 \(\S+\)$")
        self.assertIn(f"A table would go to {self.path('config')}/heddle/tuning.\n", out)
        self.assertEqual(os.listdir(self.folder), [])

    def test_time_bounds_the_sizes(self):
        begin = time.monotonic()
        out, err = self.tune("svdvals", "--types", "d", "--sizes", "32,256,8192,16384", "--time", "3", "-o", "table")
        self.assertLess(time.monotonic() - begin, 60)  # generous: the machine may be busy
        self.assertRegex(err, r"svdvals d: \d+ and larger are left out; they need more --time than 3 s")
        self.assertRegex(out, r"(?m)^svdvals +d +32 ")
        self.assertNotIn("16384", out)

    def test_places_that_cannot_be_written(self):
        self.refuse(1, "nowhere: No such file or directory", "tune", *SMALL, "-o", "nowhere/table")
        self.refuse(1, "not a regular file", "tune", *SMALL, "-o", ".")
        self.file("plain", "")
        self.refuse(1, "plain: Not a directory|plain/heddle: Not a directory", "tune", *SMALL,
                    env={"XDG_CONFIG_HOME": self.path("plain")})
        self.refuse(1, "there is no place for a table", "tune", *SMALL, env={"XDG_CONFIG_HOME": "", "HOME": ""})

    def test_usage(self):
        for pattern, words in (
                ("'svd' is not a job; expected svdvals, eigvals, trsm or trsm-few", ("svd",)),
                ("--types: 'x' is not a type", ("--types", "d,x")),
                ("--sizes: 'a' is not a whole number", ("--sizes", "64,a")),
                ("--sizes: 1 is out of range", ("--sizes", "1")),
                ("--sizes: 33 sizes are too many", ("--sizes", ",".join(str(n) for n in range(10, 43)))),
                ("--time: 0 is out of range", ("--time", "0")),
                ("--time: 'x' is not a number", ("--time", "x")),
                ("-o: expected the name of a file", ("-o", ""))):
            with self.subTest(words=words):
                self.refuse(2, pattern + "(.|\n)*Try `heddle tune --help'", "tune", *words)


class Interrupt(program.TerminalTest):
    """Ctrl-C, and progress on a terminal."""

    def setUp(self):
        super().setUp()
        self.file("table", TABLE)

    def interrupt(self, until):
        process, terminal = self.start("tune", "svdvals", "--types", "d", "--sizes", "64,300", "--time", "100", "-o", "table")
        self.assertRegex(self.read(terminal, until), until)
        process.send_signal(signal.SIGINT)
        text = self.read(terminal)  # until it ends: a full terminal would hold it up
        self.assertEqual(process.wait(program.SECONDS), 130)
        self.assertRegex(text, rb"heddle: interrupted: no table was written")
        self.assertEqual(os.listdir(self.folder), ["table"])
        with open(self.path("table"), encoding="ascii") as f:
            self.assertEqual(f.read(), TABLE)

    def test_interrupt_while_measuring(self):
        self.interrupt(re.compile(rb"\rsvdvals d 300: (in force|bands|tiles|chase|the best), \d+ of \d+ +\d+ %  at most \d:\d\d:\d\d left"))

    def test_interrupt_at_first(self):
        self.interrupt(re.compile(rb"\rsvdvals d 64: "))


if __name__ == "__main__":
    program.main()

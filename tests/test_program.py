"""The options, outputs, exit codes and messages of heddle and heddle svdvals."""
import json
import math
import os
import subprocess

import program

RANDOM = ("svdvals", "--random")


class General(program.ProgramTest):
    def test_help_and_version(self):
        for words in ((), ("svdvals",), ("eigvals",), ("trsm",), ("bench",), ("info",), ("tune",)):
            out, err = self.succeed(*words, "--help")
            self.assertIn("Exit codes", out)
            self.assertEqual(err, "")
        self.assertRegex(self.succeed("--version")[0], r"^heddle \d+\.\d+\.\d+\n$")

    def test_command(self):
        self.refuse(2, "expected svdvals, eigvals, trsm, bench, info or tune")
        self.refuse(2, "'svd' is not a command; expected svdvals, eigvals, trsm, bench, info or tune", "svd")
        self.refuse(2, "Try `heddle --help'", "--nonsense")

    def test_info(self):
        out, _ = self.succeed("info")
        for word in ("machine", "StarPU", "BLAS", "choices", "band", "tile"):
            self.assertIn(word, out)
        info = self.json("info", "--json", "--workers", "1")
        self.assertEqual(info["starpu"]["cpu_workers"], 1)
        self.assertGreater(info["machine"]["memory"], 0)
        for choice in info["choices"]:
            if choice["job"] != "trsm":
                self.assertGreaterEqual(choice["band"], 1)
            self.assertGreaterEqual(choice["tile"], 1)
            self.assertIn(choice["route"], ("graph", "lapack"))
        self.assertEqual(len([c for c in info["choices"] if c["job"] == "eigvals"]),
                         len([c for c in info["choices"] if c["job"] == "svdvals" and c["m"] == c["n"]]))
        self.refuse(2, "no argument", "info", "more")

    def test_output_that_cannot_be_written(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        for words in (("svdvals", "--random", "9"), ("svdvals", "--random", "9", "--json"), ("info",)):
            with open("/dev/full", "w", encoding="ascii") as full:
                code = subprocess.call([program.PROGRAM, *words], stdout=full, stderr=subprocess.DEVNULL)
            self.assertEqual(code, 1, words)


class Selection(program.ProgramTest):
    """Of diag(9, 8, ..., 1)."""

    def setUp(self):
        super().setUp()
        self.file("a.csv", "".join(",".join(str(9 - i if i == j else 0) for j in range(9)) + "\n" for i in range(9)))

    def test_all(self):
        self.assert_close(self.values("a.csv"), list(range(9, 0, -1)))

    def test_top(self):
        self.assert_close(self.values("--top", "3", "a.csv"), [9, 8, 7])
        self.assert_close(self.values("--top", "99", "a.csv"), list(range(9, 0, -1)))

    def test_bottom(self):
        self.assert_close(self.values("--bottom", "3", "a.csv"), [3, 2, 1])
        self.assert_close(self.values("--bottom", "99", "a.csv"), list(range(9, 0, -1)))

    def test_index(self):
        self.assert_close(self.values("--index", "3,5", "a.csv"), [7, 6, 5])
        self.assert_close(self.values("--index", "9,9", "a.csv"), [1])
        self.refuse(1, "a.csv: --index: there is no value number 10, only 9", "svdvals", "--index", "9,10", "a.csv")

    def test_range(self):
        self.assert_close(self.values("--range", "2.5,5.5", "a.csv"), [5, 4, 3])
        self.assert_close(self.values("--range", "7.5,inf", "a.csv"), [9, 8])
        self.assert_close(self.values("--range", "-1,1.5", "a.csv"), [1])
        self.assertEqual(self.values("--range", "100,200", "a.csv"), [])

    def test_check_of_a_selection(self):
        for words in (("--top", "2"), ("--bottom", "2"), ("--index", "4,5"), ("--range", "2.5,5.5"), ("--range", "3,5"),
                      ("--range", "100,200"), ()):
            _, err = self.succeed("svdvals", "--check", *words, "a.csv")
            self.assertRegex(err, r"largest error \S+ eps\*norm against LAPACK, bound 24: passed")

    def test_choices_do_not_change_values(self):
        for words in (("--band", "2"), ("--tile", "4"), ("--band", "3", "--tile", "5", "--route", "graph"), ("--route", "lapack"),
                      ("--workers", "1"), ("--sched", "lws")):
            with self.subTest(words=words):
                self.assert_close(self.values(*words, "a.csv"), list(range(9, 0, -1)))


class Random(program.ProgramTest):
    def test_spectra(self):
        expected = {
            "arith": [1 - (1 - 1e-2) * i / 29 for i in range(30)],
            "log": [1e-2 ** (i / 29) for i in range(30)],
        }
        for spectrum, values in expected.items():
            for kind in "sdcz":
                with self.subTest(spectrum=spectrum, kind=kind):
                    got = self.values("--random", "40x30", "--spectrum", spectrum, "--cond", "100", "--type", kind)
                    self.assert_close(got, values, program.EPS[kind])
        got = self.values("--random", "30x40", "--spectrum", "quarter-circle")
        self.assertEqual(len(got), 30)
        self.assertTrue(all(1 >= a >= b >= 0 for a, b in zip(got, got[1:])))

    def test_check(self):
        for kind in "sdcz":
            for size in ("1x1", "60", "200x100", "40x300"):
                with self.subTest(kind=kind, size=size):
                    _, err = self.succeed(*RANDOM, size, "--type", kind, "--check")
                    self.assertRegex(err, r"largest error \S+ eps\*norm against the known values, bound \S+: passed")

    def test_seed(self):
        first = self.values("--random", "50", "--seed", "7")
        self.assertEqual(first, self.values("--random", "50", "--seed", "7"))
        self.assertNotEqual(first, self.values("--random", "50", "--seed", "8"))

    def test_empty_matrix(self):
        for size in ("0", "0x5", "5x0"):
            self.assertEqual(self.values("--random", size), [])
            self.assertEqual(self.json(*RANDOM, size, "--json", "--top", "3")["values"], [])

    def test_too_large_for_memory(self):
        self.refuse(1, r"10000000x10000000: needs .* GiB .* are available", *RANDOM, "10000000x10000000")


class Output(program.ProgramTest):
    def test_digits(self):
        self.file("a.csv", "0.1\n")
        self.assertEqual(self.succeed("svdvals", "a.csv")[0], "0.10000000000000001\n")
        self.assertEqual(self.succeed("svdvals", "--type", "s", "a.csv")[0], "0.100000001\n")

    def test_files(self):
        printed = self.values("--random", "20")
        out, _ = self.succeed(*RANDOM, "20", "-o", "values.txt")
        self.assertEqual(out, "")
        with open(self.path("values.txt"), encoding="ascii") as f:
            self.assertEqual([float(line) for line in f], printed)
        for kind, letter in (("d", "f8"), ("z", "f8"), ("s", "f4"), ("c", "f4")):
            printed = self.values("--random", "20", "--type", kind)
            self.succeed(*RANDOM, "20", "--type", kind, "-o", "values.npy")
            with open(self.path("values.npy"), "rb") as f:
                got_letter, got = program.npy_values(f.read())
            self.assertEqual(got_letter, letter)
            self.assert_close(got, printed, program.EPS[kind], 1)
        self.assertEqual(sorted(os.listdir(self.folder)), ["values.npy", "values.txt"])

    def test_json(self):
        printed = self.values("--random", "300x200")
        out, _ = self.succeed(*RANDOM, "300x200", "--json", "--check", "--stats", "--route", "graph", "-o", "values.txt")
        result = json.loads(out)
        self.assert_close(result["values"], printed)
        self.assertEqual((result["type"], result["m"], result["n"]), ("d", 300, 200))
        self.assertGreater(result["seconds"], 0)
        self.assertLessEqual(result["error"], result["bound"])
        self.assertEqual(result["bound"], 8 * math.sqrt(300))
        self.assertGreater(result["gemm_gflops"], 0)
        self.assertGreater(len(result["stages"]), 0)
        for stage in result["stages"]:
            self.assertEqual(sorted(stage), ["gflops", "name", "seconds"])
            self.assertLessEqual(stage["seconds"], result["seconds"])
        with open(self.path("values.txt"), encoding="ascii") as f:
            self.assertEqual(len(f.readlines()), 200)

    def test_json_keys_without_options(self):
        self.assertEqual(sorted(self.json(*RANDOM, "5", "--json")), ["m", "n", "seconds", "stages", "type", "values"])

    def test_json_of_a_value_that_overflows(self):
        self.file("a.csv", "1.7e308,1.7e308\n1.7e308,1.7e308\n")
        self.assertEqual(self.json("svdvals", "--json", "a.csv")["values"], ["inf", 0])

    def test_stats(self):
        out, err = self.succeed(*RANDOM, "300", "--stats", "--route", "graph")
        self.assertEqual(len(out.splitlines()), 300)
        for stage in ("ge2gb", "gb2bd", "values"):
            self.assertRegex(err, rf"(?m)^{stage} +\S+ +\S+ +\S+ %$")
        self.assertRegex(err, r"(?m)^dgemm: \S+ GFLOP/s on \d+ threads?$")

    def test_place_that_cannot_be_written(self):
        self.refuse(1, "nowhere/values", *RANDOM, "5", "-o", "nowhere/values")
        self.refuse(1, "heddle: ", *RANDOM, "5", "-o", ".")


class Usage(program.ProgramTest):
    def test_svdvals(self):
        for pattern, words in (
                ("expected FILE or --random", ()),
                ("both FILE and --random", ("--random", "5", "a.csv")),
                ("'b.csv': one FILE is enough", ("a.csv", "b.csv")),
                ("unrecognized option '--nonsense'", ("--nonsense", "a.csv")),
                ("--random: '5x' is not a size; expected MxN", ("--random", "5x")),
                ("--random: '5x-1' is not a size", ("--random", "5x-1")),
                ("--random: '5x5x5' is not a size", ("--random", "5x5x5")),
                ("--random: '99999999999999999999' is not a size", ("--random", "99999999999999999999")),
                ("--spectrum: 'flat' is unknown; expected arith, log or quarter-circle", ("--random", "5", "--spectrum", "flat")),
                ("--cond: 0.5 is out of range", ("--random", "5", "--cond", "0.5")),
                ("--cond: '1e3x' is not a number", ("--random", "5", "--cond", "1e3x")),
                ("--cond: '1e999' is not a number", ("--random", "5", "--cond", "1e999")),
                ("--cond: makes sense with --random only", ("--cond", "5", "a.csv")),
                ("--cond: has no meaning", ("--random", "5", "--spectrum", "quarter-circle", "--cond", "5")),
                ("--seed: -1 is out of range", ("--random", "5", "--seed", "-1")),
                ("--type: 'q' is not a type; expected s, d, c or z", ("--type", "q", "a.csv")),
                ("--top: 0 is out of range; expected 1 or more", ("--top", "0", "a.csv")),
                ("--top: '2.5' is not a whole number", ("--top", "2.5", "a.csv")),
                ("--top: '' is not a whole number", ("--top", "", "a.csv")),
                ("--top: 99999999999999999999 is out of range", ("--top", "99999999999999999999", "a.csv")),
                ("--range: 2,1 is empty; expected LO less than HI", ("--range", "2,1", "a.csv")),
                ("--range: '2' is not an interval; expected LO,HI", ("--range", "2", "a.csv")),
                ("--range: 'nan,1' is not an interval", ("--range", "nan,1", "a.csv")),
                ("both --top and --range", ("--top", "1", "--range", "1,2", "a.csv")),
                ("both --index and --bottom", ("--index", "1,2", "--bottom", "1", "a.csv")),
                ("--index: '3' is not a range of indices; expected I,J", ("--index", "3", "a.csv")),
                ("--index: '1,2,3' is not a range of indices", ("--index", "1,2,3", "a.csv")),
                ("--index: 0,2 is out of range", ("--index", "0,2", "a.csv")),
                ("--index: 3,2 is out of range", ("--index", "3,2", "a.csv")),
                ("unrecognized option '--symmetrize'", ("--symmetrize", "a.csv")),
                ("--band: 0 is out of range", ("--band", "0", "a.csv")),
                ("--tile: -5 is out of range", ("--tile", "-5", "a.csv")),
                ("--workers: 0 is out of range; expected 1 to 65536", ("--workers", "0", "a.csv")),
                ("--route: 'gpu' is unknown; expected auto, graph or lapack", ("--route", "gpu", "a.csv")),
                ("both --json and -o -", ("--json", "-o", "-", "a.csv"))):
            with self.subTest(words=words):
                self.refuse(2, pattern + "(.|\n)*Try `heddle svdvals --help'", "svdvals", *words)

    def test_scheduler(self):
        for name in ("nonsense", "graph_test"):
            self.refuse(1, f"no scheduler \"{name}\" that runs tasks; expected one of eager, .*heteroprio", *RANDOM, "500", "--sched", name)
        self.refuse(1, "no scheduler \"graph_test\"", *RANDOM, "500", env={"STARPU_SCHED": "graph_test"})


if __name__ == "__main__":
    program.main()

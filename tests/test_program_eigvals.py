"""heddle eigvals: its values, its selections, what it refuses, and its reports."""
import json
import math
import os

import program
from program import npy

RANDOM = ("eigvals", "--random")
COMPLEX = "%%MatrixMarket matrix array complex "

# Matrices and their eigenvalues.
KNOWN = {
    "hermitian.mtx": (COMPLEX + "hermitian\n2 2\n2 0\n0 -1\n2 0\n", [1, 3]),
    "general.mtx": (COMPLEX + "general\n2 2\n2 0\n0 -1\n0 1\n2 0\n", [1, 3]),
    "symmetric.mtx": ("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 5\n3 3 -2\n2 1 0\n", [-2, 0, 5]),
    "complex.npy": (npy("c16", 2, 2, [2, 0, 0, 1, 0, -1, 2, 0]), [1, 3]),
    "single.npy": (npy("c8", 2, 2, [2, 0, 0, 1, 0, -1, 2, 0]), [1, 3]),
    "real.npy": (npy("f8", 2, 2, [0, 2, 2, 0], fortran=True), [-2, 2]),
    "skew.npy": (npy("c16", 2, 2, [0, 0, 0, 3, 0, -3, 0, 0]), [-3, 3]),
    "one.csv": ("-4\n", [-4]),
    "zero.csv": ("0,0\n0,0\n", [0, 0]),
    "path.csv": ("2,-1,0\n-1,2,-1\n0,-1,2\n", [2 - math.sqrt(2), 2, 2 + math.sqrt(2)]),
}


class EigvalsTest(program.ProgramTest):
    command = "eigvals"


class Values(EigvalsTest):
    def test_known(self):
        for name, (content, expected) in KNOWN.items():
            self.file(name, content)
            for words in ((), ("--uplo", "U"), ("--route", "graph"), ("--route", "graph", "--uplo", "U", "--type", "z")):
                with self.subTest(name=name, words=words):
                    eps = program.EPS["s" if name == "single.npy" and "z" not in words else "d"]
                    self.assert_close(self.values(*words, name), expected, eps)

    def test_second_difference(self):
        n = 70
        self.file("a.csv", "".join(",".join(str({0: 2, 1: -1}.get(abs(i - j), 0)) for j in range(n)) + "\n" for i in range(n)))
        expected = [2 - 2 * math.cos(k * math.pi / (n + 1)) for k in range(1, n + 1)]
        for words in ((), ("--route", "graph", "--band", "6", "--tile", "20"), ("--route", "graph", "--uplo", "U")):
            self.assert_close(self.values(*words, "a.csv"), expected)

    def test_standard_input(self):
        self.assert_close(self.values("-", stdin=b"2,1\n1,2\n"), [1, 3])

    def test_type_follows_the_file(self):
        self.file("a.npy", KNOWN["single.npy"][0])
        self.assertEqual(self.json("eigvals", "--json", "a.npy")["type"], "c")
        self.refuse(1, "a.npy", "eigvals", "--type", "s", "a.npy")

    def test_empty(self):
        self.assertEqual(self.values("--random", "0"), [])
        for words in (("--top", "3"), ("--bottom", "1"), ("--range", "0,1"), ("--check",)):
            self.assertEqual(self.json(*RANDOM, "0", "--json", *words)["values"], [])

    def test_scales(self):
        for scale in (1e-300, 1e300):
            self.file("a.csv", f"{2 * scale},{scale}\n{scale},{2 * scale}\n")
            self.assert_close([x / scale for x in self.values("a.csv")], [1, 3])

    def test_overflow(self):
        self.file("a.csv", "-1.7e308,1.7e308\n1.7e308,-1.7e308\n")
        result = self.json("eigvals", "--json", "--check", "a.csv")
        self.assertEqual(result["values"][0], "-inf")
        self.assertLessEqual(result["error"], result["bound"])


class Refused(EigvalsTest):
    def test_asymmetric(self):
        self.file("a.csv", "1,2,3\n2,1,4.5\n3,4,1\n")
        self.refuse(1, r"a\.csv: not symmetric: 4\.5 \(row 2, column 3\) and 4 \(row 3, column 2\) differ; --symmetrize",
                  "eigvals", "a.csv", "-o", "values.txt")
        self.file("b.csv", "1,2,3\n2,1,4.25\n3,4.25,1\n")
        self.assertEqual(self.values("--symmetrize", "--check", "a.csv"), self.values("b.csv"))

    def test_the_first_pair_is_named(self):
        """The first column with one, and in it the first row, wherever the entries lie."""
        n = 80
        for wrong, first in ((((70, 3), (4, 75), (5, 40)), (3, 70)), (((79, 78),), (78, 79)), (((33, 1), (1, 32)), (1, 32))):
            rows = [[0] * n for _ in range(n)]
            for i, j in wrong:
                rows[i][j] = 1
            self.file("a.csv", "".join(",".join(map(str, row)) + "\n" for row in rows))
            with self.subTest(wrong=wrong):
                self.refuse(1, rf"\(row {first[0] + 1}, column {first[1] + 1}\) and . \(row {first[1] + 1}, column {first[0] + 1}\) differ",
                          "eigvals", "a.csv")

    def test_digits_show_the_difference(self):
        self.file("a.csv", "1,0.1\n0.10000000000000002,1\n")
        self.refuse(1, r"0\.1000000000000000[01]? \(row 1, column 2\) and 0\.1000000000000000[1-9] \(row 2", "eigvals", "a.csv")

    def test_not_hermitian(self):
        self.file("a.mtx", COMPLEX + "general\n2 2\n2 0\n0 1\n0 1\n2 0\n")
        self.refuse(1, r"not Hermitian: 0\+1i \(row 1, column 2\) and 0\+1i \(row 2, column 1\) are not each other's conjugate",
                  "eigvals", "a.mtx")
        self.assert_close(self.values("--symmetrize", "a.mtx"), [2, 2])
        self.file("a.mtx", COMPLEX + "general\n2 2\n2 0\n0 1\n0 -1\n2 -0.5\n")
        self.refuse(1, r"row 2, column 2 holds 2-0\.5i, which is not real", "eigvals", "a.mtx")
        self.assert_close(self.values("--symmetrize", "a.mtx"), [1, 3])
        self.file("a.mtx", "%%MatrixMarket matrix coordinate complex symmetric\n2 2 1\n2 1 0 1\n")
        self.refuse(1, "not Hermitian", "eigvals", "a.mtx")

    def test_skew(self):
        self.file("a.mtx", "%%MatrixMarket matrix array real skew-symmetric\n2 2\n3\n")
        self.refuse(1, r"not symmetric: -3 \(row 1, column 2\) and 3 \(row 2, column 1\)", "eigvals", "a.mtx")

    def test_not_square(self):
        self.file("a.csv", "1,2,3\n4,5,6\n")
        for words in ((), ("--symmetrize",)):
            self.refuse(1, r"a\.csv: the matrix is 2 by 3, and only a square one has eigenvalues", "eigvals", *words, "a.csv")

    def test_nan_and_infinity(self):
        for word in ("nan", "inf"):
            for content in (f"1,{word}\n{word},2\n", f"1,2\n2,{word}\n"):
                self.file("a.csv", content)
                for words in ((), ("--symmetrize",), ("--uplo", "U"), ("--route", "graph")):
                    self.refuse(1, "a.csv: .*NaN", "eigvals", *words, "a.csv")
        self.file("a.csv", "1,nan\n2,1\n")
        self.refuse(1, "a.csv: row 1, column 2 holds a NaN", "eigvals", "a.csv")

    def test_too_large_for_memory(self):
        self.refuse(1, r"--random 10000000: needs .* GiB .* are available", *RANDOM, "10000000")

    def test_usage(self):
        for pattern, words in (
                ("expected FILE or --random N", ()),
                ("--random: 3x2 is not square", ("--random", "3x2")),
                ("--spectrum: 'quarter-circle' is unknown; expected arith, log or semicircle",
                 ("--random", "5", "--spectrum", "quarter-circle")),
                ("--signs: 'minus' is unknown; expected both or plus", ("--random", "5", "--signs", "minus")),
                ("--signs: makes sense with --random only", ("--signs", "plus", "a.csv")),
                ("--signs: has no meaning with --spectrum semicircle", ("--random", "5", "--signs", "plus", "--spectrum", "semicircle")),
                ("--symmetrize: makes sense with FILE only", ("--random", "5", "--symmetrize")),
                ("--uplo: 'X' is unknown; expected L or U", ("--uplo", "X", "a.csv")),
                ("both --top and --bottom", ("--top", "1", "--bottom", "1", "a.csv")),
                ("--bottom: 0 is out of range; expected 1 or more", ("--bottom", "0", "a.csv")),
                ("--range: 2,-2 is empty", ("--range", "2,-2", "a.csv"))):
            with self.subTest(words=words):
                self.refuse(2, pattern + "(.|\n)*Try `heddle eigvals --help'", "eigvals", *words)


class Selection(EigvalsTest):
    """Of diag(-4, -3, ..., 4)."""

    def setUp(self):
        super().setUp()
        self.file("a.csv", "".join(",".join(str(4 - i if i == j else 0) for j in range(9)) + "\n" for i in range(9)))

    def test_selections(self):
        for words, expected in (
                ((), list(range(-4, 5))),
                (("--top", "3"), [2, 3, 4]),
                (("--top", "99"), list(range(-4, 5))),
                (("--bottom", "3"), [-4, -3, -2]),
                (("--bottom", "99"), list(range(-4, 5))),
                (("--index", "2,4"), [-3, -2, -1]),
                (("--index", "9,9"), [4]),
                (("--range", "-2.5,1.5"), [-2, -1, 0, 1]),
                (("--range=-inf,-2.5",), [-4, -3]),
                (("--range", "3.5,inf"), [4]),
                (("--range", "100,200"), [])):
            for route in ("lapack", "graph"):
                with self.subTest(words=words, route=route):
                    self.assert_close(self.values(*words, "--route", route, "a.csv"), expected)
                    _, err = self.succeed("eigvals", "--check", "--route", route, *words, "a.csv")
                    self.assertRegex(err, r"largest error \S+ eps\*norm against LAPACK, bound 24: passed")
        self.refuse(1, "a.csv: --index: there is no value number 10, only 9", "eigvals", "--index", "3,10", "a.csv")

    def test_choices_do_not_change_values(self):
        for words in (("--band", "2"), ("--tile", "4"), ("--band", "3", "--tile", "5", "--route", "graph"), ("--workers", "1"),
                      ("--sched", "lws")):
            with self.subTest(words=words):
                self.assert_close(self.values(*words, "a.csv"), list(range(-4, 5)))


class Random(EigvalsTest):
    def test_spectra(self):
        arith, log = [1 - (1 - 1e-2) * i / 29 for i in range(30)], [1e-2 ** (i / 29) for i in range(30)]
        for name, magnitudes in (("arith", arith), ("log", log)):
            for kind in "sdcz":
                with self.subTest(name=name, kind=kind):
                    words = ("--random", "30", "--spectrum", name, "--cond", "100", "--type", kind)
                    signed = sorted(-x if i % 2 else x for i, x in enumerate(magnitudes))
                    self.assert_close(self.values(*words), signed, program.EPS[kind])
                    self.assert_close(self.values(*words, "--signs", "plus"), sorted(magnitudes), program.EPS[kind])
        got = self.values("--random", "31", "--spectrum", "semicircle")
        self.assert_close([-x for x in reversed(got)], got)
        self.assertTrue(0.9 < got[-1] < 1)

    def test_check(self):
        for kind in "sdcz":
            for size in ("1", "2", "60", "200"):
                for words in ((), ("--uplo", "U", "--route", "graph")):
                    with self.subTest(kind=kind, size=size, words=words):
                        _, err = self.succeed(*RANDOM, size, "--type", kind, "--check", *words)
                        self.assertRegex(err, r"largest error \S+ eps\*norm against the known values, bound \S+: passed")

    def test_seed(self):
        first = self.values("--random", "50", "--seed", "7")
        self.assertEqual(first, self.values("--random", "50", "--seed", "7"))
        self.assertNotEqual(first, self.values("--random", "50", "--seed", "8"))


class Output(EigvalsTest):
    def test_files(self):
        printed = self.values("--random", "20")
        self.assertEqual(self.succeed(*RANDOM, "20", "-o", "values.txt")[0], "")
        with open(self.path("values.txt"), encoding="ascii") as f:
            self.assertEqual([float(line) for line in f], printed)
        self.succeed(*RANDOM, "20", "--type", "c", "-o", "values.npy")
        with open(self.path("values.npy"), "rb") as f:
            letter, got = program.npy_values(f.read())
        self.assertEqual(letter, "f4")
        self.assert_close(got, printed, program.EPS["c"])
        self.assertEqual(sorted(os.listdir(self.folder)), ["values.npy", "values.txt"])

    def test_json(self):
        printed = self.values("--random", "200", "--route", "graph")
        out, err = self.succeed(*RANDOM, "200", "--json", "--check", "--stats", "--route", "graph")
        result = json.loads(out)
        self.assertEqual(sorted(result), ["bound", "error", "gemm_gflops", "m", "n", "seconds", "stages", "type", "values"])
        self.assertEqual(result["values"], printed)
        self.assertEqual((result["type"], result["m"], result["n"]), ("d", 200, 200))
        self.assertLessEqual(result["error"], result["bound"])
        self.assertEqual(result["bound"], 8 * math.sqrt(200))
        names = [stage["name"] for stage in result["stages"]]
        for stage in ("sy2sb", "sb2st", "values"):
            self.assertIn(stage, names)
            self.assertRegex(err, rf"(?m)^{stage} +\S+ +\S+ +\S+ %$")
        self.assertRegex(err, r"(?m)^dgemm: \S+ GFLOP/s on \d+ threads?$")


if __name__ == "__main__":
    program.main()

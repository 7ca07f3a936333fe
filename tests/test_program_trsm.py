"""heddle trsm: its solutions, its formats and options, what it refuses, and its reports."""
import itertools
import json
import os
import random
import struct

import program
from program import npy

# Of both, the lower triangle is [[2, 0], [1, 4]] and the upper one [[2, 9], [0, 4]].
A = "2,9\n1,4\n"
B = "2,4\n9,8\n"


def rows_of(text):
    return [[complex(x) if "j" in x else float(x) for x in line.split(",")] for line in text.splitlines()]


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def csv(rows):
    return "".join(",".join(str(x).strip("()") for x in row) + "\n" for row in rows)


def op(a, uplo, trans, diag):
    """op(A) in full, of the triangle that counts."""
    n = len(a)
    full = [[(1 if diag == "U" else a[i][i]) if i == j else a[i][j] if (i > j) == (uplo == "L") else 0 for j in range(n)]
            for i in range(n)]
    if trans != "N":
        full = [list(column) for column in zip(*full)]
    return [[x.conjugate() if trans == "C" else x for x in row] for row in full]


class TrsmTest(program.ProgramTest):
    def setUp(self):
        super().setUp()
        self.file("a.csv", A)
        self.file("b.csv", B)

    def solve(self, *words, stdin=None):
        return rows_of(self.succeed("trsm", *words, stdin=stdin)[0])

    def assert_rows(self, got, expected, tolerance=1e-13):
        self.assertEqual([len(row) for row in got], [len(row) for row in expected], got)
        for g, e in zip(itertools.chain(*got), itertools.chain(*expected)):
            self.assertLessEqual(abs(g - e), tolerance * max(1, abs(e)), f"{got} is not {expected}")


class Solutions(TrsmTest):
    def test_known(self):
        for words, expected in (
                ((), [[1, 2], [2, 1.5]]),
                (("--diag", "U"), [[2, 4], [7, 4]]),
                (("--trans", "T"), [[-0.125, 1], [2.25, 2]]),
                (("--uplo", "U"), [[-9.125, -7], [2.25, 2]]),
                (("--side", "R"), [[0.5, 1], [3.5, 2]]),
                (("--alpha", "-2"), [[-2, -4], [-4, -3]]),
                (("--alpha=0",), [[0, 0], [0, 0]])):
            for more in ((), ("--type", "s"), ("--tile", "1"), ("--workers", "1"), ("--scheduler", "eager", "--check")):
                with self.subTest(words=words, more=more):
                    self.assertEqual(self.solve(*words, *more, "a.csv", "b.csv"), expected)

    def test_complex(self):
        self.file("a.csv", "2j,7\n1+1j,4\n")
        self.file("b.csv", "2,4j\n8,1\n")
        self.assertEqual(self.solve("a.csv", "b.csv"), [[-1j, 2 + 0j], [1.75 + 0.25j, -0.25 - 0.5j]])
        self.assertEqual(self.solve("--alpha", "0,1", "a.csv", "b.csv")[0], [1 + 0j, 2j])
        self.assertEqual(self.solve("--trans", "C", "a.csv", "b.csv")[1], [2 + 0j, 0.25 + 0j])
        self.assertEqual(self.solve("--trans", "C", "a.csv", "b.csv")[0], [(2 - (1 - 1j) * 2) / -2j, (4j - (1 - 1j) * 0.25) / -2j])
        self.assertEqual(self.solve("--trans", "T", "a.csv", "b.csv")[0], [(2 - (1 + 1j) * 2) / 2j, (4j - (1 + 1j) * 0.25) / 2j])

    def test_every_form(self):
        """Against products in Python, with NaN where nothing is to be read."""
        generator = random.Random(4)
        for kind, m, n in (("d", 7, 5), ("z", 6, 9)):
            def number():
                x = generator.uniform(-1, 1)
                return complex(x, generator.uniform(-1, 1)) if kind == "z" else x
            for side, uplo, trans, diag in itertools.product("LR", "LU", "NTC", "NU"):
                k = m if side == "L" else n
                a = [[number() + 3 * (i == j) for j in range(k)] for i in range(k)]
                x = [[number() for _ in range(n)] for _ in range(m)]
                full = op(a, uplo, trans, diag)
                b = product(full, x) if side == "L" else product(x, full)
                for i, j in itertools.product(range(k), repeat=2):
                    if (i == j and diag == "U") or (i != j and (i > j) != (uplo == "L")):
                        a[i][j] = float("nan")
                self.file("a.csv", csv(a))
                self.file("b.csv", csv(b))
                with self.subTest(kind=kind, form=side + uplo + trans + diag):
                    got = self.solve("--side", side, "--uplo", uplo, "--trans", trans, "--diag", diag, "--type", kind, "--tile", "3",
                                     "--check", "a.csv", "b.csv")
                    self.assert_rows(got, x, 1e-12 * 4 ** k if diag == "U" else 1e-12)

    def test_alpha_zero_reads_no_a(self):
        self.file("a.csv", "nan,nan\nnan,0\n")
        self.file("b.csv", "nan,1\n2,inf\n")
        out, err = self.succeed("trsm", "--alpha", "0", "--check", "a.csv", "b.csv")
        self.assertEqual(out, "0,0\n0,0\n")
        self.assertRegex(err, "^heddle: check: backward error 0 .* passed\n$")

    def test_standard_input(self):
        self.assertEqual(self.solve("a.csv", "-", stdin=b"2\n9\n"), [[1], [2]])
        self.assertEqual(self.solve("-", "b.csv", stdin=A.encode()), [[1, 2], [2, 1.5]])

    def test_empty(self):
        self.file("a.npy", npy("f8", 0, 0, []))
        self.file("b.npy", npy("f8", 0, 3, []))
        self.assertEqual(self.succeed("trsm", "a.npy", "b.npy")[0], "")
        self.assertEqual(self.succeed("trsm", "a.npy", "b.npy", "--format", "mtx", "--check")[0],
                         "%%MatrixMarket matrix array real general\n0 3\n")
        self.file("b.npy", npy("f8", 2, 0, []))
        self.assertEqual(self.json("trsm", "a.csv", "b.npy", "--json")["x"], [[], []])

    def test_random(self):
        for kind in "sdcz":
            for side, uplo, trans, diag in (("L", "L", "N", "N"), ("R", "U", "C", "N"), ("L", "U", "T", "U"), ("R", "L", "N", "U")):
                for size in ("150", "40x300") if diag == "N" else ("1", "200x7"):
                    with self.subTest(kind=kind, form=side + uplo + trans + diag, size=size):
                        out, err = self.succeed("trsm", "--random", size, "--type", kind, "--side", side, "--uplo", uplo, "--trans", trans,
                                                "--diag", diag, "--check", "--tile", "64")
                        self.assertEqual(out, "")
                        self.assertRegex(err, r"check: backward error \S+ k\*eps\*\|A\|\|X\|, bound 4: passed")
        one = self.solve("--random", "5x2", "-o", "-")
        self.assertEqual([len(row) for row in one], [2] * 5)
        self.assertEqual([len(row) for row in self.solve("--random", "5x2", "--side", "R", "-o", "-")], [5] * 2)
        self.assertEqual(one, self.solve("--random", "5x2", "-o", "-", "--seed", "1"))
        self.assertNotEqual(one, self.solve("--random", "5x2", "-o", "-", "--seed", "2"))


class Types(TrsmTest):
    def test_the_larger_type(self):
        letters = {"s": "f4", "d": "f8", "c": "c8", "z": "c16"}
        for a, b, x in (("s", "d", "d"), ("d", "s", "d"), ("s", "c", "c"), ("c", "d", "z"), ("z", "s", "z"), ("c", "s", "c")):
            with self.subTest(a=a, b=b):
                self.file("a.npy", npy(letters[a], 1, 1, [2] + [0] * (a in "cz")))
                self.file("b.npy", npy(letters[b], 1, 1, [3] + [1] * (b in "cz")))
                out, err = self.succeed("trsm", "a.npy", "b.npy", "--json")
                self.assertEqual(err, f"heddle: a.npy has type {a} and b.npy type {b}: X has type {x}\n")
                result = json.loads(out)
                self.assertEqual(result["type"], x)
                im = 0.5 if b in "cz" else 0
                self.assertEqual(result["x"], [[[1.5, im]]] if x in "cz" else [[1.5]])

    def test_the_same_type_or_one_asked_for(self):
        self.file("a.npy", npy("f4", 1, 1, [2]))
        self.file("b.npy", npy("f4", 1, 1, [3]))
        out, err = self.succeed("trsm", "a.npy", "b.npy", "--json")
        self.assertEqual((json.loads(out)["type"], err), ("s", ""))
        self.file("b.npy", npy("f8", 1, 1, [3]))
        out, err = self.succeed("trsm", "a.npy", "b.npy", "--type", "z", "--json")
        self.assertEqual((json.loads(out)["x"], err), ([[[1.5, 0]]], ""))
        self.file("b.npy", npy("c8", 1, 1, [3, 1]))
        self.refuse(1, r"b\.npy.* complex", "trsm", "a.npy", "b.npy", "--type", "d")


class Output(TrsmTest):
    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def test_csv_and_market(self):
        self.file("b.csv", "0.2\n0.5\n")
        self.assertEqual(self.succeed("trsm", "a.csv", "b.csv")[0], "0.10000000000000001\n0.10000000000000001\n")
        self.assertEqual(self.succeed("trsm", "a.csv", "b.csv", "--type", "s")[0], "0.100000001\n0.100000001\n")
        self.assertEqual(self.succeed("trsm", "a.csv", "b.csv", "--type", "c", "--format", "mtx")[0],
                         "%%MatrixMarket matrix array complex general\n2 1\n0.100000001 0\n0.100000001 0\n")
        self.assertEqual(self.succeed("trsm", "a.csv", "b.csv", "-o", "x.mtx")[0], "")
        self.assertEqual(self.read("x.mtx").decode().splitlines()[1:], ["2 1", "0.10000000000000001", "0.10000000000000001"])
        self.succeed("trsm", "a.csv", "b.csv", "-o", "x.txt")
        self.assertEqual(self.read("x.txt"), b"0.10000000000000001\n0.10000000000000001\n")

    def test_npy(self):
        for kind, letter, code in (("s", "<f4", "4f"), ("d", "<f8", "4d"), ("c", "<c8", "8f"), ("z", "<c16", "8d")):
            self.succeed("trsm", "a.csv", "b.csv", "--type", kind, "-o", "x.npy")
            content = self.read("x.npy")
            self.assertIn(f"{{'descr': '{letter}', 'fortran_order': True, 'shape': (2, 2), }}".encode(), content[:128])
            values = struct.unpack("<" + code, content[128:])
            self.assertEqual(values[::2] if kind in "cz" else values, (1, 2, 2, 1.5))

    def test_written_is_read_again(self):
        for name in ("x.csv", "x.npy", "x.mtx"):
            for kind in "dz":
                self.succeed("trsm", "--random", "30x4", "--type", kind, "-o", name)
                again = self.solve("--random", "30x4", "--type", kind, "-o", "-")
                self.file("one.csv", csv([[float(i == j) for j in range(30)] for i in range(30)]))
                self.assertEqual(self.solve("one.csv", name, "--type", kind), again)

    def test_json(self):
        result = self.json("trsm", "a.csv", "b.csv", "--json")
        self.assertEqual(sorted(result), sorted(["x", "side", "uplo", "trans", "diag", "alpha", "type", "m", "n", "seconds", "stages"]))
        self.assertEqual(result["x"], [[1, 2], [2, 1.5]])
        self.assertEqual((result["alpha"], result["type"], result["m"], result["n"]), (1, "d", 2, 2))
        result = self.json("trsm", "--random", "300x200", "--side", "R", "--uplo", "U", "--trans", "C", "--alpha", "2,-1", "--type", "z",
                           "--json", "--check", "--stats")
        self.assertEqual(result["side"] + result["uplo"] + result["trans"] + result["diag"], "RUCN")
        self.assertEqual((result["alpha"], result["m"], result["n"]), ([2, -1], 200, 300))
        self.assertLessEqual(result["error"], result["bound"])
        self.assertEqual(result["bound"], 4)
        self.assertGreater(result["gemm_gflops"], 0)
        self.assertEqual([stage["name"] for stage in result["stages"]], ["trsm"])
        self.assertNotIn("x", result)
        out, _ = self.succeed("trsm", "a.csv", "b.csv", "--json", "-o", "x.csv")
        self.assertNotIn("x", json.loads(out))
        self.assertEqual(self.read("x.csv"), b"1,2\n2,1.5\n")

    def test_stats(self):
        _, err = self.succeed("trsm", "--random", "300", "--stats")
        self.assertRegex(err, r"(?m)^trsm +\S+ +\S+ +\S+ %$")
        self.assertRegex(err, r"(?m)^dgemm: \S+ GFLOP/s on \d+ threads?$")

    def test_place_that_cannot_be_written(self):
        self.refuse(1, "nowhere/x.csv", "trsm", "a.csv", "b.csv", "-o", "nowhere/x.csv")
        if os.path.exists("/dev/full"):
            self.refuse(1, "/dev/full: ", "trsm", "a.csv", "b.csv", "-o", "/dev/full")


class Zeros(TrsmTest):
    def test_left(self):
        self.file("a.csv", "2,0,0\n1,0,0\n1,1,0\n")
        self.file("b.csv", "2,0\n3,0\n4,0\n")
        out, err = self.succeed("trsm", "a.csv", "b.csv")
        self.assertRegex(err, r"^heddle: warning: a\.csv: row 2 has a zero on the diagonal \(2 in all\): \d of the 2 columns of X hold "
                              r"Inf or NaN\n$")
        rows = rows_of(out)
        self.assertEqual(rows[0], [1, 0])
        self.assertEqual(rows[1][0], float("inf"))

    def test_right(self):
        self.file("a.csv", "0,0\n1,2\n")
        out, err = self.succeed("trsm", "--side", "R", "a.csv", "b.csv", "--type", "z", "--check")
        self.assertRegex(err, r"warning: a\.csv: row 1 has a zero on the diagonal \(1 in all\): 2 of the 2 rows of X hold Inf or NaN\n")
        self.assertRegex(err, r"check: 2 of 2 right-hand sides are left out: X holds Inf or NaN there\n.*passed")
        self.assertEqual([row[1] for row in rows_of(out)], [2, 4])

    def test_json(self):
        self.file("a.csv", "0,0\n0,2\n")
        result = json.loads(self.succeed("trsm", "a.csv", "b.csv", "--json")[0])
        self.assertTrue(all(x in ("inf", "nan") for x in result["x"][0]), result)

    def test_where_it_does_not_count(self):
        self.file("a.csv", "0,0\n1,0\n")
        self.assertEqual(self.succeed("trsm", "--diag", "U", "a.csv", "b.csv")[1], "")
        self.assertEqual(self.succeed("trsm", "--alpha", "0", "a.csv", "b.csv")[1], "")

    def test_only_a_zero_excuses_the_check(self):
        self.file("a.csv", "nan,0\n1,2\n")
        self.refuse(1, "check: X holds Inf or NaN for 2 right-hand sides that do not.*FAILED", "trsm", "--check", "a.csv", "b.csv")
        self.file("b.csv", "1,nan\n1,1\n")
        self.file("a.csv", A)
        _, err = self.succeed("trsm", "--check", "a.csv", "b.csv")
        self.assertRegex(err, r"check: 1 of 2 right-hand sides are left out.*\n.*passed")


class Refused(TrsmTest):
    def test_shapes(self):
        self.file("wide.csv", "1,2,3\n4,5,6\n")
        self.refuse(1, r"wide\.csv: the matrix is 2 by 3, and a triangle is square", "trsm", "wide.csv", "b.csv")
        self.refuse(1, r"a\.csv is 2 by 2 and wide\.csv is 2 by 3: X op\(A\) = alpha B needs as many columns in B as A has",
                    "trsm", "--side", "R", "a.csv", "wide.csv")
        self.file("tall.csv", "1\n2\n3\n")
        self.refuse(1, r"a\.csv is 2 by 2 and tall\.csv is 3 by 1: op\(A\) X = alpha B needs as many rows in B as A has",
                    "trsm", "a.csv", "tall.csv", "-o", "x.csv")

    def test_files(self):
        self.refuse(1, "none.csv", "trsm", "a.csv", "none.csv")
        self.file("word.csv", "1,2\n3,four\n")
        self.refuse(1, r"word\.csv:2: ", "trsm", "word.csv", "b.csv")

    def test_alpha(self):
        self.refuse(1, "--alpha: 1,2 is complex and type d is real: it needs type c or z", "trsm", "--alpha", "1,2", "a.csv", "b.csv")
        self.refuse(1, "--alpha: too large for type s: it needs type d", "trsm", "--alpha", "1e99", "--type", "s", "a.csv", "b.csv")

    def test_memory(self):
        self.refuse(1, "10000000x1: needs .* GiB .* are available", "trsm", "--random", "10000000x1")

    def test_usage(self):
        for pattern, words in (
                ("expected A B or --random M", ()),
                ("'a.csv' is A, and no B given; expected A B", ("a.csv",)),
                ("'c.csv': A and B are enough", ("a.csv", "b.csv", "c.csv")),
                ("both A and --random given", ("--random", "5", "a.csv", "b.csv")),
                ("both A and B are '-'", ("-", "-")),
                ("--seed: makes sense with --random only", ("--seed", "5", "a.csv", "b.csv")),
                ("--random: '5x' is not a size", ("--random", "5x")),
                ("--side: 'X' is unknown; expected L or R", ("--side", "X", "a.csv", "b.csv")),
                ("--side: 'L,R' is unknown; expected L or R", ("--side", "L,R", "a.csv", "b.csv")),
                ("--uplo: 'l' is unknown; expected L or U", ("--uplo", "l", "a.csv", "b.csv")),
                ("--trans: 'H' is unknown; expected N, T or C", ("--trans", "H", "a.csv", "b.csv")),
                ("--diag: '' is unknown; expected N or U", ("--diag", "", "a.csv", "b.csv")),
                ("--alpha: '1,' is not a finite number; expected RE or RE,IM", ("--alpha", "1,", "a.csv", "b.csv")),
                ("--alpha: 'nan' is not a finite number", ("--alpha", "nan", "a.csv", "b.csv")),
                ("--alpha: 'inf' is not a finite number", ("--alpha", "inf", "a.csv", "b.csv")),
                ("--format: 'mat' is unknown; expected csv, mtx or npy", ("--format", "mat", "a.csv", "b.csv")),
                ("--type: 'q' is not a type", ("--type", "q", "a.csv", "b.csv")),
                ("unrecognized option '--band'", ("--band", "5", "a.csv", "b.csv")),
                ("both --json and -o -", ("--json", "-o", "-", "a.csv", "b.csv"))):
            with self.subTest(words=words):
                self.refuse(2, pattern + "(.|\n)*Try `heddle trsm --help'", "trsm", *words)


if __name__ == "__main__":
    program.main()

"""heddle bench: its rows, its JSON, its plot and its complaints, on tiny sizes."""
import os
import re
import shutil

import program

KEYS = {"job", "type", "m", "n", "contestant", "threads", "seconds_min", "seconds_median", "runs", "gflops", "gemm_gflops",
        "limit_seconds", "ratio_to_limit"}


class Bench(program.ProgramTest):
    def check_rows(self, rows, job, contestants, extra=()):
        for row in rows:
            keys = KEYS | set(extra)
            if row["contestant"] == "heddle" and len(contestants) > 1:
                keys = keys | {"speedup"}
            self.assertEqual(set(row), keys)
            self.assertEqual(row["job"], job)
            self.assertIn(row["contestant"], contestants)
            self.assertLessEqual(row["seconds_min"], row["seconds_median"])
            for key in ("seconds_min", "gflops", "gemm_gflops", "limit_seconds", "ratio_to_limit"):
                self.assertGreater(row[key], 0, key)
            self.assertAlmostEqual(row["ratio_to_limit"], row["seconds_min"] / row["limit_seconds"],
                                   delta=1e-3 * row["ratio_to_limit"])
        for ours, theirs in zip(rows[::2], rows[1::2]) if len(contestants) > 1 else ():
            self.assertEqual((ours["contestant"], theirs["contestant"]), contestants)
            self.assertAlmostEqual(ours["speedup"], theirs["seconds_min"] / ours["seconds_min"], delta=1e-3 * ours["speedup"])

    def check_limit(self, row, flops):
        limit = 1e-9 * flops / row["gemm_gflops"]
        self.assertAlmostEqual(row["limit_seconds"], limit, delta=1e-3 * limit)

    def test_svdvals(self):
        rows = self.json("bench", "svdvals", "--sizes", "64,200x100", "--type", "s,z", "--peer", "lapack", "--repeat", "2",
                         "--workers", "2", "--json")
        self.check_rows(rows, "svdvals", ("heddle", "lapack"))
        self.assertEqual([(r["type"], r["m"], r["n"]) for r in rows[::2]],
                         [("s", 64, 64), ("s", 200, 100), ("z", 64, 64), ("z", 200, 100)])
        self.assertTrue(all(r["runs"] == 2 and r["threads"] == 2 for r in rows))
        for row, flops in ((rows[0], 8 / 3 * 64 ** 3), (rows[-1], 4 * (2 * 200 * 100 ** 2 + 2 * 100 ** 3))):
            self.check_limit(row, flops)

    def test_ge2gb(self):
        for kind in "dc":
            rows = self.json("bench", "ge2gb", "--sizes", "150,200x100,100x200", "--kd", "16,32", "--type", kind, "--repeat", "1",
                             "--json")
            self.check_rows(rows, "ge2gb", ("heddle",), ("kd",))
            self.assertEqual([(r["m"], r["n"], r["kd"]) for r in rows],
                             [(m, n, kd) for m, n in ((150, 150), (200, 100), (100, 200)) for kd in (16, 32)])

    def test_gb2bd(self):
        for kind in "sz":
            rows = self.json("bench", "gb2bd", "--sizes", "200", "--kd", "8", "--type", kind, "--peer", "lapack", "--repeat", "1",
                             "--json")
            self.check_rows(rows, "gb2bd", ("heddle", "lapack"), ("kd",))
            self.assertEqual(rows[1]["threads"], 1)

    def test_eigvals(self):
        rows = self.json("bench", "eigvals", "--sizes", "64,100", "--type", "d,c", "--peer", "lapack", "--repeat", "2", "--workers", "2",
                         "--json")
        self.check_rows(rows, "eigvals", ("heddle", "lapack"))
        self.assertEqual([(r["type"], r["m"], r["n"]) for r in rows[::2]],
                         [("d", 64, 64), ("d", 100, 100), ("c", 64, 64), ("c", 100, 100)])
        self.assertTrue(all(r["runs"] == 2 and r["threads"] == 2 for r in rows))
        for row, flops in ((rows[0], 4 / 3 * 64 ** 3), (rows[-1], 16 / 3 * 100 ** 3)):
            self.check_limit(row, flops)

    def test_sy2sb(self):
        rows = self.json("bench", "sy2sb", "--sizes", "150", "--kd", "16,32", "--type", "s,z", "--repeat", "1", "--json")
        self.check_rows(rows, "sy2sb", ("heddle",), ("kd",))
        self.assertEqual([(r["type"], r["n"], r["kd"]) for r in rows],
                         [("s", 150, 16), ("s", 150, 32), ("z", 150, 16), ("z", 150, 32)])
        self.check_limit(rows[0], 4 / 3 * 150 ** 3)
        self.check_limit(rows[-1], 16 / 3 * 150 ** 3)

    def test_sb2st(self):
        rows = self.json("bench", "sb2st", "--sizes", "200", "--kd", "8", "--type", "d,c", "--peer", "lapack", "--repeat", "1",
                         "--json")
        self.check_rows(rows, "sb2st", ("heddle", "lapack"), ("kd",))
        self.assertTrue(all(row["threads"] == 1 for row in rows[1::2]))
        self.check_limit(rows[0], 6 * 200 ** 2 * 8)
        self.check_limit(rows[-1], 4 * 6 * 200 ** 2 * 8)

    def test_trsm(self):
        form = ("side", "uplo", "trans", "diag")
        rows = self.json("bench", "trsm", "--sizes", "40,200x30", "--side", "L,R", "--type", "s,z", "--peer", "openblas", "--repeat", "2",
                         "--workers", "2", "--json")
        self.check_rows(rows, "trsm", ("heddle", "openblas"), form)
        self.assertEqual([(r["type"], r["m"], r["n"], r["side"]) for r in rows[::2]],
                         [(kind, m, n, side) for kind in "sz" for m, n in ((40, 40), (200, 30)) for side in "LR"])
        self.assertTrue(all(r["runs"] == 2 and r["threads"] == 2 and r["uplo"] + r["trans"] + r["diag"] == "LNN" for r in rows))
        self.check_limit(rows[0], 40 ** 3)
        self.check_limit(rows[-1], 4 * 200 ** 2 * 30)

    def test_trsm_forms(self):
        for uplo, trans, diag in ("UCU", "LTN", "UTU"):
            rows = self.json("bench", "trsm", "--sizes", "70x33", "--side", "R,L", "--uplo", uplo, "--trans", trans, "--diag", diag,
                             "--type", "c", "--peer", "openblas", "--repeat", "1", "--json")
            self.assertEqual([r["side"] + r["uplo"] + r["trans"] + r["diag"] for r in rows[::2]],
                             [side + uplo + trans + diag for side in "RL"])

    def test_trsm_batch(self):
        rows = self.json("bench", "trsm", "--sizes", "20x3", "--batch", "50", "--type", "s,d,c,z", "--peer", "openblas", "--repeat", "1",
                         "--workers", "2", "--json")
        self.check_rows(rows, "trsm", ("heddle", "openblas"), ("side", "uplo", "trans", "diag", "batch"))
        self.assertEqual([(r["contestant"], r["threads"], r["batch"]) for r in rows], 4 * [("heddle", 2, 50), ("openblas", 1, 50)])
        self.check_limit(rows[0], 50 * 20 ** 2 * 3)
        self.check_limit(rows[-1], 50 * 20 ** 2 * 3 * 4)

    def test_trsm_asynchronous(self):
        rows = self.json("bench", "trsm", "--sizes", "90", "--tile", "32", "--type", "s", "--side", "L,R", "--peer", "openblas",
                         "--repeat", "1", "--json")
        self.check_rows(rows, "trsm", ("heddle", "openblas"), ("side", "uplo", "trans", "diag"))

    def test_trsm_text(self):
        out, _ = self.succeed("bench", "trsm", "--sizes", "32x16", "--side", "R", "--uplo", "U", "--trans", "C", "--diag", "U",
                              "--batch", "3", "--repeat", "1", "--workers", "1")
        self.assertRegex(out, r"3 solves in one call")
        self.assertRegex(out, r"(?m)^d +32 +16 RUCU +heddle +1( +[0-9.e+-]+){6}$")

    def test_band_wider_than_the_matrix(self):
        for job, flops in (("gb2bd", 8 / 3 * 20 ** 3), ("sb2st", 4 / 3 * 20 ** 3)):
            rows = self.json("bench", job, "--sizes", "20", "--kd", "50", "--peer", "lapack", "--repeat", "1", "--json")
            self.check_rows(rows, job, ("heddle", "lapack"), ("kd",))
            self.check_limit(rows[0], flops)

    def test_text(self):
        out, err = self.succeed("bench", "svdvals", "--sizes", "64", "--peer", "lapack", "--repeat", "1", "--workers", "1")
        self.assertEqual(err, "")
        self.assertRegex(out, r"1 thread, 1 run each")
        self.assertRegex(out, r"BLAS: .*kernels for")
        self.assertRegex(out, r"(?m)^d +64 +64 +- +heddle +1( +[0-9.e+-]+){7}$")
        self.assertRegex(out, r"(?m)^d +64 +64 +- +lapack +1( +[0-9.e+-]+){6}$")

    def test_plot(self):
        if not shutil.which("gnuplot"):
            self.skipTest("gnuplot is not installed")
        name = "it's a plot.svg"
        self.succeed("bench", "svdvals", "--sizes", "32,64", "--repeat", "1", "--peer", "lapack", "--plot", name)
        with open(self.path(name), encoding="utf-8") as f:
            text = f.read()
        self.assertIn("<svg", text)
        self.assertRegex(text, "lapack d")
        self.assertEqual(os.listdir(self.folder), [name])

    def test_plot_without_gnuplot(self):
        self.refuse(1, "gnuplot", "bench", "svdvals", "--sizes", "32", "--plot", "a.svg", env={"PATH": "/nonexistent"})

    def test_plot_in_no_folder(self):
        self.refuse(1, "nowhere/a.svg: ", "bench", "svdvals", "--sizes", "32", "--plot", "nowhere/a.svg")

    def test_too_large_for_memory(self):
        code, out, err = self.run_program("bench", "svdvals", "--sizes", "10000000", "--json")
        self.assertEqual((code, out), (1, ""))
        self.assertTrue(re.search("svdvals: needs .* GiB .* are available", err), err)

    def test_usage(self):
        for pattern, words in (
                ("expected svdvals, ge2gb, gb2bd, eigvals, sy2sb, sb2st or trsm", ()),
                ("'svd' is not a job; expected svdvals, ge2gb, gb2bd, eigvals, sy2sb, sb2st or trsm", ("svd",)),
                ("one job is enough", ("svdvals", "ge2gb")),
                ("--sizes: '' is not a size", ("svdvals", "--sizes", "64,,32")),
                ("--sizes: '64x' is not a size", ("svdvals", "--sizes", "64x")),
                ("--sizes: '0' has an empty matrix", ("svdvals", "--sizes", "0")),
                ("--sizes: a band is square", ("gb2bd", "--sizes", "20x10")),
                ("--sizes: a band is square", ("sb2st", "--sizes", "20,20x10")),
                ("--sizes: a symmetric matrix is square", ("eigvals", "--sizes", "20x10")),
                ("--sizes: a symmetric matrix is square", ("sy2sb", "--sizes", "20x10")),
                ("--peer: LAPACK has no sy2sb", ("sy2sb", "--peer", "lapack")),
                ("--type: 'x' is not a type", ("svdvals", "--type", "d,x")),
                ("--kd: 0 is out of range", ("gb2bd", "--kd", "8,0")),
                ("--peer: 'mkl' is unknown; expected lapack or none", ("svdvals", "--peer", "mkl")),
                ("--peer: LAPACK has no ge2gb", ("ge2gb", "--peer", "lapack")),
                ("--peer: 'lapack' is unknown; expected openblas or none", ("trsm", "--peer", "lapack")),
                ("--peer: 'openblas' is unknown; expected lapack or none", ("--peer", "openblas", "eigvals")),
                ("--peer: 'mkl' is unknown; expected none", ("ge2gb", "--peer", "mkl")),
                ("--side: 'L,L' is unknown; expected L, R, L,R or R,L", ("trsm", "--side", "L,L")),
                ("--trans: makes sense with trsm only", ("svdvals", "--trans", "T")),
                ("--batch: makes sense with trsm only", ("svdvals", "--batch", "5")),
                ("--batch: 0 is out of range", ("trsm", "--batch", "0")),
                ("--kd: has no meaning with trsm", ("trsm", "--kd", "8")),
                ("--tile: has no meaning with --batch", ("trsm", "--batch", "8", "--tile", "8")),
                ("--sizes: too large for a BLAS's integers", ("trsm", "--sizes", "1x3000000000")),
                ("--repeat: 0 is out of range", ("svdvals", "--repeat", "0")),
                ("--plot: 'a.png' does not end in .svg", ("svdvals", "--plot", "a.png"))):
            with self.subTest(words=words):
                self.refuse(2, pattern + "(.|\n)*Try `heddle bench --help'", "bench", *words)


if __name__ == "__main__":
    program.main()

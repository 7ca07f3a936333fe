"""heddle svdvals and eigvals on real matrices, against singular values computed to 25 digits.

The folder that HEDDLE_MATRICES names (else ../shared/matrices beside the source) holds NAME.mtx and NAME.sv."""
import glob
import math
import os
import sys

import program

SOURCE = os.environ.get("HEDDLE_SOURCE_DIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
FOLDER = os.environ.get("HEDDLE_MATRICES", os.path.join(SOURCE, "..", "shared", "matrices"))


class Matrices(program.ProgramTest):
    def compare(self, command, name, kind, *words):
        with open(os.path.join(FOLDER, name + ".sv"), encoding="ascii") as f:
            expected = [float(line) for line in f if line.strip()]
        out = self.json(command, os.path.join(FOLDER, name + ".mtx"), "--json", "--type", kind, *words)
        bound = 8 * math.sqrt(max(out["m"], out["n"])) * program.EPS[kind] * expected[0]
        self.assertEqual(len(out["values"]), len(expected))
        self.assertEqual(out["values"], sorted(out["values"], reverse=command == "svdvals"))
        for got, value in zip(sorted(map(abs, out["values"]), reverse=True), expected):
            self.assertLessEqual(abs(got - value), bound)

    def test_all(self):
        for file in sorted(glob.glob(os.path.join(FOLDER, "*.mtx"))):
            name = os.path.basename(file)[:-4]
            with open(file, encoding="latin-1") as f:
                banner = f.readline()
            kinds = "cz" if "complex" in banner else "sdcz"
            symmetric = "real symmetric" in banner or "integer symmetric" in banner or "hermitian" in banner
            for command in ("svdvals", "eigvals") if symmetric else ("svdvals",):
                for kind in kinds:
                    for words in (("--route", "auto"), ("--route", "graph", "--band", "8", "--tile", "24")):
                        with self.subTest(command=command, name=name, kind=kind, words=words):
                            self.compare(command, name, kind, *words)


if __name__ == "__main__":
    if not glob.glob(os.path.join(FOLDER, "*.sv")):
        print(f"SKIPPED: no matrices in {FOLDER} (HEDDLE_MATRICES names the folder)")
        sys.exit(77)
    program.main()

"""heddle svdvals reads every file format, and says where a file is broken."""
import program
from program import npy

GOLDEN = [1.6180339887498949, 0.6180339887498949]
EPS_S = program.EPS["s"]

# Matrix Market files and the singular values of what they hold.
MARKET = {
    "array real general": ("3 2\n3\n0\n0\n0\n-2\n0\n", [3, 2]),
    "array integer general": ("2 2\n1\n0\n1\n1\n", GOLDEN),
    "array complex general": ("2 2\n0 0\n1 0\n0 2\n0 0\n", [2, 1]),
    "array real symmetric": ("2 2\n2\n1\n2\n", [3, 1]),
    "array real skew-symmetric": ("2 2\n3\n", [3, 3]),
    "array complex hermitian": ("2 2\n2 0\n0 -1\n2 0\n", [3, 1]),
    "coordinate real general": ("2 3 2\n1 1 3\n2 3 -2\n", [3, 2]),
    "coordinate integer general": ("% a comment\n2 2 3\n1 1 1\n1 2 1\n2 2 1\n", GOLDEN),
    "coordinate complex general": ("2 2 2\n1 2 0 2\n2 1 1 0\n", [2, 1]),
    "coordinate pattern general": ("2 2 4\n1 1\n1 2\n2 1\n2 2\n", [2, 0]),
    "coordinate real symmetric": ("2 2 3\n1 1 2\n2 1 1\n2 2 2\n", [3, 1]),
    "coordinate real skew-symmetric": ("2 2 1\n2 1 3\n", [3, 3]),
    "coordinate complex hermitian": ("2 2 3\n1 1 2 0\n2 1 0 -1\n2 2 2 0\n", [3, 1]),
    "coordinate complex symmetric": ("2 2 2\n1 1 0 2\n2 2 1 0\n", [2, 1]),
}

HEAD = "%%MatrixMarket matrix coordinate real general\n"
BROKEN = {
    "head.mtx": ("%%MatrixMarket matrix coordinate real diagonal\n1 1 1\n1 1 1\n", r"head\.mtx:1: "),
    "sizes.mtx": (HEAD + "2 x 1\n1 1 1\n", r"sizes\.mtx:2: "),
    "index.mtx": (HEAD + "2 2 1\n3 1 1\n", r"index\.mtx:3: "),
    "number.mtx": (HEAD + "2 2 2\n1 1 1\n2 2 one\n", r"number\.mtx:4: "),
    "short.mtx": (HEAD + "2 2 2\n1 1 1\n", r"short\.mtx:\d+: "),
    "long.mtx": (HEAD + "1 1 1\n1 1 1\n1 1 1\n", r"long\.mtx:4: "),
    "ragged.csv": ("1,2\n3\n", r"ragged\.csv:2: "),
    "word.csv": ("1,2\n3,four\n", r"word\.csv:2: "),
    "cut.npy": (npy("f8", 2, 2, [1, 0, 1, 1])[:-3], r"cut\.npy: "),
    "empty": ("", r"empty"),
    "huge.mtx": (HEAD + "9000000 9000000 1\n1 1 1\n", r"huge\.mtx.*GiB.*GiB"),
}


class Files(program.ProgramTest):
    def test_matrix_market(self):
        for kind, (body, expected) in MARKET.items():
            with self.subTest(kind=kind):
                self.file("a.mtx", f"%%MatrixMarket matrix {kind}\n{body}")
                self.assert_close(self.values("a.mtx"), expected)
                self.assert_close(self.values("--type", "z", "a.mtx"), expected)
                self.assert_close(self.values("--type", "c", "a.mtx"), expected, EPS_S)

    def test_npy(self):
        for letter, complex_numbers, eps in (("f4", 0, EPS_S), ("f8", 0, 2.0 ** -52), ("c8", 1, EPS_S), ("c16", 1, 2.0 ** -52)):
            for fortran in (False, True):
                with self.subTest(letter=letter, fortran=fortran):
                    elements = [1, 1, 0, 0, 1, 0] if not fortran else [1, 0, 1, 1, 0, 0]  # [[1, 1, 0], [0, 1, 0]]
                    if complex_numbers:
                        elements = [part for x in elements for part in (0, x)]  # times i
                    self.file("a.npy", npy(letter, 2, 3, elements, fortran))
                    self.assert_close(self.values("a.npy"), GOLDEN, eps)

    def test_type_follows_the_file(self):
        self.file("a.npy", npy("f4", 1, 1, [0.1]))
        self.assertEqual(self.json("svdvals", "--json", "a.npy")["type"], "s")
        self.file("a.npy", npy("c8", 1, 1, [3, 4]))
        self.assertEqual(self.json("svdvals", "--json", "a.npy")["type"], "c")
        self.file("a.csv", "1\n")
        self.assertEqual(self.json("svdvals", "--json", "a.csv")["type"], "d")
        self.assertEqual(self.json("svdvals", "--json", "--type", "s", "a.csv")["type"], "s")

    def test_csv_and_standard_input(self):
        self.file("a.csv", "1,1\n0,1\n")
        self.assert_close(self.values("a.csv"), GOLDEN)
        self.assert_close(self.values("-", stdin=b"1,1\n0,1\n"), GOLDEN)
        self.assert_close(self.values("-", stdin=npy("f8", 2, 2, [1, 1, 0, 1])), GOLDEN)

    def test_scales(self):
        for scale in (1e-300, 1e300):
            self.file("a.csv", f"{scale},{scale}\n0,{scale}\n")
            got = self.values("a.csv")
            self.assert_close([x / scale for x in got], GOLDEN)

    def test_broken_files(self):
        for name, (content, pattern) in BROKEN.items():
            with self.subTest(name=name):
                self.file(name, content)
                self.refuse(1, "^heddle: " + pattern, "svdvals", name, "-o", "values.txt")

    def test_unusable_files(self):
        self.refuse(1, "nowhere.mtx", "svdvals", "nowhere.mtx")
        self.refuse(1, r"\.: ", "svdvals", ".")
        self.file("a.npy", npy("c16", 1, 1, [3, 4]))
        self.refuse(1, "a.npy", "svdvals", "--type", "d", "a.npy")

    def test_nan_and_infinity(self):
        for word in ("nan", "inf"):
            self.file("a.csv", f"1,2\n3,{word}\n")
            self.refuse(1, "a.csv: .*NaN", "svdvals", "a.csv", "-o", "values.txt")


if __name__ == "__main__":
    program.main()

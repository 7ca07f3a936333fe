/* heddle eigvals: eigenvalues of symmetric and Hermitian matrices, ascending. */
#include "tools/heddle/commands.h"
#include "tools/heddle/values.h"

static const char doc[] =
	"Eigenvalues of the symmetric or Hermitian matrix in FILE (\"-\": standard input), or of a random one, in ascending order, "
	"one a line.\n"
	"\n"
	"FILE is in Matrix Market form, a NumPy array (.npy) or comma-separated values; its content tells which.  All of its "
	"entries are looked at: A(i,j) and A(j,i) that are not equal (in complex: each other's conjugate) are an error that names "
	"them, unless --symmetrize is given."
	"\v"
	"Examples:\n"
	"  heddle eigvals matrix.mtx                        all values\n"
	"  heddle eigvals --bottom 10 matrix.npy            the ten smallest\n"
	"  heddle eigvals --index 5,8 matrix.npy            the fifth to eighth of all\n"
	"  heddle eigvals --range=-0.5,0.5 --json data.csv  those in (-0.5, 0.5]\n"
	"  heddle eigvals --symmetrize measured.csv         of (A + A^H)/2\n"
	"  heddle eigvals --random 4096 --check --stats     how good, how fast\n"
	"\n"
	"Values are printed with as many digits as bring the same number back; --json writes one that overflows the type as the "
	"string \"inf\" or \"-inf\".  Messages, --stats and progress go to standard error; progress is shown on a terminal only.  "
	"When anything fails, nothing is written to standard output or to the file that -o names.\n"
	"\n"
	"--check takes the error in units of eps*norm: eps is the distance from 1 to the next number of the type (2.2e-16 in "
	"double, 1.2e-7 in single), norm the largest magnitude of an eigenvalue.  It may be 8*sqrt(N).  LAPACK (syevd, heevd) is "
	"the reference, for a random matrix the values it was made from.\n"
	"\n"
	"Exit codes: 0 done; 1 the input or the run is at fault, or --check failed; 2 the command line is wrong; 130 interrupted "
	"by Ctrl-C.";

int eigvals_command(int argc, char **argv)
{
	static const struct job job = { .kind = JOB_EIGVALS, .doc = doc, .args_doc = "FILE\n--random N" };

	return values_command(&job, argc, argv);
}

/* heddle svdvals: singular values, largest first. */
#include "tools/heddle/commands.h"
#include "tools/heddle/values.h"

static const char doc[] =
	"Singular values of the matrix in FILE (\"-\": standard input), or of a random matrix, largest first, one a line.\n"
	"\n"
	"FILE is in Matrix Market form, a NumPy array (.npy) or comma-separated values; its content tells which."
	"\v"
	"Examples:\n"
	"  heddle svdvals matrix.mtx                            all values\n"
	"  heddle svdvals --top 10 matrix.npy                   the ten largest\n"
	"  heddle svdvals --range 0.5,2 --json data.csv         those in (0.5, 2]\n"
	"  heddle svdvals --random 4096x4096 --check --stats    how good, how fast\n"
	"\n"
	"Values are printed with as many digits as bring the same number back; --json writes one that overflows the type as the "
	"string \"inf\".  Messages, --stats and progress go to standard error; progress is shown on a terminal only.  When anything "
	"fails, nothing is written to standard output or to the file that -o names.\n"
	"\n"
	"--check takes the error in units of eps*norm: eps is the distance from 1 to the next number of the type (2.2e-16 in "
	"double, 1.2e-7 in single), norm the largest singular value.  It may be 8*sqrt(max(M,N)).  LAPACK (gesdd) is the "
	"reference, for a random matrix the values it was made from.\n"
	"\n"
	"Exit codes: 0 done; 1 the input or the run is at fault, or --check failed; 2 the command line is wrong; 130 interrupted "
	"by Ctrl-C.";

int svdvals_command(int argc, char **argv)
{
	static const struct job job = { .kind = JOB_SVDVALS, .doc = doc, .args_doc = "FILE\n--random MxN" };

	return values_command(&job, argc, argv);
}

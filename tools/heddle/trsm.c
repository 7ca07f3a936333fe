/* heddle trsm: triangular solves with the matrices of two files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "runtime/blas_threads.h"
#include "tools/heddle/commands.h"
#include "tools/heddle/gemm_rate.h"
#include "tools/heddle/job.h"
#include "tools/heddle/memory.h"
#include "tools/heddle/message.h"
#include "tools/heddle/report.h"
#include "tools/heddle/solve.h"
#include "tools/io/memory.h"
#include "tools/io/readers.h"

static const char doc[] =
	"Solves op(A) X = alpha B, or with --side R X op(A) = alpha B, for X.  A is the lower triangle of the square matrix in the file A, or "
	"with --uplo U the upper one; B is the matrix in the file B (\"-\": standard input).  The other triangle of A is not looked at, "
	"nor with --diag U the diagonal.\n"
	"\n"
	"Files are in Matrix Market form, NumPy arrays (.npy) or comma-separated values; their content tells which.  Where A and B differ "
	"in type, both are taken into the one that holds the numbers of both."
	"\v"
	"Examples:\n"
	"  heddle trsm L.mtx B.mtx                      L X = B; X as csv\n"
	"  heddle trsm --trans C L.npy B.npy -o X.npy   L^H X = B\n"
	"  heddle trsm --side R --uplo U R.csv B.csv    X R = B\n"
	"  heddle trsm --diag U --alpha=-2 L.csv B.csv  L X = -2 B, ones on the diagonal\n"
	"  heddle trsm --random 4096 --check --stats    how good, how fast\n"
	"\n"
	"Numbers are printed with as many digits as bring the same number back.  --json writes X as an array of rows, complex numbers as "
	"[RE, IM]; not where -o takes X.  After --random X goes nowhere unless -o says "
	"where.  Messages, --stats and progress go to standard error; progress is shown on a terminal only.  When "
	"anything fails, nothing is written to standard output or to the file that -o names.\n"
	"\n"
	"A zero on a diagonal that counts is no error: X then holds Inf and NaN, as from the BLAS, and a warning tells how much of it.\n"
	"\n"
	"--check takes the backward error: the largest |alpha B - op(A) X| over k eps |op(A)||X|, element by element, where k is the order "
	"of A and eps the distance from 1 to the next number of the type (2.2e-16 in double, 1.2e-7 in single).  It may be 4.  Right-hand "
	"sides for which X holds Inf or NaN are left out where A has a zero on its diagonal or B holds such numbers, too.\n"
	"\n"
	"Exit codes: 0 done; 1 the input or the run is at fault, or --check failed; 2 the command line is wrong; 130 interrupted "
	"by Ctrl-C.";

struct session {
	struct job_arguments arguments;
	char a_about[ABOUT_SIZE], b_about[ABOUT_SIZE];
	struct dense a, b;
	void *given;        /* B, where it is needed after X has replaced it */
	int64_t zeros;      /* on the diagonal */
	struct solve solve;
	struct job_result result;
};

static int files_read(struct session *session)
{
	const struct job_arguments *a = &session->arguments;

	return input_read(a->file, a->type, session->a_about, &session->a) == 0 &&
	       input_read(a->sides, a->type, session->b_about, &session->b) == 0 ? 0 : -1;
}

static int make_random(struct session *session)
{
	const struct job_arguments *a = &session->arguments;
	const struct kind *kind = kind_of(a->type);
	int64_t k = a->random.m, sides = a->random.n;
	bool left = a->form.form.side == HEDDLE_LEFT;
	char why[200];

	snprintf(session->a_about, ABOUT_SIZE, "--random %lldx%lld", (long long)k, (long long)sides);
	memcpy(session->b_about, session->a_about, ABOUT_SIZE);
	double bytes = dense_bytes(kind, (double)k, (double)k) + dense_bytes(kind, (double)k, (double)sides);
	if (!memory_suffices(session->a_about, bytes))
		return -1;
	if (dense_allocate(&session->a, a->type, k, k, INT64_MAX, why, sizeof(why)) != 0 ||
	    dense_allocate(&session->b, a->type, left ? k : sides, left ? sides : k, INT64_MAX, why, sizeof(why)) != 0) {
		complain("%s: %s", session->a_about, why);
		return -1;
	}
	triangle_fill(kind, a->form.form, k, session->a.a, a->seed);
	random_fill(kind, session->b.a, k * sides, a->seed + 1);
	return 0;
}

/* A and B in one type. */
static int types_agree(struct session *session)
{
	heddle_type a = session->a.type, b = session->b.type, type = type_of_both(a, b);
	struct io_error error;

	if (a != b)
		complain("%s has type %c and %s type %c: X has type %c", session->a_about, (char)a, session->b_about, (char)b, (char)type);
	if (matrix_widen(&session->a, type, &error) == 0 && matrix_widen(&session->b, type, &error) == 0)
		return 0;
	complain("%s", error.text);
	return -1;
}

static int shapes_fit(const struct session *session)
{
	const struct dense *a = &session->a, *b = &session->b;
	bool left = session->arguments.form.form.side == HEDDLE_LEFT;

	if (a->m != a->n) {
		complain("%s: the matrix is %lld by %lld, and a triangle is square", session->a_about, (long long)a->m, (long long)a->n);
		return -1;
	}
	if (a->n == (left ? b->m : b->n))
		return 0;
	complain("%s is %lld by %lld and %s is %lld by %lld: %s = alpha B needs as many %s in B as A has", session->a_about, (long long)a->m,
		 (long long)a->n, session->b_about, (long long)b->m, (long long)b->n, left ? "op(A) X" : "X op(A)", left ? "rows" : "columns");
	return -1;
}

/* alpha must be a number of the type. */
static int alpha_fits(const struct session *session)
{
	const double *alpha = session->arguments.alpha;
	char type = (char)session->a.type;
	bool single = type_is_single(session->a.type);

	if (alpha[1] != 0 && !type_is_complex(session->a.type))
		complain("--alpha: %g,%g is complex and type %c is real: it needs type c or z", alpha[0], alpha[1], type);
	else if (single && (isinf((float)alpha[0]) || isinf((float)alpha[1])))
		complain("--alpha: too large for type %c: it needs type %c", type, type == 's' ? 'd' : 'z');
	else
		return 0;
	return -1;
}

static int input_obtain(struct session *session)
{
	const struct job_arguments *a = &session->arguments;

	if ((a->file ? files_read(session) : make_random(session)) != 0 || shapes_fit(session) != 0 || types_agree(session) != 0 ||
	    alpha_fits(session) != 0)
		return -1;
	const struct dense *b = &session->b;
	session->solve = (struct solve){ .kind = kind_of(b->type), .form = a->form.form, .alpha = { a->alpha[0], a->alpha[1] },
					 .m = b->m, .n = b->n, .a = session->a.a, .b = b->a, .options = a->options };
	session->result = (struct job_result){ .kind = session->solve.kind, .m = b->m, .n = b->n };
	return 0;
}

static int memory_obtain(struct session *session)
{
	const struct solve *s = &session->solve;
	size_t bytes = (size_t)(s->m * s->n) * s->kind->size;

	if (!session->arguments.check)
		return 0;
	if (!memory_suffices(session->a_about, (double)bytes + solve_check_bytes(s)))
		return -1;
	session->given = malloc(bytes + 1);
	if (!session->given) {
		complain("%s: no memory", session->a_about);
		return -1;
	}
	memcpy(session->given, s->b, bytes);
	return 0;
}

static int compute(void *data)
{
	struct session *session = data;

	session->result.run.watched = true;
	return solve_run(&session->result.run, &session->solve);
}

/* How many right-hand sides of X hold Inf or NaN. */
static int64_t count_spoilt(const struct session *session)
{
	const struct dense *x = &session->b;
	bool left = session->solve.form.side == HEDDLE_LEFT;
	int64_t k = solve_order(&session->solve), sides = solve_sides(&session->solve), count = 0;

	for (int64_t r = 0; r < sides; r++) {
		bool spoilt = false;

		for (int64_t i = 0; i < k && !spoilt; i++) {
			struct number v = dense_get(x, left ? i + r * x->m : r + i * x->m);

			spoilt = !isfinite(v.re) || !isfinite(v.im);
		}
		count += spoilt;
	}
	return count;
}

static void warn_of_zeros(struct session *session)
{
	const struct solve *s = &session->solve;
	int64_t first = 0;

	if (s->alpha[0] == 0 && s->alpha[1] == 0)
		return;
	session->zeros = diagonal_zeros(s, &first);
	if (session->zeros == 0 || solve_sides(s) == 0)
		return;
	complain("warning: %s: row %lld has a zero on the diagonal (%lld in all): %lld of the %lld %s of X hold Inf or NaN", session->a_about,
		 (long long)first + 1, (long long)session->zeros, (long long)count_spoilt(session), (long long)solve_sides(s),
		 s->form.side == HEDDLE_LEFT ? "columns" : "rows");
}

static int check(struct session *session)
{
	struct job_result *result = &session->result;
	struct solve_error error;

	blas_threads_set(result->threads);
	if (solve_check(&session->solve, session->given, 1, &error) != 0) {
		complain("%s: no memory", session->a_about);
		return -1;
	}
	result->bound = SOLVE_BOUND;
	result->error = error.error;
	bool good = result->error <= result->bound;
	if (error.finite > 0 && session->zeros == 0) {
		complain("check: X holds Inf or NaN for %lld right-hand sides that do not, and A's diagonal has no zero: FAILED",
			 (long long)error.finite);
		return -1;
	}
	if (error.skipped > 0)
		complain("check: %lld of %lld right-hand sides are left out: X holds Inf or NaN there", (long long)error.skipped,
			 (long long)solve_sides(&session->solve));
	complain("check: backward error %.3g k*eps*|A||X|, bound %.3g: %s", result->error, result->bound, good ? "passed" : "FAILED");
	return good ? 0 : -1;
}

/* A number, or a pair where the type is complex. */
static json_t *number_json(const struct solve *s, double re, double im)
{
	return type_is_complex(s->kind->type) ? json_pack("[o, o]", report_number(re), report_number(im)) : report_number(re);
}

static json_t *rows_json(const struct session *session)
{
	const struct dense *x = &session->b;
	json_t *rows = json_array();

	for (int64_t i = 0; i < x->m; i++) {
		json_t *row = json_array();

		for (int64_t j = 0; j < x->n; j++) {
			const struct number v = dense_get(x, i + j * x->m);

			json_array_append_new(row, number_json(&session->solve, v.re, v.im));
		}
		json_array_append_new(rows, row);
	}
	return rows;
}

static int write_json(const struct session *session)
{
	const struct solve *s = &session->solve;
	json_t *object = json_object();

	if (session->arguments.file && !session->arguments.output)
		json_object_set_new(object, "x", rows_json(session));
	json_object_update_new(object, report_form_json(s->form));
	json_object_set_new(object, "alpha", number_json(s, s->alpha[0], s->alpha[1]));
	return job_report_json(&session->result, object);
}

static int write_out(const struct session *session)
{
	const struct job_arguments *a = &session->arguments;
	const struct job_result *result = &session->result;
	struct io_error error;

	if (a->stats)
		report_stages(result->kind, &result->run, result->gemm, result->threads);
	if (a->output || (a->file && !a->json)) {
		if (matrix_write(a->output ? a->output : "-", a->format, &session->b, &error) != 0) {
			complain("%s", error.text);
			return -1;
		}
	}
	return a->json ? write_json(session) : 0;
}

static int session_run(struct session *session)
{
	const struct job_arguments *a = &session->arguments;
	struct job_result *result = &session->result;

	if (output_possible(a->output) != 0 || input_obtain(session) != 0 || memory_obtain(session) != 0)
		return EXIT_FAILED;
	int code = job_compute(&a->config, session->a_about, &result->threads, compute, session);
	if (code != EXIT_DONE)
		return code;
	warn_of_zeros(session);
	if (a->check && check(session) != 0)
		return EXIT_FAILED;
	if (a->stats && gemm_rate_once(result->kind, result->threads, &result->gemm) != 0)
		return EXIT_FAILED;
	return write_out(session) == 0 ? EXIT_DONE : EXIT_FAILED;
}

int trsm_command(int argc, char **argv)
{
	static const struct job job = { .kind = JOB_TRSM, .doc = doc, .args_doc = "A B\n--random M[xN]" };
	struct session session = { .zeros = 0 };

	job_parse(&job, argc, argv, &session.arguments);
	int code = session_run(&session);
	dense_free(&session.a);
	dense_free(&session.b);
	free(session.given);
	return code;
}

/* heddle svdvals and heddle eigvals: reads or makes the matrix, computes, checks, and only then writes. */
#include "tools/heddle/values.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "runtime/blas_threads.h"
#include "tools/heddle/check.h"
#include "tools/heddle/gemm_rate.h"
#include "tools/heddle/interrupt.h"
#include "tools/heddle/lapack.h"
#include "tools/heddle/memory.h"
#include "tools/heddle/message.h"
#include "tools/io/io.h"

/* Everything a run holds. */
struct session {
	const struct values_job *job;
	struct values_arguments arguments;
	char about[300];  /* the matrix, for messages */
	struct dense dense;
	void *copy;       /* of the matrix, for LAPACK */
	double *known;    /* the values of a random matrix, or LAPACK's */
	heddle_select select;
	struct values_result result;
};

/* The problem whose matrix is at a. */
static struct problem problem_of(const struct session *session, void *a)
{
	const struct dense *d = &session->dense;

	return (struct problem){ .kind = session->result.kind, .hermitian = session->job->hermitian, .uplo = session->arguments.uplo,
				 .m = d->m, .n = d->n, .a = a, .options = session->arguments.options };
}

static int64_t values_count(const struct session *session)
{
	return session->dense.m < session->dense.n ? session->dense.m : session->dense.n;
}

/* Complains now of an output that could not be written after a long computation. */
static int output_possible(const char *file)
{
	if (!file || strcmp(file, "-") == 0)
		return 0;
	char *copy = strdup(file);
	int code = copy ? access(dirname(copy), W_OK) : -1;

	if (code != 0)
		complain("%s: %s", file, strerror(errno));
	free(copy);
	return code;
}

/* Of a file, only what is symmetric has eigenvalues for us. */
static int make_hermitian(struct session *session)
{
	struct dense *d = &session->dense;
	struct io_error error;

	if (d->m != d->n) {
		complain("%s: the matrix is %lld by %lld, and only a square one has eigenvalues", session->about, (long long)d->m,
			 (long long)d->n);
		return -1;
	}
	if (session->arguments.symmetrize) {
		matrix_symmetrize(d);
		return 0;
	}
	if (matrix_hermitian(d, session->about, &error) != 0) {
		complain("%s", error.text);
		return -1;
	}
	return 0;
}

static int make_random(struct session *session, struct io_error *error)
{
	const struct values_arguments *a = &session->arguments;
	double bytes = dense_bytes(kind_of(a->type), (double)a->random.m, (double)a->random.n);

	if (session->job->hermitian)
		snprintf(session->about, sizeof(session->about), "--random %lld", (long long)a->random.n);
	else
		snprintf(session->about, sizeof(session->about), "--random %lldx%lld", (long long)a->random.m, (long long)a->random.n);
	error->text[0] = 0;
	if (!memory_suffices(session->about, (1 + LIBRARY_SHARE) * bytes))
		return -1;
	if (session->job->hermitian)
		return matrix_random_hermitian(a->type, a->random.n, a->spectrum, a->positive, a->cond, a->seed, &session->dense,
					       &session->known, error);
	return matrix_random(a->type, a->random.m, a->random.n, a->spectrum, a->cond, a->seed, &session->dense, &session->known, error);
}

static int matrix_obtain(struct session *session)
{
	const struct values_arguments *a = &session->arguments;
	struct io_error error;
	int code;

	if (a->file) {
		snprintf(session->about, sizeof(session->about), "%s", strcmp(a->file, "-") == 0 ? "standard input" : a->file);
		code = matrix_read(a->file, a->type, &session->dense, &error);
	} else {
		code = make_random(session, &error);
	}
	if (code != 0) {
		if (error.text[0])
			complain("%s", error.text);
		return -1;
	}
	session->result.kind = kind_of(session->dense.type);
	session->result.m = session->dense.m;
	session->result.n = session->dense.n;
	return a->file && session->job->hermitian ? make_hermitian(session) : 0;
}

/* The selection as the library has it, which counts from the first value of the output. */
static int select_values(struct session *session)
{
	const struct values_arguments *a = &session->arguments;
	int64_t k = values_count(session), count = a->last < k ? a->last : k;
	bool from_first = (a->take == TAKE_SMALLEST) == session->job->hermitian;

	session->select = (heddle_select){ .kind = HEDDLE_ALL };
	if (a->take == TAKE_INDEX && a->last > k) {
		complain("%s: --index: there is no value number %lld, only %lld", session->about, (long long)a->last, (long long)k);
		return -1;
	}
	if (a->take == TAKE_INDEX)
		session->select = (heddle_select){ .kind = HEDDLE_INDEX, .il = a->first, .iu = a->last };
	else if (a->take == TAKE_RANGE)
		session->select = (heddle_select){ .kind = HEDDLE_VALUE, .vl = a->low, .vu = a->high };
	else if (a->take != TAKE_ALL && k > 0)
		session->select = (heddle_select){ .kind = HEDDLE_INDEX, .il = from_first ? 1 : k - count + 1,
						   .iu = from_first ? count : k };
	return 0;
}

/* Memory beside the matrix: the values, and the matrix again where LAPACK is to check. */
static int memory_obtain(struct session *session)
{
	const struct kind *kind = session->result.kind;
	size_t bytes = (size_t)session->dense.m * (size_t)session->dense.n * kind->size;
	bool again = session->arguments.check && !session->known;

	if (!memory_suffices(session->about, (LIBRARY_SHARE + again) * (double)bytes))
		return -1;
	session->result.values = calloc((size_t)values_count(session) + 1, kind->real_size);
	session->copy = again ? lapack_allocate(kind, session->dense.m, session->dense.n) : NULL;
	if (!session->result.values || (again && !session->copy)) {
		complain("%s: no memory", session->about);
		return -1;
	}
	if (again)
		memcpy(session->copy, session->dense.a, bytes);
	return 0;
}

/* Returns an exit code. */
static int compute(struct session *session)
{
	const struct values_arguments *a = &session->arguments;
	struct values_result *result = &session->result;
	const struct problem problem = problem_of(session, session->dense.a);
	heddle_info info;

	int code = heddle_start(&a->config);
	if (code != HEDDLE_OK) {
		complain_code(NULL, code);
		return EXIT_FAILED;
	}
	if (heddle_get_info(&info) == HEDDLE_OK) {
		result->threads = info.cpu_workers;
		warn_of_tuning(&info);
	}
	result->found = values_count(session);
	result->run.watched = true;
	interrupt_begin();
	code = run_values(&result->run, &problem, &session->select, result->values, &result->found);
	bool stopped = interrupt_end();
	heddle_stop();
	if (stopped) {
		complain("interrupted");
		return EXIT_INTERRUPTED;
	}
	if (code != HEDDLE_OK)
		complain_code(session->about, code);
	return code == HEDDLE_OK ? EXIT_DONE : EXIT_FAILED;
}

/* The values LAPACK finds, into session->known.  Returns 0 or -1. */
static int ask_lapack(struct session *session)
{
	const struct kind *kind = session->result.kind;
	const struct problem problem = problem_of(session, session->copy);
	int64_t k = values_count(session);
	void *s = calloc((size_t)k + 1, kind->real_size);

	session->known = calloc((size_t)k + 1, sizeof(*session->known));
	if (!s || !session->known) {
		complain("%s: no memory", session->about);
		free(s);
		return -1;
	}
	blas_threads_set(session->result.threads);
	int info = lapack_values(&problem, s);
	if (info != 0)
		complain("%s: --check: %s", session->about, lapack_failure(info));
	for (int64_t i = 0; i < k; i++)
		session->known[i] = real_get(kind, s, i);
	free(s);
	return info == 0 ? 0 : -1;
}

static int check(struct session *session)
{
	struct values_result *result = &session->result;
	const char *against = session->arguments.file ? "LAPACK" : "the known values";

	if (!session->known && ask_lapack(session) != 0)
		return -1;
	result->bound = check_bound(result->m, result->n);
	const struct reference reference = { session->known, values_count(session), session->job->hermitian };
	result->error = check_error(result->kind, result->values, result->found, &session->select, &reference, result->bound);
	bool good = result->error <= result->bound;
	complain("check: largest error %.3g eps*norm against %s, bound %.3g: %s", result->error, against, result->bound,
		 good ? "passed" : "FAILED");
	return good ? 0 : -1;
}

static int measure_gemm(struct values_result *result)
{
	struct gemm_rate rate;

	if (gemm_rate_open(&rate, result->kind, result->threads) != 0)
		return -1;
	result->gemm = rate.best;
	gemm_rate_close(&rate);
	return 0;
}

static int write_out(const struct session *session)
{
	const struct values_arguments *a = &session->arguments;
	const struct values_result *result = &session->result;
	struct io_error error;

	if (a->stats)
		values_report_stats(result);
	if (a->output || !a->json) {
		const char *file = a->output ? a->output : "-";

		if (values_write(file, result->kind->real, result->found, result->values, &error) != 0) {
			complain("%s", error.text);
			return -1;
		}
	}
	return a->json ? values_report_json(result) : 0;
}

static int session_run(struct session *session)
{
	if (output_possible(session->arguments.output) != 0 || matrix_obtain(session) != 0 ||
	    select_values(session) != 0 || memory_obtain(session) != 0)
		return EXIT_FAILED;
	int code = compute(session);
	if (code != EXIT_DONE)
		return code;
	if (session->arguments.check && check(session) != 0)
		return EXIT_FAILED;
	if (session->arguments.stats && measure_gemm(&session->result) != 0)
		return EXIT_FAILED;
	return write_out(session) == 0 ? EXIT_DONE : EXIT_FAILED;
}

int values_command(const struct values_job *job, int argc, char **argv)
{
	struct session session = { .job = job };

	values_parse(job, argc, argv, &session.arguments);
	int code = session_run(&session);
	dense_free(&session.dense);
	free(session.copy);
	free(session.known);
	free(session.result.values);
	return code;
}

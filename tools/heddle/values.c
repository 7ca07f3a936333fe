/* heddle svdvals and heddle eigvals: reads or makes the matrix, computes, checks, and only then writes. */
#include "tools/heddle/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "runtime/blas_threads.h"
#include "tools/heddle/check.h"
#include "tools/heddle/gemm_rate.h"
#include "tools/heddle/lapack.h"
#include "tools/heddle/memory.h"
#include "tools/heddle/message.h"
#include "tools/heddle/report.h"

/* Everything a run holds. */
struct session {
	bool hermitian;
	struct job_arguments arguments;
	char about[ABOUT_SIZE]; /* the matrix, for messages */
	struct dense dense;
	void *copy;       /* of the matrix, for LAPACK */
	double *known;    /* the values of a random matrix, or LAPACK's */
	heddle_select select;
	void *values;
	int64_t found;    /* values of the selection */
	struct job_result result;
};

/* The problem whose matrix is at a. */
static struct problem problem_of(const struct session *session, void *a)
{
	const struct dense *d = &session->dense;

	return (struct problem){ .kind = session->result.kind, .hermitian = session->hermitian, .uplo = session->arguments.uplo,
				 .m = d->m, .n = d->n, .a = a, .options = session->arguments.options };
}

static int64_t values_count(const struct session *session)
{
	return session->dense.m < session->dense.n ? session->dense.m : session->dense.n;
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

static int make_random(struct session *session)
{
	const struct job_arguments *a = &session->arguments;
	double bytes = dense_bytes(kind_of(a->type), (double)a->random.m, (double)a->random.n);
	struct io_error error;
	int code;

	if (session->hermitian)
		snprintf(session->about, sizeof(session->about), "--random %lld", (long long)a->random.n);
	else
		snprintf(session->about, sizeof(session->about), "--random %lldx%lld", (long long)a->random.m, (long long)a->random.n);
	if (!memory_suffices(session->about, (1 + LIBRARY_SHARE) * bytes))
		return -1;
	if (session->hermitian)
		code = matrix_random_hermitian(a->type, a->random.n, a->spectrum, a->positive, a->cond, a->seed, &session->dense,
					       &session->known, &error);
	else
		code = matrix_random(a->type, a->random.m, a->random.n, a->spectrum, a->cond, a->seed, &session->dense, &session->known,
				     &error);
	if (code != 0)
		complain("%s", error.text);
	return code;
}

static int matrix_obtain(struct session *session)
{
	const struct job_arguments *a = &session->arguments;
	int code = a->file ? input_read(a->file, a->type, session->about, &session->dense) : make_random(session);

	if (code != 0)
		return -1;
	session->result.kind = kind_of(session->dense.type);
	session->result.m = session->dense.m;
	session->result.n = session->dense.n;
	return a->file && session->hermitian ? make_hermitian(session) : 0;
}

/* The selection as the library has it, which counts from the first value of the output. */
static int select_values(struct session *session)
{
	const struct job_arguments *a = &session->arguments;
	int64_t k = values_count(session), count = a->last < k ? a->last : k;
	bool from_first = (a->take == TAKE_SMALLEST) == session->hermitian;

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
	session->values = calloc((size_t)values_count(session) + 1, kind->real_size);
	session->copy = again ? lapack_allocate(kind, session->dense.m, session->dense.n) : NULL;
	if (!session->values || (again && !session->copy)) {
		complain("%s: no memory", session->about);
		return -1;
	}
	if (again)
		memcpy(session->copy, session->dense.a, bytes);
	return 0;
}

static int compute(void *data)
{
	struct session *session = data;
	struct job_result *result = &session->result;
	const struct problem problem = problem_of(session, session->dense.a);

	session->found = values_count(session);
	result->run.watched = true;
	return run_values(&result->run, &problem, &session->select, session->values, &session->found);
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
	struct job_result *result = &session->result;
	const char *against = session->arguments.file ? "LAPACK" : "the known values";

	if (!session->known && ask_lapack(session) != 0)
		return -1;
	result->bound = check_bound(result->m, result->n);
	const struct reference reference = { session->known, values_count(session), session->hermitian };
	result->error = check_error(result->kind, session->values, session->found, &session->select, &reference, result->bound);
	bool good = result->error <= result->bound;
	complain("check: largest error %.3g eps*norm against %s, bound %.3g: %s", result->error, against, result->bound,
		 good ? "passed" : "FAILED");
	return good ? 0 : -1;
}

static int write_out(const struct session *session)
{
	const struct job_arguments *a = &session->arguments;
	const struct job_result *result = &session->result;
	struct io_error error;

	if (a->stats)
		report_stages(result->kind, &result->run, result->gemm, result->threads);
	if (a->output || !a->json) {
		const char *file = a->output ? a->output : "-";

		if (values_write(file, result->kind->real, session->found, session->values, &error) != 0) {
			complain("%s", error.text);
			return -1;
		}
	}
	if (!a->json)
		return 0;
	json_t *values = json_array();
	for (int64_t i = 0; i < session->found; i++)
		json_array_append_new(values, report_number(real_get(result->kind, session->values, i)));
	return job_report_json(result, json_pack("{s:o}", "values", values));
}

static int session_run(struct session *session)
{
	if (output_possible(session->arguments.output) != 0 || matrix_obtain(session) != 0 ||
	    select_values(session) != 0 || memory_obtain(session) != 0)
		return EXIT_FAILED;
	struct job_result *result = &session->result;
	int code = job_compute(&session->arguments.config, session->about, &result->threads, compute, session);
	if (code != EXIT_DONE)
		return code;
	if (session->arguments.check && check(session) != 0)
		return EXIT_FAILED;
	if (session->arguments.stats && gemm_rate_once(result->kind, result->threads, &result->gemm) != 0)
		return EXIT_FAILED;
	return write_out(session) == 0 ? EXIT_DONE : EXIT_FAILED;
}

int values_command(const struct job *job, int argc, char **argv)
{
	struct session session = { .hermitian = job->kind == JOB_EIGVALS };

	job_parse(job, argc, argv, &session.arguments);
	int code = session_run(&session);
	dense_free(&session.dense);
	free(session.copy);
	free(session.known);
	free(session.values);
	return code;
}

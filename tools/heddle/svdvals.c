/* heddle svdvals: reads or makes the matrix, computes, checks, and only then writes. */
#include "tools/heddle/svdvals.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/heddle/check.h"
#include "tools/heddle/commands.h"
#include "tools/heddle/gemm_rate.h"
#include "tools/heddle/memory.h"
#include "tools/heddle/message.h"
#include "tools/io/io.h"

/* Everything a run holds. */
struct session {
	struct svdvals_arguments arguments;
	char about[300];  /* the matrix, for messages */
	struct dense dense;
	void *copy;       /* of the matrix, for LAPACK */
	double *known;    /* the values of a random matrix, or LAPACK's */
	struct svdvals_result result;
};

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

static int matrix_obtain(struct session *session)
{
	const struct svdvals_arguments *a = &session->arguments;
	struct io_error error;
	int code;

	if (a->file) {
		snprintf(session->about, sizeof(session->about), "%s", strcmp(a->file, "-") == 0 ? "standard input" : a->file);
		code = matrix_read(a->file, a->type, &session->dense, &error);
	} else {
		const struct kind *kind = kind_of(a->type);
		double bytes = dense_bytes(kind, (double)a->random.m, (double)a->random.n);

		snprintf(session->about, sizeof(session->about), "--random %lldx%lld", (long long)a->random.m,
			 (long long)a->random.n);
		if (!memory_suffices(session->about, (1 + LIBRARY_SHARE) * bytes))
			return -1;
		code = matrix_random(a->type, a->random.m, a->random.n, a->spectrum, a->cond, a->seed, &session->dense,
				     &session->known, &error);
	}
	if (code != 0) {
		complain("%s", error.text);
		return -1;
	}
	session->result.kind = kind_of(session->dense.type);
	session->result.m = session->dense.m;
	session->result.n = session->dense.n;
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
	struct svdvals_arguments *a = &session->arguments;
	struct svdvals_result *result = &session->result;
	heddle_info info;

	int code = heddle_start(&a->config);
	if (code != HEDDLE_OK) {
		complain_code(NULL, code);
		return EXIT_FAILED;
	}
	if (heddle_get_info(&info) == HEDDLE_OK)
		result->threads = info.cpu_workers;
	if (a->select.kind == HEDDLE_INDEX && a->select.iu > values_count(session))
		a->select.iu = values_count(session);
	if (a->select.kind == HEDDLE_INDEX && a->select.iu == 0)
		a->select = (heddle_select){ .kind = HEDDLE_ALL };
	result->found = values_count(session);
	result->run.watched = true;
	code = run_svdvals(&result->run, result->kind, result->m, result->n, session->dense.a, &a->select, &a->options,
			   result->values, &result->found);
	heddle_stop();
	if (result->run.interrupted || code == HEDDLE_ECANCELLED) {
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
	int64_t k = values_count(session);
	void *s = calloc((size_t)k + 1, kind->real_size);

	session->known = calloc((size_t)k + 1, sizeof(*session->known));
	if (!s || !session->known) {
		complain("%s: no memory", session->about);
		free(s);
		return -1;
	}
	blas_threads_set(session->result.threads);
	int info = lapack_svdvals(kind, session->dense.m, session->dense.n, session->copy, s);
	if (info != 0)
		complain("%s: --check: %s", session->about, lapack_failure(info));
	for (int64_t i = 0; i < k; i++)
		session->known[i] = real_get(kind, s, i);
	free(s);
	return info == 0 ? 0 : -1;
}

static int check(struct session *session)
{
	struct svdvals_result *result = &session->result;
	const char *reference = session->arguments.file ? "LAPACK" : "the known values";

	if (!session->known && ask_lapack(session) != 0)
		return -1;
	result->bound = check_bound(result->m, result->n);
	result->error = check_error(result->kind, result->values, result->found, &session->arguments.select, session->known,
				    values_count(session), result->bound);
	bool good = result->error <= result->bound;
	complain("check: largest error %.3g eps*norm against %s, bound %.3g: %s", result->error, reference, result->bound,
		 good ? "passed" : "FAILED");
	return good ? 0 : -1;
}

static int measure_gemm(struct svdvals_result *result)
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
	const struct svdvals_arguments *a = &session->arguments;
	const struct svdvals_result *result = &session->result;
	struct io_error error;

	if (a->stats)
		svdvals_report_stats(result);
	if (a->output || !a->json) {
		const char *file = a->output ? a->output : "-";

		if (values_write(file, result->kind->real, result->found, result->values, &error) != 0) {
			complain("%s", error.text);
			return -1;
		}
	}
	return a->json ? svdvals_report_json(result) : 0;
}

static int session_run(struct session *session)
{
	if (output_possible(session->arguments.output) != 0 || matrix_obtain(session) != 0 || memory_obtain(session) != 0)
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

int svdvals_command(int argc, char **argv)
{
	struct session session = { 0 };

	svdvals_parse(argc, argv, &session.arguments);
	int code = session_run(&session);
	dense_free(&session.dense);
	free(session.copy);
	free(session.known);
	free(session.result.values);
	return code;
}

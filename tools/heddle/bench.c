#include "tools/heddle/bench.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>
#include "tools/heddle/check.h"
#include "tools/heddle/commands.h"
#include "tools/heddle/gemm_rate.h"
#include "tools/heddle/message.h"

enum { HEDDLE, PEER, MOST_CONTESTANTS };

static const char *const names[MOST_CONTESTANTS] = { "heddle", "lapack" };

struct bench {
	struct bench_arguments arguments;
	heddle_info info;
	int contestants;
	double *times[MOST_CONTESTANTS]; /* of the case at hand, a run each */
	struct bench_row *rows;
	int count;
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(const double *sorted, int count)
{
	return (sorted[count / 2] + sorted[(count - 1) / 2]) / 2;
}

/* All jobs keep the Frobenius norm: a result with another one is no result. */
static int result_checked(const struct bench_job *job, const struct bench_case *c, const char *contestant)
{
	double error = fabs(job->norm(c) - c->norm) / c->norm / c->kind->eps;

	if (error <= check_bound(c->m, c->n))
		return 0;
	complain("%s: the result of %s is wrong: its norm is off by %.3g eps (m = %lld, n = %lld, type %c)", job->name, contestant,
		 error, (long long)c->m, (long long)c->n, (char)c->kind->type);
	return -1;
}

/* One run of one contestant, after a moment of rest: BLAS threads go on looking for work for some 30 ms after their last call. */
static int turn(const struct bench *bench, struct bench_case *c, int contestant, double *seconds)
{
	const struct timespec rest = { .tv_nsec = 60000000 };
	const struct bench_job *job = bench->arguments.job;
	int threads = blas_threads_get();
	int code;

	nanosleep(&rest, NULL);
	if (contestant == HEDDLE)
		return job->heddle(c, seconds);
	blas_threads_set(job->lapack_sequential ? 1 : bench->info.cpu_workers);
	code = job->lapack(c, seconds);
	blas_threads_set(threads);
	return code;
}

/* The turns of one case; the first, a warm-up, is looked at but not counted. */
static int turns(const struct bench *bench, struct bench_case *c, struct gemm_rate *gemm)
{
	const struct bench_job *job = bench->arguments.job;
	double seconds;

	for (int round = 0; round <= bench->arguments.repeat; round++) {
		for (int i = 0; i < bench->contestants; i++) {
			status_show("%s %c %lldx%lld: run %d of %d, %s", job->name, (char)c->kind->type, (long long)c->m,
				    (long long)c->n, round, bench->arguments.repeat, names[i]);
			if (turn(bench, c, i, &seconds) != 0)
				return -1;
			if (round == 0 && result_checked(job, c, names[i]) != 0)
				return -1;
			if (round > 0)
				bench->times[i][round - 1] = seconds;
		}
		gemm_rate_measure(gemm);
	}
	return 0;
}

static void add_row(struct bench *bench, const struct bench_case *c, int contestant, double gemm)
{
	const struct bench_arguments *a = &bench->arguments;
	struct bench_row *row = &bench->rows[bench->count++];
	double *times = bench->times[contestant];

	qsort(times, (size_t)a->repeat, sizeof(*times), compare);
	*row = (struct bench_row){ .job = a->job->name, .contestant = names[contestant], .type = c->kind->type };
	row->m = c->m;
	row->n = c->n;
	row->kd = c->kd;
	row->runs = a->repeat;
	row->seconds_min = times[0];
	row->seconds_median = median(times, a->repeat);
	row->gemm_gflops = gemm;
	row->threads = contestant == PEER && a->job->lapack_sequential ? 1 : bench->info.cpu_workers;
	row->gflops = 1e-9 * a->job->flops(c) / row->seconds_min;
	row->limit_seconds = 1e-9 * a->job->flops(c) / gemm;
	row->ratio_to_limit = row->seconds_min / row->limit_seconds;
}

/* One case: a size, a type, a band width (0: Heddle's choice). */
static int bench_case_run(struct bench *bench, struct size size, int64_t width, struct gemm_rate *gemm)
{
	const struct bench_arguments *a = &bench->arguments;
	struct bench_case c = { .kind = gemm->kind, .m = size.m, .n = size.n, .kd = width, .options = a->options };
	int first = bench->count;

	c.options.band = width;
	if (width == 0 && a->job->banded) {
		heddle_options chosen = c.options;

		heddle_svd_options(c.kind->type, c.m, c.n, &chosen);
		c.kd = chosen.band;
	}
	int code = bench_case_open(&c, a->job);
	if (code == 0)
		code = turns(bench, &c, gemm);
	status_clear();
	if (code == 0) {
		for (int i = 0; i < bench->contestants; i++)
			add_row(bench, &c, i, gemm->best);
		if (bench->contestants > 1)
			bench->rows[first].speedup = bench->rows[first + PEER].seconds_min / bench->rows[first].seconds_min;
		for (int i = first; i < bench->count && !a->json; i++)
			bench_report_row(&bench->rows[i]);
	}
	bench_case_close(&c);
	return code;
}

static int bench_all(struct bench *bench)
{
	const struct bench_arguments *a = &bench->arguments;
	int widths = a->width_count > 0 ? a->width_count : 1;
	struct gemm_rate gemm;

	if (!a->json)
		bench_report_header(a, &bench->info);
	for (int t = 0; t < a->type_count; t++) {
		int code = gemm_rate_open(&gemm, kind_of(a->types[t]), bench->info.cpu_workers);

		for (int i = 0; i < a->size_count && code == 0; i++)
			for (int w = 0; w < widths && code == 0; w++)
				code = bench_case_run(bench, a->sizes[i], a->width_count > 0 ? a->widths[w] : 0, &gemm);
		gemm_rate_close(&gemm);
		if (code != 0)
			return -1;
	}
	if (a->json && bench_report_json(bench->rows, bench->count) != 0)
		return -1;
	return a->plot ? plot_rows(a->plot, bench->rows, bench->count, &bench->info) : 0;
}

static int bench_open(struct bench *bench)
{
	const struct bench_arguments *a = &bench->arguments;
	int cases = a->size_count * a->type_count * (a->width_count > 0 ? a->width_count : 1);

	bench->contestants = a->peer ? 2 : 1;
	bench->rows = calloc((size_t)cases * MOST_CONTESTANTS, sizeof(*bench->rows));
	for (int i = 0; i < MOST_CONTESTANTS; i++)
		bench->times[i] = calloc((size_t)a->repeat, sizeof(*bench->times[i]));
	if (!bench->rows || !bench->times[HEDDLE] || !bench->times[PEER]) {
		complain("no memory");
		return -1;
	}
	int code = heddle_start(&a->config);
	if (code == HEDDLE_OK)
		code = heddle_get_info(&bench->info);
	if (code != HEDDLE_OK)
		complain_code(NULL, code);
	return code == HEDDLE_OK ? 0 : -1;
}

int bench_command(int argc, char **argv)
{
	struct bench bench = { 0 };

	bench_parse(argc, argv, &bench.arguments);
	int code = bench.arguments.plot ? plot_possible(bench.arguments.plot) : 0;
	if (code == 0)
		code = bench_open(&bench);
	if (code == 0)
		code = bench_all(&bench);
	if (bench.info.starpu)
		heddle_stop();
	for (int i = 0; i < MOST_CONTESTANTS; i++)
		free(bench.times[i]);
	free(bench.rows);
	bench_arguments_free(&bench.arguments);
	return code == 0 ? EXIT_DONE : EXIT_FAILED;
}

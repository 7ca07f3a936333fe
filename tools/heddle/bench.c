/* The turns of heddle bench, and what becomes of them. */
#include "tools/heddle/bench.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>
#include "runtime/blas_threads.h"
#include "tools/heddle/check.h"
#include "tools/heddle/commands.h"
#include "tools/heddle/gemm_rate.h"
#include "tools/heddle/interrupt.h"
#include "tools/heddle/message.h"

enum { HEDDLE, PEER, MOST_CONTESTANTS };

struct bench {
	struct bench_arguments arguments;
	heddle_info info;
	int contestants;
	double *times[MOST_CONTESTANTS]; /* of the case at hand, a run each */
	struct bench_row *rows;
	int count, cases, cases_done;
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

static const char *contestant_name(const struct bench_job *job, int contestant)
{
	return contestant == HEDDLE ? "heddle" : job->peer_name;
}

static int contestant_threads(const struct bench *bench, const struct bench_case *c, int contestant)
{
	return contestant == PEER && (c->job->peer_sequential || c->batch > 0) ? 1 : bench->info.cpu_workers;
}

int bench_check(const struct bench_case *c, const char *contestant)
{
	const struct bench_job *job = c->job;
	const struct problem *p = &c->problem;
	double error = job->norm ? fabs(job->norm(c) - c->norm) / c->norm / p->kind->eps / check_bound(p->m, p->n) : job->error(c);

	if (error <= 1)
		return 0;
	complain("%s: the result of %s is wrong: its %s is %.3g times what it may be (m = %lld, n = %lld, type %c)", job->name, contestant,
		 job->norm ? "norm's error" : "backward error", error, (long long)p->m, (long long)p->n, (char)p->kind->type);
	return -1;
}

/* One run of one contestant, after a moment of rest: BLAS threads go on looking for work for some 30 ms after their last call. */
static int turn(const struct bench *bench, struct bench_case *c, int contestant, double *seconds)
{
	const struct timespec rest = { .tv_nsec = 60000000 };
	int threads = blas_threads_get();
	int code;

	nanosleep(&rest, NULL);
	if (contestant == HEDDLE)
		return c->job->heddle(c, seconds);
	blas_threads_set(contestant_threads(bench, c, contestant));
	code = c->job->peer(c, seconds);
	blas_threads_set(threads);
	return code;
}

/* The turns of one case; the first, a warm-up, is looked at but not counted.  Returns how many rounds were completed before the
 * end or a Ctrl-C, or -1 having complained. */
static int turns(const struct bench *bench, struct bench_case *c, struct gemm_rate *gemm)
{
	const struct problem *p = &c->problem;
	double seconds;

	for (int round = 0; round <= bench->arguments.repeat; round++) {
		for (int i = 0; i < bench->contestants; i++) {
			const char *name = contestant_name(c->job, i);

			status_show("%s %c %lldx%lld: run %d of %d, %s", c->job->name, (char)p->kind->type, (long long)p->m,
				    (long long)p->n, round, bench->arguments.repeat, name);
			int code = turn(bench, c, i, &seconds);
			if (interrupted())
				return round > 0 ? round - 1 : 0;
			if (code != 0 || (round == 0 && bench_check(c, name) != 0))
				return -1;
			if (round > 0)
				bench->times[i][round - 1] = seconds;
		}
		gemm_rate_measure(gemm);
	}
	return bench->arguments.repeat;
}

static void add_row(struct bench *bench, const struct bench_case *c, int contestant, int runs, double gemm)
{
	struct bench_row *row = &bench->rows[bench->count++];
	double *times = bench->times[contestant];

	qsort(times, (size_t)runs, sizeof(*times), compare);
	*row = (struct bench_row){ .job = c->job->name, .contestant = contestant_name(c->job, contestant),
				    .type = c->problem.kind->type, .form = c->form, .batch = c->batch };
	row->m = c->problem.m;
	row->n = c->problem.n;
	row->kd = c->kd;
	row->runs = runs;
	row->seconds_min = times[0];
	row->seconds_median = median(times, runs);
	row->gemm_gflops = gemm;
	row->threads = contestant_threads(bench, c, contestant);
	row->gflops = 1e-9 * c->job->flops(c) / row->seconds_min;
	row->limit_seconds = 1e-9 * c->job->flops(c) / gemm;
	row->ratio_to_limit = row->seconds_min / row->limit_seconds;
}

static void add_rows(struct bench *bench, const struct bench_case *c, int runs, double gemm)
{
	int first = bench->count;

	for (int i = 0; i < bench->contestants; i++)
		add_row(bench, c, i, runs, gemm);
	if (bench->contestants > 1)
		bench->rows[first].speedup = bench->rows[first + PEER].seconds_min / bench->rows[first].seconds_min;
	for (int i = first; i < bench->count && !bench->arguments.json; i++)
		bench_report_row(&bench->rows[i]);
}

/* Cases of one size and type: each side of a solve, or each band width. */
static int variants(const struct bench_arguments *a)
{
	return a->job->solves ? a->form.side_count : a->width_count > 0 ? a->width_count : 1;
}

static struct bench_case case_of(const struct bench_arguments *a, struct size size, int variant, const struct kind *kind)
{
	struct bench_case c = { .job = a->job, .batch = a->batch };
	int64_t width = a->width_count > 0 ? a->widths[variant] : 0;

	c.problem = (struct problem){ .kind = kind, .hermitian = a->job->hermitian, .uplo = HEDDLE_LOWER, .m = size.m, .n = size.n,
				      .options = a->options };
	c.problem.options.band = c.kd = width;
	if (width == 0 && a->job->banded) {
		heddle_options chosen = c.problem.options;

		problem_choose(&c.problem, &chosen);
		c.kd = chosen.band;
	}
	if (a->job->solves) {
		c.form = a->form.form;
		c.form.side = a->form.sides[variant];
	}
	return c;
}

static int bench_case_run(struct bench *bench, struct size size, int variant, struct gemm_rate *gemm)
{
	struct bench_case c = case_of(&bench->arguments, size, variant, gemm->kind);

	int runs = bench_case_open(&c) == 0 ? turns(bench, &c, gemm) : -1;
	status_clear();
	if (runs > 0)
		add_rows(bench, &c, runs, gemm->best);
	bench->cases_done += runs == bench->arguments.repeat;
	bench_case_close(&c);
	return runs < 0 ? -1 : 0;
}

/* The cases of one type. */
static int bench_type(struct bench *bench, heddle_type type)
{
	const struct bench_arguments *a = &bench->arguments;
	struct gemm_rate gemm;
	int code = gemm_rate_open(&gemm, kind_of(type), bench->info.cpu_workers);

	for (int i = 0; i < a->size_count; i++)
		for (int v = 0; v < variants(a) && code == 0 && !interrupted(); v++)
			code = bench_case_run(bench, a->sizes[i], v, &gemm);
	gemm_rate_close(&gemm);
	return code;
}

/* Returns an exit code.  After a Ctrl-C, what was measured by then is reported all the same. */
static int bench_all(struct bench *bench)
{
	const struct bench_arguments *a = &bench->arguments;
	int code = 0;

	if (!a->json)
		bench_report_header(a, &bench->info);
	interrupt_begin();
	for (int t = 0; t < a->type_count && code == 0 && !interrupted(); t++)
		code = bench_type(bench, a->types[t]);
	bool stopped = interrupt_end();
	if (code == 0 && a->json)
		code = bench_report_json(bench->rows, bench->count);
	if (code == 0 && stopped) {
		complain("interrupted: %d of %d cases were measured in full", bench->cases_done, bench->cases);
		return EXIT_INTERRUPTED;
	}
	if (code == 0 && a->plot)
		code = plot_rows(a->plot, bench->rows, bench->count, &bench->info);
	return code == 0 ? EXIT_DONE : EXIT_FAILED;
}

static int bench_open(struct bench *bench)
{
	const struct bench_arguments *a = &bench->arguments;

	bench->cases = a->size_count * a->type_count * variants(a);
	bench->contestants = a->peer ? 2 : 1;
	bench->rows = calloc((size_t)bench->cases * MOST_CONTESTANTS, sizeof(*bench->rows));
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
	else
		warn_of_tuning(&bench->info);
	return code == HEDDLE_OK ? 0 : -1;
}

int bench_command(int argc, char **argv)
{
	struct bench bench = { 0 };

	bench_parse(argc, argv, &bench.arguments);
	bool ready = (!bench.arguments.plot || plot_possible(bench.arguments.plot) == 0) && bench_open(&bench) == 0;
	int code = ready ? bench_all(&bench) : EXIT_FAILED;
	if (bench.info.starpu)
		heddle_stop();
	for (int i = 0; i < MOST_CONTESTANTS; i++)
		free(bench.times[i]);
	free(bench.rows);
	bench_arguments_free(&bench.arguments);
	return code;
}

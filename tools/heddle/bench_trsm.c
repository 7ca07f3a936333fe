/* The job trsm of heddle bench. */
#include "tools/heddle/bench.h"

#include <math.h>
#include <stdlib.h>
#include "runtime/clock.h"
#include "tools/heddle/gemm_rate.h"
#include "tools/heddle/memory.h"
#include "tools/heddle/message.h"
#include "tools/heddle/solve.h"

static int64_t problems(const struct bench_case *c)
{
	return c->batch > 0 ? c->batch : 1;
}

/* Problem number i, with its matrices and those after it. */
static struct solve solve_of(const struct bench_case *c, int64_t i)
{
	const struct problem *p = &c->problem;
	bool left = c->form.side == HEDDLE_LEFT;
	size_t order = (size_t)p->m, sides = (size_t)p->n, at = (size_t)i * p->kind->size;
	struct solve s = { .kind = p->kind, .form = c->form, .alpha = { 1, 0 }, .m = left ? p->m : p->n, .n = left ? p->n : p->m,
			   .options = p->options };

	if (c->triangle && p->a) {
		s.a = (char *)c->triangle + at * order * order;
		s.b = (char *)p->a + at * order * sides;
	}
	return s;
}

double trsm_case_flops(const struct bench_case *c)
{
	const struct solve s = solve_of(c, 0);

	return solve_flops(&s) * (double)problems(c);
}

/* Seconds that a copy of the input takes: the least of a few times. */
static double copying_seconds(struct bench_case *c)
{
	enum { TIMES = 5, BYTES = 1000000 };
	int64_t copies = 1 + BYTES / (c->count * (int64_t)c->problem.kind->size);
	double least = INFINITY;

	for (int i = 0; i < TIMES; i++) {
		double begin = seconds_now();

		for (int64_t j = 0; j < copies; j++)
			bench_restore(c);
		least = fmin(least, (seconds_now() - begin) / (double)copies);
	}
	return least;
}

int trsm_case_open(struct bench_case *c)
{
	const struct problem *p = &c->problem;
	const struct kind *kind = p->kind;
	const struct solve s = solve_of(c, 0);
	int64_t triangle = p->m * p->m;
	double all = (double)problems(c), a = all * dense_bytes(kind, (double)p->m, (double)p->m);

	if (!memory_suffices(c->job->name, a + 2 * all * dense_bytes(kind, (double)p->m, (double)p->n) + solve_check_bytes(&s)))
		return -1;
	c->count = problems(c) * p->m * p->n;
	c->triangle = malloc((size_t)(problems(c) * triangle) * kind->size);
	c->input = malloc((size_t)c->count * kind->size);
	c->problem.a = malloc((size_t)c->count * kind->size);
	if (!c->triangle || !c->input || !c->problem.a) {
		complain("%s: no memory", c->job->name);
		return -1;
	}
	for (int64_t i = 0; i < problems(c); i++)
		triangle_fill(kind, c->form, p->m, solve_of(c, i).a, (uint64_t)i + 1);
	random_fill(kind, c->input, c->count, 0);
	c->copying = copying_seconds(c);
	return 0;
}

/* The time of one call goes to *seconds: of one alone if that is long, else of so many that the clock does not matter. */
static int timed(struct bench_case *c, int (*call)(const struct bench_case *), double *seconds)
{
	static const double enough = 5e-3;

	bench_restore(c);
	double begin = seconds_now();
	int code = call(c);
	*seconds = seconds_now() - begin;
	double elapsed = *seconds;
	for (int64_t calls = 8; code == HEDDLE_OK && elapsed < enough; calls *= 2) {
		begin = seconds_now();
		for (int64_t i = 0; i < calls && code == HEDDLE_OK; i++) {
			bench_restore(c);
			code = call(c);
		}
		elapsed = seconds_now() - begin;
		*seconds = elapsed / (double)calls - c->copying;
	}
	return bench_said(c, code);
}

static int call_heddle(const struct bench_case *c)
{
	const struct solve s = solve_of(c, 0);
	const heddle_options *o = &s.options;
	struct run run = { 0 };

	if (c->batch > 0)
		return solve_batch(&s, c->batch);
	return o->tile || o->inverse || o->route == HEDDLE_ROUTE_GRAPH ? solve_run(&run, &s) : solve_blocking(&s);
}

static int call_blas(const struct bench_case *c)
{
	const struct solve s = solve_of(c, 0);

	solve_blas(&s, problems(c));
	return HEDDLE_OK;
}

int trsm_case_heddle(struct bench_case *c, double *seconds)
{
	return timed(c, call_heddle, seconds);
}

int trsm_case_blas(struct bench_case *c, double *seconds)
{
	return timed(c, call_blas, seconds);
}

/* Of a sample of the right-hand sides, of the first and the last problem. */
double trsm_case_error(const struct bench_case *c)
{
	enum { SAMPLE = 32 };
	const size_t b_bytes = (size_t)(c->problem.m * c->problem.n) * c->problem.kind->size;
	const int64_t which[2] = { 0, problems(c) - 1 };
	double worst = 0;

	for (int i = 0; i < 2; i++) {
		const struct solve s = solve_of(c, which[i]);
		struct solve_error error;

		if (solve_check(&s, (char *)c->input + (size_t)which[i] * b_bytes, (solve_sides(&s) + SAMPLE - 1) / SAMPLE, &error) != 0 ||
		    error.skipped > 0)
			return INFINITY;
		worst = fmax(worst, error.error);
		if (problems(c) == 1)
			break;
	}
	return worst / SOLVE_BOUND;
}

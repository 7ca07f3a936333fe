#include "tools/heddle/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "runtime/clock.h"
#include "tools/heddle/gemm_rate.h"
#include "tools/heddle/lapack.h"
#include "tools/heddle/memory.h"
#include "tools/heddle/message.h"

int bench_said(const struct bench_case *c, int code)
{
	if (code != HEDDLE_OK && code != HEDDLE_ECANCELLED)
		complain_code(c->job->name, code);
	return code == HEDDLE_OK ? 0 : -1;
}

static int lapack_said(const struct bench_case *c, int info)
{
	if (info != 0)
		complain("%s: %s", c->job->name, lapack_failure(info));
	return info == 0 ? 0 : -1;
}

void bench_restore(struct bench_case *c)
{
	memcpy(c->problem.a, c->input, (size_t)c->count * c->problem.kind->size);
}

/* The contestants */

static int values_heddle(struct bench_case *c, double *seconds)
{
	const heddle_select all = { .kind = HEDDLE_ALL };
	struct run run = { 0 };
	int64_t found;

	bench_restore(c);
	int code = run_values(&run, &c->problem, &all, c->d, &found);
	*seconds = run.seconds;
	return bench_said(c, code);
}

static int values_lapack(struct bench_case *c, double *seconds)
{
	bench_restore(c);
	double begin = seconds_now();
	int info = lapack_values(&c->problem, c->d);
	*seconds = seconds_now() - begin;
	return lapack_said(c, info);
}

static int reduction_heddle(struct bench_case *c, double *seconds)
{
	struct run run = { 0 };

	bench_restore(c);
	int code = run_reduction(&run, &c->problem, c->band);
	*seconds = run.seconds;
	return bench_said(c, code);
}

static int chase_heddle(struct bench_case *c, double *seconds)
{
	struct run run = { 0 };

	int code = heddle_band_set(c->band, c->input, c->kd + 1);
	if (code == HEDDLE_OK)
		code = run_chase(&run, &c->problem, c->band, c->d, c->e);
	*seconds = run.seconds;
	return bench_said(c, code);
}

static int chase_lapack(struct bench_case *c, double *seconds)
{
	bench_restore(c);
	double begin = seconds_now();
	int info = lapack_chase(&c->problem, c->kd, c->problem.a, c->d, c->e);
	*seconds = seconds_now() - begin;
	return lapack_said(c, info);
}

/* Frobenius norms */

static double squares(const struct kind *kind, const void *values, int64_t first, int64_t count)
{
	double sum = 0;

	for (int64_t i = first; i < first + count; i++) {
		double x = real_get(kind, values, i);

		sum += x * x;
	}
	return sum;
}

/* Of the column of a lower triangle that begins at this element, and of its mirror image.  Of the diagonal the real part counts. */
static double hermitian_column(const struct kind *kind, const void *values, int64_t first, int64_t rows)
{
	int64_t reals = (int64_t)(kind->size / kind->real_size);

	return squares(kind, values, first * reals, 1) + 2 * squares(kind, values, (first + 1) * reals, (rows - 1) * reals);
}

static double dense_norm(const struct bench_case *c)
{
	const struct problem *p = &c->problem;
	double sum = 0;

	if (!p->hermitian)
		return sqrt(squares(p->kind, c->input, 0, c->count * (int64_t)(p->kind->size / p->kind->real_size)));
	for (int64_t j = 0; j < p->n; j++)
		sum += hermitian_column(p->kind, c->input, j + j * p->m, p->m - j);
	return sqrt(sum);
}

/* Of a band in LAPACK storage, only the entries that are the band's: an upper triangle's columns end with the diagonal, a lower
 * one's begin with it. */
static double band_norm(const struct bench_case *c, const void *ab)
{
	const struct kind *kind = c->problem.kind;
	int64_t n = problem_order(&c->problem), kd = c->kd, reals = (int64_t)(kind->size / kind->real_size);
	double sum = 0;

	for (int64_t j = 0; j < n; j++) {
		int64_t beside = c->problem.hermitian ? n - 1 - j : j, rows = beside < kd ? beside + 1 : kd + 1;

		if (c->problem.hermitian)
			sum += hermitian_column(kind, ab, j * (kd + 1), rows);
		else
			sum += squares(kind, ab, (j * (kd + 1) + kd + 1 - rows) * reals, rows * reals);
	}
	return sqrt(sum);
}

static double values_norm(const struct bench_case *c)
{
	return sqrt(squares(c->problem.kind, c->d, 0, problem_order(&c->problem)));
}

static double reduction_norm(const struct bench_case *c)
{
	void *ab = calloc((size_t)(c->kd + 1) * (size_t)problem_order(&c->problem), c->problem.kind->size);
	double norm = ab && heddle_band_get(c->band, ab, c->kd + 1) == 0 ? band_norm(c, ab) : NAN;

	free(ab);
	return norm;
}

static double chase_norm(const struct bench_case *c)
{
	const struct kind *kind = c->problem.kind;
	double beside = squares(kind, c->e, 0, c->problem.n - 1);

	return sqrt(squares(kind, c->d, 0, c->problem.n) + (c->problem.hermitian ? 2 : 1) * beside);
}

/* Operations */

static double values_case_flops(const struct bench_case *c)
{
	return values_flops(&c->problem);
}

static double reduction_case_flops(const struct bench_case *c)
{
	return reduction_flops(&c->problem);
}

static double chase_case_flops(const struct bench_case *c)
{
	return chase_flops(&c->problem, c->kd);
}

static int band_open(struct bench_case *c)
{
	const struct problem *p = &c->problem;
	int64_t k = problem_order(p);

	return bench_said(c, p->hermitian ? heddle_band_create_hermitian(&c->band, p->kind->type, p->uplo, k, c->kd) :
				      heddle_band_create(&c->band, p->kind->type, k, c->kd));
}

static int values_open(struct bench_case *c)
{
	const struct bench_job *job = c->job;
	struct problem *p = &c->problem;
	const struct kind *kind = p->kind;
	int64_t k = problem_order(p);
	double bytes = job->dense ? dense_bytes(kind, (double)p->m, (double)p->n) : dense_bytes(kind, (double)c->kd + 1, (double)k);
	double band = job->banded ? dense_bytes(kind, 3 * (double)c->kd + 1, (double)k) : 0;

	if (!memory_suffices(job->name, (2 + LIBRARY_SHARE) * bytes + band))
		return -1;
	c->count = job->dense ? p->m * p->n : (c->kd + 1) * k;
	c->input = malloc((size_t)c->count * kind->size);
	p->a = job->dense ? lapack_allocate(kind, p->m, p->n) : malloc((size_t)c->count * kind->size);
	c->d = calloc((size_t)k, kind->real_size);
	c->e = calloc((size_t)k, kind->real_size);
	if (!c->input || !p->a || !c->d || !c->e) {
		complain("%s: no memory", job->name);
		return -1;
	}
	random_fill(kind, c->input, c->count, (uint64_t)p->m * 31 + (uint64_t)p->n);
	c->norm = job->dense ? dense_norm(c) : band_norm(c, c->input);
	return job->banded ? band_open(c) : 0;
}

const struct bench_job bench_jobs[MOST_JOBS + 1] = {
	{ .name = "svdvals", .limit = "8n^3/3 (m > n: the lesser of 4mn^2 - 4n^3/3 and 2mn^2 + 2n^3)", .dense = true,
	  .open = values_open, .flops = values_case_flops, .heddle = values_heddle,
	  .peer_name = "lapack", .peer = values_lapack, .norm = values_norm },
	{ .name = "ge2gb", .limit = "8n^3/3 (m > n: 4mn^2 - 4n^3/3)", .dense = true, .banded = true,
	  .open = values_open, .flops = reduction_case_flops, .heddle = reduction_heddle, .norm = reduction_norm },
	{ .name = "gb2bd", .limit = "8n^2*kd (at most 8n^3/3)", .banded = true,
	  .open = values_open, .flops = chase_case_flops, .heddle = chase_heddle,
	  .peer_name = "lapack", .peer = chase_lapack, .peer_sequential = true, .norm = chase_norm },
	{ .name = "eigvals", .limit = "4n^3/3", .hermitian = true, .dense = true,
	  .open = values_open, .flops = values_case_flops, .heddle = values_heddle,
	  .peer_name = "lapack", .peer = values_lapack, .norm = values_norm },
	{ .name = "sy2sb", .limit = "4n^3/3", .hermitian = true, .dense = true, .banded = true,
	  .open = values_open, .flops = reduction_case_flops, .heddle = reduction_heddle, .norm = reduction_norm },
	{ .name = "sb2st", .limit = "6n^2*kd (at most 4n^3/3)", .hermitian = true, .banded = true,
	  .open = values_open, .flops = chase_case_flops, .heddle = chase_heddle,
	  .peer_name = "lapack", .peer = chase_lapack, .peer_sequential = true, .norm = chase_norm },
	{ .name = "trsm", .limit = "m^2*n", .solves = true, .open = trsm_case_open, .flops = trsm_case_flops,
	  .heddle = trsm_case_heddle, .peer_name = "openblas", .peer = trsm_case_blas, .error = trsm_case_error },
};

int bench_case_open(struct bench_case *c)
{
	return c->job->open(c);
}

void bench_case_close(struct bench_case *c)
{
	heddle_band_destroy(c->band);
	free(c->triangle);
	free(c->input);
	free(c->problem.a);
	free(c->d);
	free(c->e);
}

#include "tools/heddle/tune_case.h"

#include <stdlib.h>
#include <string.h>
#include "runtime/clock.h"
#include "tools/heddle/gemm_rate.h"
#include "tools/heddle/memory.h"
#include "tools/heddle/message.h"

static bool is_solve(const struct tune_case *c)
{
	return c->job == TUNING_TRSM || c->job == TUNING_TRSM_FEW;
}

/* Solves, from the left with the lower triangle */

static int solve(int64_t k, int64_t many, const struct kind *kind, const void *a, void *b)
{
	const heddle_side side = HEDDLE_LEFT;
	const heddle_uplo uplo = HEDDLE_LOWER;
	const heddle_trans trans = HEDDLE_NO_TRANS;
	const heddle_diag diag = HEDDLE_NON_UNIT;

	switch (kind->type) {
	case HEDDLE_S:
		return heddle_strsm(side, uplo, trans, diag, k, many, 1, a, k, b, k);
	case HEDDLE_D:
		return heddle_dtrsm(side, uplo, trans, diag, k, many, 1, a, k, b, k);
	case HEDDLE_C:
		return heddle_ctrsm(side, uplo, trans, diag, k, many, 1, a, k, b, k);
	case HEDDLE_Z:
		return heddle_ztrsm(side, uplo, trans, diag, k, many, 1, a, k, b, k);
	}
	return HEDDLE_ERUNTIME;
}

/* Through the blocking form, which looks up its choices: these here, while it runs. */
static int solve_run(struct tune_case *c, const struct tuning_choice *choice, double *seconds)
{
	const heddle_type type = c->solve.kind->type;

	memcpy(c->solve.b, c->solve.input, (size_t)(c->solve.k * c->solve.many) * c->solve.kind->size);
	heddle_tuning_try(TUNING_TRSM, type, choice);
	heddle_tuning_try(TUNING_TRSM_FEW, type, choice);
	double begin = seconds_now();
	int code = solve(c->solve.k, c->solve.many, c->solve.kind, c->solve.a, c->solve.b);
	*seconds = seconds_now() - begin;
	heddle_tuning_try(TUNING_TRSM, type, NULL);
	heddle_tuning_try(TUNING_TRSM_FEW, type, NULL);
	if (code != HEDDLE_OK)
		complain_code("trsm", code);
	return code == HEDDLE_OK ? 0 : -1;
}

/* A triangle that solutions do not grow by: what is beside the diagonal is small. */
static void soften(const struct kind *kind, void *a, int64_t k)
{
	int64_t reals = (int64_t)(kind->size / kind->real_size);

	for (int64_t i = 0; i < k * k * reals; i++) {
		bool diagonal = i / reals % (k + 1) == 0;
		double x = diagonal ? (i % reals == 0 ? 2 : 0) : real_get(kind, a, i) / (double)k;

		if (kind->real == HEDDLE_S)
			((float *)a)[i] = (float)x;
		else
			((double *)a)[i] = x;
	}
}

static int solve_open(struct tune_case *c, const struct kind *kind, int64_t k)
{
	enum { FEW = 128 }; /* with fewer the blocking call may leave it all to the BLAS, whatever the tile */
	const struct tuning_choice direct = { .route = HEDDLE_ROUTE_LAPACK, .tile = 256, .inverse = 1 };
	int64_t many = c->job == TUNING_TRSM_FEW ? FEW : k;
	size_t bytes = (size_t)(k * many) * kind->size;
	double seconds;

	c->solve.kind = kind;
	c->solve.k = k;
	c->solve.many = many;
	if (!memory_suffices("trsm", dense_bytes(kind, (double)k, (double)k) + 4 * (double)bytes))
		return -1;
	c->solve.a = malloc((size_t)(k * k) * kind->size);
	c->solve.input = malloc(bytes);
	c->solve.b = malloc(bytes);
	c->solve.expected = malloc(bytes);
	if (!c->solve.a || !c->solve.input || !c->solve.b || !c->solve.expected) {
		complain("trsm: no memory");
		return -1;
	}
	random_fill(kind, c->solve.a, k * k, (uint64_t)k);
	random_fill(kind, c->solve.input, k * many, (uint64_t)k + 1);
	soften(kind, c->solve.a, k);
	if (solve_run(c, &direct, &seconds) != 0)
		return -1;
	memcpy(c->solve.expected, c->solve.b, bytes);
	return 0;
}

/* All ways give what the direct call gives, but for rounding; the triangle's condition is small. */
static int solve_check(const struct tune_case *c)
{
	const struct kind *kind = c->solve.kind;
	int64_t reals = c->solve.k * c->solve.many * (int64_t)(kind->size / kind->real_size);
	double largest = 0, worst = 0, bound = 10 * sqrt((double)c->solve.k) + 20;

	for (int64_t i = 0; i < reals; i++) {
		double x = real_get(kind, c->solve.expected, i), difference = fabs(real_get(kind, c->solve.b, i) - x);

		largest = fmax(largest, fabs(x));
		if (!(difference <= worst)) /* a NaN stays */
			worst = difference;
	}
	if (worst <= bound * kind->eps * largest)
		return 0;
	complain("trsm: a result is wrong: off by %.3g eps (order %lld, type %c)", worst / largest / kind->eps, (long long)c->solve.k,
		 (char)kind->type);
	return -1;
}

/* Either */

int tune_case_open(struct tune_case *c, enum tuning_job job, const struct kind *kind, int64_t n)
{
	const struct bench_job *bench = bench_jobs;

	*c = (struct tune_case){ .job = job };
	if (is_solve(c))
		return solve_open(c, kind, n);
	while (strcmp(bench->name, tuning_job_names[job]) != 0)
		bench++;
	c->values.job = bench;
	c->values.problem = (struct problem){ .kind = kind, .hermitian = bench->hermitian, .uplo = HEDDLE_LOWER, .m = n, .n = n };
	return bench_case_open(&c->values);
}

int tune_case_run(struct tune_case *c, const struct tuning_choice *choice, double *seconds)
{
	if (is_solve(c))
		return solve_run(c, choice, seconds);
	c->values.problem.options = (heddle_options){ .band = choice->band, .tile = choice->tile, .group = choice->group,
						      .steps = choice->steps, .route = choice->route };
	return c->values.job->heddle(&c->values, seconds);
}

int tune_case_check(const struct tune_case *c)
{
	return is_solve(c) ? solve_check(c) : bench_check(&c->values, "heddle");
}

void tune_case_close(struct tune_case *c)
{
	if (!is_solve(c))
		bench_case_close(&c->values);
	free(c->solve.a);
	free(c->solve.input);
	free(c->solve.b);
	free(c->solve.expected);
}

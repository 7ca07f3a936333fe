#include "tools/heddle/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tools/heddle/gemm_rate.h"
#include "tools/heddle/memory.h"
#include "tools/heddle/message.h"

static int64_t order(const struct bench_case *c)
{
	return c->m < c->n ? c->m : c->n;
}

static int said(const char *job, int code)
{
	if (code != HEDDLE_OK)
		complain_code(job, code);
	return code == HEDDLE_OK ? 0 : -1;
}

static int lapack_said(const char *job, int info)
{
	if (info != 0)
		complain("%s: %s", job, lapack_failure(info));
	return info == 0 ? 0 : -1;
}

static void restore(struct bench_case *c)
{
	memcpy(c->work, c->input, (size_t)c->count * c->kind->size);
}

static double squares(const struct kind *kind, const void *values, int64_t first, int64_t count)
{
	double sum = 0;

	for (int64_t i = first; i < first + count; i++) {
		double x = real_get(kind, values, i);

		sum += x * x;
	}
	return sum;
}

/* Of a band in LAPACK storage, only the entries that are the band's. */
static double band_norm(const struct kind *kind, int64_t n, int64_t kd, const void *ab)
{
	int64_t reals = (int64_t)(kind->size / kind->real_size);
	double sum = 0;

	for (int64_t j = 0; j < n; j++) {
		int64_t rows = j < kd ? j + 1 : kd + 1;

		sum += squares(kind, ab, (j * (kd + 1) + kd + 1 - rows) * reals, rows * reals);
	}
	return sqrt(sum);
}

/* svdvals */

static double svdvals_case_flops(const struct bench_case *c)
{
	return svdvals_flops(c->kind, (double)c->m, (double)c->n);
}

static int svdvals_heddle(struct bench_case *c, double *seconds)
{
	const heddle_select all = { .kind = HEDDLE_ALL };
	struct run run = { 0 };
	int64_t found;

	restore(c);
	int code = run_svdvals(&run, c->kind, c->m, c->n, c->work, &all, &c->options, c->d, &found);
	*seconds = run.seconds;
	return said("svdvals", code);
}

static int svdvals_lapack(struct bench_case *c, double *seconds)
{
	restore(c);
	double begin = seconds_now();
	int info = lapack_svdvals(c->kind, c->m, c->n, c->work, c->d);
	*seconds = seconds_now() - begin;
	return lapack_said("svdvals", info);
}

static double svdvals_norm(const struct bench_case *c)
{
	return sqrt(squares(c->kind, c->d, 0, order(c)));
}

static const struct bench_job svdvals = { .name = "svdvals", .dense = true,
	.limit = "8n^3/3 (m > n: the lesser of 4mn^2 - 4n^3/3 and 2mn^2 + 2n^3)",
	.flops = svdvals_case_flops, .heddle = svdvals_heddle, .lapack = svdvals_lapack, .norm = svdvals_norm };

/* ge2gb */

static double ge2gb_case_flops(const struct bench_case *c)
{
	return ge2gb_flops(c->kind, (double)c->m, (double)c->n);
}

static int ge2gb_heddle(struct bench_case *c, double *seconds)
{
	struct run run = { 0 };

	restore(c);
	int code = run_ge2gb(&run, c->kind, c->m, c->n, c->work, c->band, &c->options);
	*seconds = run.seconds;
	return said("ge2gb", code);
}

static double ge2gb_norm(const struct bench_case *c)
{
	void *ab = calloc((size_t)(c->kd + 1) * (size_t)order(c), c->kind->size);
	double norm = ab && heddle_band_get(c->band, ab, c->kd + 1) == 0 ? band_norm(c->kind, order(c), c->kd, ab) : NAN;

	free(ab);
	return norm;
}

static const struct bench_job ge2gb = { .name = "ge2gb", .limit = "8n^3/3 (m > n: 4mn^2 - 4n^3/3)", .banded = true, .dense = true,
	.flops = ge2gb_case_flops, .heddle = ge2gb_heddle, .norm = ge2gb_norm };

/* gb2bd */

static double gb2bd_case_flops(const struct bench_case *c)
{
	return gb2bd_flops(c->kind, (double)c->n, (double)c->kd);
}

static int gb2bd_heddle(struct bench_case *c, double *seconds)
{
	struct run run = { 0 };

	int code = heddle_band_set(c->band, c->input, c->kd + 1);
	if (code == HEDDLE_OK)
		code = run_gb2bd(&run, c->kind, c->n, c->band, c->d, c->e, &c->options);
	*seconds = run.seconds;
	return said("gb2bd", code);
}

static int gb2bd_lapack(struct bench_case *c, double *seconds)
{
	restore(c);
	double begin = seconds_now();
	int info = lapack_gb2bd(c->kind, c->n, c->kd, c->work, c->d, c->e);
	*seconds = seconds_now() - begin;
	return lapack_said("gb2bd", info);
}

static double gb2bd_norm(const struct bench_case *c)
{
	return sqrt(squares(c->kind, c->d, 0, c->n) + squares(c->kind, c->e, 0, c->n - 1));
}

static const struct bench_job gb2bd = { .name = "gb2bd", .limit = "8n^2*kd", .banded = true, .flops = gb2bd_case_flops,
	.heddle = gb2bd_heddle, .lapack = gb2bd_lapack, .lapack_sequential = true, .norm = gb2bd_norm };

const struct bench_job *bench_job_find(const char *name)
{
	static const struct bench_job *const jobs[] = { &svdvals, &ge2gb, &gb2bd };

	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		if (strcmp(jobs[i]->name, name) == 0)
			return jobs[i];
	return NULL;
}

int bench_case_open(struct bench_case *c, const struct bench_job *job)
{
	const struct kind *kind = c->kind;
	int64_t k = order(c);
	double bytes = job->dense ? dense_bytes(kind, (double)c->m, (double)c->n) : dense_bytes(kind, (double)c->kd + 1, (double)k);
	double band = job->banded ? dense_bytes(kind, 3 * (double)c->kd + 1, (double)k) : 0;

	if (!memory_suffices(job->name, (2 + LIBRARY_SHARE) * bytes + band))
		return -1;
	c->count = job->dense ? c->m * c->n : (c->kd + 1) * k;
	c->input = malloc((size_t)c->count * kind->size);
	c->work = job->dense ? lapack_allocate(kind, c->m, c->n) : malloc((size_t)c->count * kind->size);
	c->d = calloc((size_t)k, kind->real_size);
	c->e = calloc((size_t)k, kind->real_size);
	if (!c->input || !c->work || !c->d || !c->e) {
		complain("%s: no memory", job->name);
		return -1;
	}
	random_fill(kind, c->input, c->count, (uint64_t)c->m * 31 + (uint64_t)c->n);
	c->norm = job->dense ? sqrt(squares(kind, c->input, 0, c->count * (int64_t)(kind->size / kind->real_size))) :
			       band_norm(kind, k, c->kd, c->input);
	return job->banded ? said(job->name, heddle_band_create(&c->band, kind->type, k, c->kd)) : 0;
}

void bench_case_close(struct bench_case *c)
{
	heddle_band_destroy(c->band);
	free(c->input);
	free(c->work);
	free(c->d);
	free(c->e);
}

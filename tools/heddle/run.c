#include "tools/heddle/run.h"

#include <math.h>
#include <time.h>
#include "tools/heddle/watch.h"

/* What all runs have in common. */
struct work {
	double begin;
	heddle_sequence *sequence;
	struct watch *watch;
};

double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int work_begin(struct work *work, const struct run *run, double flops)
{
	*work = (struct work){ .begin = seconds_now() };
	int code = heddle_sequence_create(&work->sequence);
	if (code == HEDDLE_OK && run->watched)
		work->watch = watch_start(work->sequence, flops);
	return code;
}

static void work_end(struct work *work, struct run *run)
{
	heddle_stage all[MOST_STAGES];

	run->seconds = seconds_now() - work->begin;
	run->interrupted = watch_stop(work->watch);
	run->stages = 0;
	int count = heddle_sequence_stages(work->sequence, all, MOST_STAGES);
	for (int i = 0; i < count && i < MOST_STAGES; i++)
		if (all[i].submitted > 0)
			run->stage[run->stages++] = all[i];
	heddle_sequence_destroy(work->sequence);
}

static int column_create(heddle_matrix **column, heddle_type type, int64_t rows, void *values)
{
	return heddle_matrix_create(column, type, rows, 1, values, rows > 0 ? rows : 1, 0);
}

static int dense_create(heddle_matrix **A, const struct kind *kind, int64_t m, int64_t n, void *a, const heddle_options *options)
{
	heddle_options chosen = *options;

	heddle_svd_options(kind->type, m, n, &chosen);
	return heddle_matrix_create(A, kind->type, m, n, a, m > 0 ? m : 1, chosen.tile);
}

int run_svdvals(struct run *run, const struct kind *kind, int64_t m, int64_t n, void *a, const heddle_select *select,
		const heddle_options *options, void *s, int64_t *found)
{
	heddle_matrix *A = NULL, *S = NULL;
	struct work work;

	int code = work_begin(&work, run, svdvals_flops(kind, (double)m, (double)n));
	if (code == HEDDLE_OK)
		code = dense_create(&A, kind, m, n, a, options);
	if (code == HEDDLE_OK)
		code = column_create(&S, kind->real, m < n ? m : n, s);
	if (code == HEDDLE_OK)
		code = kind->gesvd_vals(work.sequence, A, select, S, found, options);
	if (code == HEDDLE_OK)
		code = heddle_sequence_wait(work.sequence);
	heddle_matrix_destroy(S);
	heddle_matrix_destroy(A);
	work_end(&work, run);
	return code;
}

int run_ge2gb(struct run *run, const struct kind *kind, int64_t m, int64_t n, void *a, heddle_band *band,
	      const heddle_options *options)
{
	heddle_matrix *A = NULL;
	struct work work;

	int code = work_begin(&work, run, ge2gb_flops(kind, (double)m, (double)n));
	if (code == HEDDLE_OK)
		code = dense_create(&A, kind, m, n, a, options);
	if (code == HEDDLE_OK)
		code = kind->ge2gb(work.sequence, A, band, options);
	if (code == HEDDLE_OK)
		code = heddle_sequence_wait(work.sequence);
	heddle_matrix_destroy(A);
	work_end(&work, run);
	return code;
}

int run_gb2bd(struct run *run, const struct kind *kind, int64_t n, heddle_band *band, void *d, void *e,
	      const heddle_options *options)
{
	heddle_matrix *D = NULL, *E = NULL;
	struct work work;

	int code = work_begin(&work, run, 0);
	if (code == HEDDLE_OK)
		code = column_create(&D, kind->real, n, d);
	if (code == HEDDLE_OK)
		code = column_create(&E, kind->real, n, e);
	if (code == HEDDLE_OK)
		code = kind->gb2bd(work.sequence, band, D, E, options);
	if (code == HEDDLE_OK)
		code = heddle_sequence_wait(work.sequence);
	heddle_matrix_destroy(E);
	heddle_matrix_destroy(D);
	work_end(&work, run);
	return code;
}

double ge2gb_flops(const struct kind *kind, double m, double n)
{
	double tall = fmax(m, n), k = fmin(m, n);

	return kind->flop_weight * (4 * tall * k * k - 4.0 / 3 * k * k * k);
}

double svdvals_flops(const struct kind *kind, double m, double n)
{
	double tall = fmax(m, n), k = fmin(m, n);
	double with_qr = kind->flop_weight * (2 * tall * k * k + 2 * k * k * k);

	return fmin(ge2gb_flops(kind, m, n), with_qr);
}

double gb2bd_flops(const struct kind *kind, double n, double kd)
{
	return kind->flop_weight * 8 * n * n * kd;
}

#include "tools/heddle/run.h"

#include <math.h>
#include <stdlib.h>
#include "runtime/clock.h"
#include "tools/heddle/interrupt.h"
#include "tools/heddle/solve.h"
#include "tools/heddle/watch.h"

/* What all runs have in common: a sequence and at most two matrices of the caller's. */
struct work {
	double begin;
	heddle_sequence *sequence;
	struct watch *watch;
	heddle_matrix *first, *second;
};

int64_t problem_order(const struct problem *p)
{
	return p->m < p->n ? p->m : p->n;
}

void problem_choose(const struct problem *p, heddle_options *options)
{
	if (p->hermitian)
		heddle_eig_options(p->kind->type, p->n, options);
	else
		heddle_svd_options(p->kind->type, p->m, p->n, options);
}

static int work_begin(struct work *work, const struct run *run, double flops)
{
	*work = (struct work){ .begin = seconds_now() };
	int code = heddle_sequence_create(&work->sequence);
	if (code == HEDDLE_OK)
		interrupt_cancels(work->sequence);
	if (code == HEDDLE_OK && run->watched)
		work->watch = watch_start(work->sequence, flops);
	return code;
}

/* Wait if all was submitted, and bring the results home.  Returns the code of the whole. */
static int work_end(struct work *work, struct run *run, int code)
{
	heddle_stage all[MOST_STAGES];

	if (code == HEDDLE_OK)
		code = heddle_sequence_wait(work->sequence);
	heddle_matrix_destroy(work->second);
	heddle_matrix_destroy(work->first);
	run->seconds = seconds_now() - work->begin;
	watch_stop(work->watch);
	interrupt_cancels(NULL);
	run->stages = 0;
	int count = heddle_sequence_stages(work->sequence, all, MOST_STAGES);
	for (int i = 0; i < count && i < MOST_STAGES; i++)
		if (all[i].submitted > 0)
			run->stage[run->stages++] = all[i];
	heddle_sequence_destroy(work->sequence);
	return code;
}

static int column_create(heddle_matrix **column, const struct kind *kind, int64_t rows, void *values)
{
	return heddle_matrix_create(column, kind->real, rows, 1, values, rows > 0 ? rows : 1, 0);
}

static int dense_create(heddle_matrix **A, const struct problem *p)
{
	heddle_options chosen = p->options;

	problem_choose(p, &chosen);
	return heddle_matrix_create(A, p->kind->type, p->m, p->n, p->a, p->m > 0 ? p->m : 1, chosen.tile);
}

int run_values(struct run *run, const struct problem *p, const heddle_select *select, void *values, int64_t *found)
{
	const struct kind *kind = p->kind;
	struct work work;

	int code = work_begin(&work, run, values_flops(p));
	if (code == HEDDLE_OK)
		code = dense_create(&work.first, p);
	if (code == HEDDLE_OK)
		code = column_create(&work.second, kind, problem_order(p), values);
	if (code == HEDDLE_OK && p->hermitian)
		code = kind->heev_vals(work.sequence, p->uplo, work.first, select, work.second, found, &p->options);
	else if (code == HEDDLE_OK)
		code = kind->gesvd_vals(work.sequence, work.first, select, work.second, found, &p->options);
	return work_end(&work, run, code);
}

int run_reduction(struct run *run, const struct problem *p, heddle_band *band)
{
	const struct kind *kind = p->kind;
	struct work work;

	int code = work_begin(&work, run, reduction_flops(p));
	if (code == HEDDLE_OK)
		code = dense_create(&work.first, p);
	if (code == HEDDLE_OK && p->hermitian)
		code = kind->he2hb(work.sequence, p->uplo, work.first, band, &p->options);
	else if (code == HEDDLE_OK)
		code = kind->ge2gb(work.sequence, work.first, band, &p->options);
	return work_end(&work, run, code);
}

int run_chase(struct run *run, const struct problem *p, heddle_band *band, void *d, void *e)
{
	chase_function *chase = p->hermitian ? p->kind->hb2st : p->kind->gb2bd;
	struct work work;

	int code = work_begin(&work, run, 0);
	if (code == HEDDLE_OK)
		code = column_create(&work.first, p->kind, p->n, d);
	if (code == HEDDLE_OK)
		code = column_create(&work.second, p->kind, p->n, e);
	if (code == HEDDLE_OK)
		code = chase(work.sequence, band, work.first, work.second, &p->options);
	return work_end(&work, run, code);
}

/* Right-hand sides that are solved for together: two pieces for each worker, so that one which is held up holds up less. */
static int64_t piece_of(int64_t sides)
{
	enum { SMALLEST = 32, MULTIPLE = 8 };
	heddle_info info = { .cpu_workers = 1 };

	heddle_get_info(&info);
	int64_t pieces = 2 * (int64_t)(info.cpu_workers > 0 ? info.cpu_workers : 1), piece = (sides + pieces - 1) / pieces;

	piece = (piece + MULTIPLE - 1) / MULTIPLE * MULTIPLE;
	return piece < SMALLEST ? SMALLEST : piece;
}

/* Submit the solves of all pieces, each of which is a matrix of its own in parts. */
static int solve_pieces(struct work *work, const struct solve *s, int64_t tile, int64_t piece, heddle_matrix **parts)
{
	bool left = s->form.side == HEDDLE_LEFT;
	int64_t sides = solve_sides(s), ld = s->m > 0 ? s->m : 1;
	int code = HEDDLE_OK;

	for (int64_t first = 0; first < sides && code == HEDDLE_OK; first += piece) {
		int64_t count = sides - first < piece ? sides - first : piece;
		char *begin = (char *)s->b + (size_t)(left ? first * ld : first) * s->kind->size;

		code = heddle_matrix_create(&parts[first / piece], s->kind->type, left ? s->m : count, left ? count : s->n, begin, ld, tile);
		if (code == HEDDLE_OK)
			code = solve_submit(s, work->sequence, work->first, parts[first / piece]);
	}
	return code;
}

int solve_run(struct run *run, const struct solve *s)
{
	int64_t k = solve_order(s), sides = solve_sides(s), piece = piece_of(sides), pieces = (sides + piece - 1) / piece;
	heddle_options chosen = s->options;
	heddle_matrix **parts = calloc((size_t)pieces + 1, sizeof(heddle_matrix *));
	struct work work;

	heddle_trsm_options(s->kind->type, k, sides, &chosen);
	int code = work_begin(&work, run, solve_flops(s));
	if (code == HEDDLE_OK)
		code = parts ? heddle_matrix_create(&work.first, s->kind->type, k, k, s->a, k > 0 ? k : 1, chosen.tile) : HEDDLE_ENOMEM;
	if (code == HEDDLE_OK)
		code = solve_pieces(&work, s, chosen.tile, piece, parts);
	if (code == HEDDLE_OK)
		code = heddle_sequence_wait(work.sequence);
	for (int64_t i = 0; i < pieces && parts; i++)
		heddle_matrix_destroy(parts[i]);
	free(parts);
	return work_end(&work, run, code);
}

double reduction_flops(const struct problem *p)
{
	double tall = (double)(p->m > p->n ? p->m : p->n), k = (double)problem_order(p);

	return p->kind->flop_weight * (p->hermitian ? 4.0 / 3 * k * k * k : 4 * tall * k * k - 4.0 / 3 * k * k * k);
}

double values_flops(const struct problem *p)
{
	double tall = (double)(p->m > p->n ? p->m : p->n), k = (double)problem_order(p);
	double with_qr = p->kind->flop_weight * (2 * tall * k * k + 2 * k * k * k);

	return p->hermitian ? reduction_flops(p) : fmin(reduction_flops(p), with_qr);
}

double chase_flops(const struct problem *p, int64_t kd)
{
	double n = (double)problem_order(p), width = (double)kd;

	return p->kind->flop_weight * (p->hermitian ? fmin(6 * n * n * width, 4.0 / 3 * n * n * n) :
						      fmin(8 * n * n * width, 8.0 / 3 * n * n * n));
}

/* panel_leaf: a leaf of a panel's TSQR, A = (I - V T V^H) R for the leaf's rows of the panel.
 * For a row panel the source is first brought up to date: A := C(top rows)^H - W T1 V1^H, and W := W T1 on the way, where V1 and T1 are
 * those of the block's column panel (step "row panel" of the two-sided reduction).
 *   0        leaf      W   LEAF_QR, LEAF_T
 *   1        factor    R   the column panel's results (row panels only)
 *   then     work      RW  the side's pieces: W in half 0 (row panels), V into half `half`
 *   then     tiles     R   the source's tiles, for each piece those that the panel's kb columns touch                                    */
#include <stdlib.h>
#include <string.h>
#include "codelets/gpu.h"
#include "codelets/host/blas.h"
#include "codelets/host/geqrt.h"
#include "codelets/panel.h"
#include "runtime/task.h"
#if WITH_GPU
#include "codelets/device/panel.h"
#include "codelets/device/tile.h"
#endif

struct args {
	struct run run;
	int64_t width, kb, half;
	int64_t other;      /* reflectors of the column panel, 0: this is one */
	int64_t tiles;      /* across, for each piece */
	int64_t skip, tile; /* into the first of them, and their size across */
	bool transposed;    /* tiles hold the adjoint of the source */
};

static scalar *piece_at(void *buffer, const struct args *a, int64_t half, int64_t l)
{
	return (scalar *)STARPU_MATRIX_GET_PTR(buffer) + run_skip(&a->run, l) + half * a->width * (int64_t)STARPU_MATRIX_GET_LD(buffer);
}

/* x(i,:) := adjoint of columns first + i of C, rows skip .. skip + n - 1: 16 columns at a time, so that both sides move by cache lines. */
static void gather_adjoint(int64_t rows, int64_t n, const scalar *c, int64_t ldc, scalar *x, int64_t ldx)
{
	for (int64_t i0 = 0; i0 < rows; i0 += 16) {
		int64_t i1 = i0 + 16 < rows ? i0 + 16 : rows;
		for (int64_t k = 0; k < n; k++)
			for (int64_t i = i0; i < i1; i++)
				x[i + k * ldx] = conjugate(c[k + i * ldc]);
	}
}

/* Copy the source's part in piece l, rows by kb, from the tiles across. */
static void gather(const struct args *a, void **tiles, int64_t l, scalar *x, int64_t ldx)
{
	int64_t rows = run_rows(&a->run, l), first = run_skip(&a->run, l), j = 0;

	for (int64_t t = 0; t < a->tiles; t++) {
		const scalar *c = (const scalar *)STARPU_MATRIX_GET_PTR(tiles[t]);
		int64_t ld = STARPU_MATRIX_GET_LD(tiles[t]), skip = t ? 0 : a->skip;
		int64_t n = a->tile - skip < a->kb - j ? a->tile - skip : a->kb - j;
		if (a->transposed)
			gather_adjoint(rows, n, c + skip + first * ld, ld, x + j * ldx, ldx);
		else
			for (int64_t k = 0; k < n; k++)
				memcpy(x + (j + k) * ldx, c + first + (skip + k) * ld, (size_t)rows * sizeof(*x));
		j += n;
	}
}

/* W := W T1 in the piece, and x -= W V1^H. */
static void bring_up_to_date(const struct args *a, void *factor, scalar *w, int64_t ldw, int64_t rows, scalar *x, int64_t ldx)
{
	const scalar *f = (const scalar *)STARPU_MATRIX_GET_PTR(factor);
	int64_t ldf = STARPU_MATRIX_GET_LD(factor);

	trmm(CblasRight, CblasUpper, NO_TRANS, CblasNonUnit, rows, a->other, f + PANEL_T * a->width * ldf, ldf, w, ldw);
	gemm(NO_TRANS, ADJOINT, rows, a->kb, a->other, -1, w, ldw, f + PANEL_V * a->width * ldf, ldf, 1, x, ldx);
}

static void panel_leaf_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	void **work = buffers + (a->other ? 2 : 1), **tiles = work + a->run.count;
	scalar *leaf = (scalar *)STARPU_MATRIX_GET_PTR(buffers[0]);
	int64_t ldl = STARPU_MATRIX_GET_LD(buffers[0]);
	int64_t m = a->run.end - a->run.begin, kr = m < a->kb ? m : a->kb;
	int64_t ldx = (m / 8 + 2) * 8; /* not a power of two */
	scalar *x = malloc((size_t)(ldx * a->kb + kr * a->kb + READ_BEHIND(ldx)) * sizeof(*x));

	if (!x) {
		task_fail(arg, HEDDLE_ENOMEM);
		return;
	}
	for (int64_t l = 0, i = 0; l < a->run.count; i += run_rows(&a->run, l), l++) {
		gather(a, tiles + l * a->tiles, l, x + i, ldx);
		if (a->other)
			bring_up_to_date(a, buffers[1], piece_at(work[l], a, 0, l), STARPU_MATRIX_GET_LD(work[l]), run_rows(&a->run, l), x + i, ldx);
	}
	NAME(geqrt)(m, a->kb, x, ldx, leaf + LEAF_QR * a->width * ldl, ldl, leaf + LEAF_T * a->width * ldl, ldl, x + ldx * a->kb);
	for (int64_t j = 0; j < kr; j++) /* V's top below R */
		memcpy(leaf + (LEAF_QR * a->width + j) * ldl + j + 1, x + j * ldx + j + 1, (size_t)(kr - j - 1) * sizeof(*x));
	for (int64_t l = 0, i = 0; l < a->run.count; i += run_rows(&a->run, l), l++) {
		scalar *v = piece_at(work[l], a, a->half, l);
		for (int64_t j = 0; j < kr; j++)
			memcpy(v + j * (int64_t)STARPU_MATRIX_GET_LD(work[l]), x + i + j * ldx, (size_t)run_rows(&a->run, l) * sizeof(*v));
	}
	free(x);
}

#if WITH_GPU
/* As gather. */
static void gather_gpu(const struct args *a, void **tiles, int64_t l, scalar *x, int64_t ldx)
{
	int64_t rows = run_rows(&a->run, l), first = run_skip(&a->run, l), j = 0;

	for (int64_t t = 0; t < a->tiles; t++) {
		const scalar *c = (const scalar *)STARPU_MATRIX_GET_PTR(tiles[t]);
		int64_t ld = STARPU_MATRIX_GET_LD(tiles[t]), skip = t ? 0 : a->skip;
		int64_t n = a->tile - skip < a->kb - j ? a->tile - skip : a->kb - j;
		if (a->transposed)
			NAME(gpu_copy_adjoint)(gpu_here(), n, rows, c + skip + first * ld, ld, x + j * ldx, ldx);
		else
			NAME(gpu_copy)(gpu_here(), rows, n, c + first + skip * ld, ld, x + j * ldx, ldx);
		j += n;
	}
}

/* As bring_up_to_date. */
static void bring_up_to_date_gpu(const struct args *a, void *factor, scalar *w, int64_t ldw, int64_t rows, scalar *x, int64_t ldx)
{
	const scalar *f = (const scalar *)STARPU_MATRIX_GET_PTR(factor);
	int64_t ldf = STARPU_MATRIX_GET_LD(factor);

	NAME(gpu_row_panel)(gpu_here(), rows, a->kb, a->other, f + PANEL_T * a->width * ldf, ldf, f + PANEL_V * a->width * ldf, ldf, w, ldw, x, ldx);
}

GPU_TASK(panel_leaf_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	void **work = buffers + (a->other ? 2 : 1), **tiles = work + a->run.count;
	scalar *leaf = (scalar *)STARPU_MATRIX_GET_PTR(buffers[0]), *qr = leaf + LEAF_QR * a->width * (int64_t)STARPU_MATRIX_GET_LD(buffers[0]);
	int64_t ldl = STARPU_MATRIX_GET_LD(buffers[0]), m = a->run.end - a->run.begin, kr = m < a->kb ? m : a->kb, ldx = (m + 15) / 16 * 16;
	scalar *x = gpu_work(arg, (size_t)(ldx * a->kb) * sizeof(*x) + NAME(gpu_geqrt_work)(m, a->kb));

	if (!x)
		return;
	for (int64_t l = 0, i = 0; l < a->run.count; i += run_rows(&a->run, l), l++) {
		gather_gpu(a, tiles + l * a->tiles, l, x + i, ldx);
		if (a->other)
			bring_up_to_date_gpu(a, buffers[1], piece_at(work[l], a, 0, l), STARPU_MATRIX_GET_LD(work[l]), run_rows(&a->run, l), x + i, ldx);
	}
	NAME(gpu_geqrt)(gpu_here(), m, a->kb, x, ldx, qr, ldl, leaf + LEAF_T * a->width * ldl, ldl, x + ldx * a->kb);
	if (kr > 1) /* V's top below R */
		NAME(gpu_copy_trapezoid)(gpu_here(), HEDDLE_LOWER, false, kr - 1, kr - 1, x + 1, ldx, qr + 1, ldl);
	for (int64_t l = 0, i = 0; l < a->run.count; i += run_rows(&a->run, l), l++)
		NAME(gpu_copy)(gpu_here(), run_rows(&a->run, l), kr, x + i, ldx, piece_at(work[l], a, a->half, l), STARPU_MATRIX_GET_LD(work[l]));
}
#endif

static double flops(int64_t m, int64_t kb, int64_t other)
{
	return FLOPS_PER_PAIR * (2.0 * (double)m * (double)kb * (double)kb + 3.0 * (double)m * (double)kb * (double)other);
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("panel_leaf"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { panel_leaf_cpu },
	ON_GPU(panel_leaf_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS,
	.name = TRACE_NAME("panel_leaf"),
	.model = &model,
};

void NAME(panel_leaf)(struct submit to, const struct panel *p, const struct run *run, handle leaf)
{
	bool transposed = p->is_row != p->view.adjoint;
	int64_t tile = p->is_row ? view_row_tile(&p->view) : view_column_tile(&p->view);
	int64_t first = p->across / tile, last = (p->across + p->kb - 1) / tile;
	struct args a = { .run = *run, .width = p->width, .kb = p->kb, .half = p->half, .other = p->other ? p->other->kr : 0,
			  .tiles = last - first + 1, .skip = p->across - first * tile, .tile = tile, .transposed = transposed };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, leaf, STARPU_W);
	if (p->other)
		buffers_add(&b, p->other->factor, STARPU_R);
	for (int64_t l = run->first; l < run->first + run->count; l++)
		buffers_add(&b, matrix_tile(p->work, l, 0), p->other ? STARPU_RW : STARPU_W);
	for (int64_t l = run->first; l < run->first + run->count; l++)
		for (int64_t t = first; t <= last; t++)
			buffers_add(&b, p->is_row ? view_tile(&p->view, t, l) : view_tile(&p->view, l, t), STARPU_R);
	task_submit(to, flops(run->end - run->begin, p->kb, a.other), &codelet, &a, sizeof(a), &b);
}

/* panel_top: the top of a panel's TSQR and, from the tree's Q, the Householder form of the whole (Ballard et al.):
 * with Q1 the first kb rows of Q and s_j of modulus 1 chosen so that each pivot is at least 1,  I - Q1 S = V1 U  by LU without
 * pivoting, T = U V1^-H, R := S^H R.  One leaf alone is in that form already.
 *   0        factor    W   PANEL_T, PANEL_V, PANEL_U
 *   then     target    RW  R's place: handles of the band, or the one tile of the view
 *   then     leaves    RW  LEAF_Q := -Q_l S and LEAF_G := -T_l V_l^H Q_l S for panel_rebuild                                            */
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
	int64_t width, kb, kr, leaves;
	int64_t targets, target_width; /* handles of the target and their columns */
	int64_t row, column;           /* of R(0,0) in the target: band rows count from the diagonal's storage row */
	int64_t slant;                 /* 1: a band, whose storage moves up a row each column; 0: a tile */
	bool adjoint;                  /* the target receives R^H */
};

/* Write R (kr by kb, upper trapezoidal) or its adjoint to the target. */
static void store_r(const struct args *a, void **target, const scalar *r, int64_t ldr)
{
	int64_t columns = a->adjoint ? a->kr : a->kb;

	for (int64_t j = 0; j < columns; j++) {
		int64_t column = a->column + j, h = column / a->target_width;
		int64_t ld = STARPU_MATRIX_GET_LD(target[h]);
		scalar *x = (scalar *)STARPU_MATRIX_GET_PTR(target[h]) + (column - h * a->target_width) * ld + a->row - a->slant * j;
		if (a->adjoint)
			for (int64_t i = j; i < a->kb; i++)
				x[i] = conjugate(r[j + i * ldr]);
		else
			memcpy(x, r + j * ldr, (size_t)(j < a->kr ? j + 1 : a->kr) * sizeof(*x));
	}
}

/* Copy the strictly lower part of the k by k block x under ones and zeros: V's top made explicit. */
static void unit_lower(int64_t k, const scalar *x, int64_t ldx, scalar *v, int64_t ldv)
{
	for (int64_t j = 0; j < k; j++) {
		memset(v + j * ldv, 0, (size_t)j * sizeof(*v));
		v[j + j * ldv] = 1;
		memcpy(v + j + 1 + j * ldv, x + j + 1 + j * ldx, (size_t)(k - j - 1) * sizeof(*v));
	}
}

/* LU of I - Q1 S: q (k by k) is overwritten by V1 below the diagonal and U on and above it, s receives the signs. */
static void reconstruct(int64_t k, scalar *q, int64_t ldq, scalar *s)
{
	for (int64_t j = 0; j < k; j++) {
		scalar *x = q + j * ldq;
		for (int64_t p = 0; p < j; p++)
			for (int64_t i = p + 1; i < k; i++)
				x[i] -= x[p] * q[i + p * ldq];
#if IS_COMPLEX
		real size = (real)cabs(x[j]);
		s[j] = size == 0 ? -1 : -conjugate(x[j]) / size;
#else
		s[j] = x[j] < 0 ? 1 : -1;
#endif
		for (int64_t i = 0; i < j; i++)
			x[i] *= -s[j];
		x[j] = 1 - s[j] * x[j];
		for (int64_t i = j + 1; i < k; i++)
			x[i] *= -s[j] / x[j];
	}
}

/* Q of the stacked R's, one kb by kb block a leaf, into LEAF_Q, and LEAF_G = T_l V_l^H Q_l; the top's R into r. */
static int top_of_tree(const struct args *a, void **leaves, scalar *r)
{
	int64_t k = a->kb, m = a->leaves * k;
	scalar *v = calloc((size_t)(m * k + 2 * k * k + READ_BEHIND(m)), sizeof(*v));

	if (!v)
		return HEDDLE_ENOMEM;
	scalar *t = v + m * k, *g = t + k * k;
	for (int64_t l = 0; l < a->leaves; l++) {
		const scalar *leaf = (const scalar *)STARPU_MATRIX_GET_PTR(leaves[l]);
		for (int64_t j = 0; j < k; j++)
			memcpy(v + l * k + j * m, leaf + j * (int64_t)STARPU_MATRIX_GET_LD(leaves[l]), (size_t)(j + 1) * sizeof(*v));
	}
	NAME(geqrt)(m, k, v, m, r, k, t, k, g);
	for (int64_t j = 0; j < k; j++) /* g := T V1^H, then Q = [I; 0] - V g */
		for (int64_t i = 0; i < k; i++)
			g[i + j * k] = conjugate(v[j + i * m]);
	trmm(CblasLeft, CblasUpper, NO_TRANS, CblasNonUnit, k, k, t, k, g, k);
	for (int64_t l = 0; l < a->leaves; l++) {
		scalar *leaf = (scalar *)STARPU_MATRIX_GET_PTR(leaves[l]);
		int64_t ld = STARPU_MATRIX_GET_LD(leaves[l]);
		scalar *ql = leaf + LEAF_Q * a->width * ld, *gl = leaf + LEAF_G * a->width * ld;
		gemm(NO_TRANS, NO_TRANS, k, k, k, -1, v + l * k, m, g, k, 0, ql, ld);
		for (int64_t j = 0; j < k && l == 0; j++)
			ql[j + j * ld] += 1;
		for (int64_t j = 0; j < k; j++)
			memcpy(gl + j * ld, ql + j * ld, (size_t)k * sizeof(*gl));
		trmm(CblasLeft, CblasLower, ADJOINT, CblasUnit, k, k, leaf, ld, gl, ld);
		trmm(CblasLeft, CblasUpper, NO_TRANS, CblasNonUnit, k, k, leaf + LEAF_T * a->width * ld, ld, gl, ld);
	}
	free(v);
	return HEDDLE_OK;
}

/* Many leaves: reconstruction from the tree. */
static int from_tree(const struct args *a, scalar *factor, int64_t ldf, void **leaves, scalar *r)
{
	int64_t k = a->kb, w = a->width;
	const scalar *leaf = (const scalar *)STARPU_MATRIX_GET_PTR(leaves[0]);
	int64_t ld = STARPU_MATRIX_GET_LD(leaves[0]);
	scalar *q1 = calloc((size_t)(k * k + k), sizeof(*q1)), *s = q1 + k * k;

	if (!q1 || top_of_tree(a, leaves, r) != HEDDLE_OK) {
		free(q1);
		return HEDDLE_ENOMEM;
	}
	/* Q1 = Q_0 - V_0 G_0, V_0 the unit lower top of leaf 0 */
	for (int64_t j = 0; j < k; j++)
		memcpy(q1 + j * k, leaf + (LEAF_G * w + j) * ld, (size_t)k * sizeof(*q1));
	trmm(CblasLeft, CblasLower, NO_TRANS, CblasUnit, k, k, leaf, ld, q1, k);
	for (int64_t j = 0; j < k; j++)
		for (int64_t i = 0; i < k; i++)
			q1[i + j * k] = leaf[i + (LEAF_Q * w + j) * ld] - q1[i + j * k];
	reconstruct(k, q1, k, s);
	unit_lower(k, q1, k, factor + PANEL_V * w * ldf, ldf);
	for (int64_t j = 0; j < k; j++)
		for (int64_t i = 0; i < k; i++) {
			factor[i + (PANEL_T * w + j) * ldf] = factor[i + (PANEL_U * w + j) * ldf] = i <= j ? q1[i + j * k] : 0;
			if (i <= j)
				r[i + j * k] *= conjugate(s[i]);
		}
	trsm(CblasRight, CblasLower, ADJOINT, CblasUnit, k, k, factor + PANEL_V * w * ldf, ldf, factor + PANEL_T * w * ldf, ldf);
	for (int64_t l = 0; l < a->leaves; l++) {
		scalar *x = (scalar *)STARPU_MATRIX_GET_PTR(leaves[l]);
		int64_t ldx = STARPU_MATRIX_GET_LD(leaves[l]);
		for (int64_t j = 0; j < k; j++)
			for (int64_t i = 0; i < k; i++) {
				x[i + (LEAF_Q * w + j) * ldx] *= -s[j];
				x[i + (LEAF_G * w + j) * ldx] *= -s[j];
			}
	}
	free(q1);
	return HEDDLE_OK;
}

static void panel_top_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	void **target = buffers + 1, **leaves = target + a->targets;
	scalar *factor = (scalar *)STARPU_MATRIX_GET_PTR(buffers[0]);
	const scalar *leaf = (const scalar *)STARPU_MATRIX_GET_PTR(leaves[0]);
	int64_t ldf = STARPU_MATRIX_GET_LD(buffers[0]), ld = STARPU_MATRIX_GET_LD(leaves[0]);

	if (a->leaves == 1) {
		unit_lower(a->kr, leaf, ld, factor + PANEL_V * a->width * ldf, ldf);
		for (int64_t j = 0; j < a->kr; j++)
			memcpy(factor + (PANEL_T * a->width + j) * ldf, leaf + (LEAF_T * a->width + j) * ld, (size_t)a->kr * sizeof(*factor));
		store_r(a, target, leaf, ld);
		return;
	}
	scalar *r = calloc((size_t)(a->kb * a->kb), sizeof(*r));
	if (r && from_tree(a, factor, ldf, leaves, r) == HEDDLE_OK)
		store_r(a, target, r, a->kb);
	else
		task_fail(arg, HEDDLE_ENOMEM);
	free(r);
}

#if WITH_GPU
/* As store_r: in each handle of the target the full rows above its first column's diagonal element, then a trapezoid; of R^H only that. */
static void store_r_gpu(const struct args *a, void **target, const scalar *r, int64_t ldr)
{
	int64_t columns = a->adjoint ? a->kr : a->kb;

	for (int64_t j = 0, next; j < columns; j = next) {
		int64_t column = a->column + j, h = column / a->target_width, ld = STARPU_MATRIX_GET_LD(target[h]), stop = (h + 1) * a->target_width - a->column;
		next = stop < columns ? stop : columns;
		int64_t n = next - j, full = j < a->kr ? j : a->kr;
		scalar *x = (scalar *)STARPU_MATRIX_GET_PTR(target[h]) + (column - h * a->target_width) * ld + a->row - a->slant * j;
		const scalar *corner = r + j + j * ldr;
		if (a->adjoint) {
			NAME(gpu_copy_trapezoid)(gpu_here(), HEDDLE_UPPER, true, n, a->kb - j, corner, ldr, x + j, ld - a->slant);
			continue;
		}
		if (full > 0)
			NAME(gpu_copy)(gpu_here(), full, n, r + j * ldr, ldr, x, ld - a->slant);
		if (j < a->kr)
			NAME(gpu_copy_trapezoid)(gpu_here(), HEDDLE_UPPER, false, a->kr - j, n, corner, ldr, x + j, ld - a->slant);
	}
}

GPU_TASK(panel_top_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	void **target = buffers + 1, **leaves = target + a->targets;
	scalar *factor = (scalar *)STARPU_MATRIX_GET_PTR(buffers[0]), *leaf[PANEL_LEAVES];
	int64_t ldf = STARPU_MATRIX_GET_LD(buffers[0]), ld[PANEL_LEAVES];

	for (int64_t l = 0; l < a->leaves; l++) {
		leaf[l] = (scalar *)STARPU_MATRIX_GET_PTR(leaves[l]);
		ld[l] = STARPU_MATRIX_GET_LD(leaves[l]);
	}
	if (a->leaves == 1) {
		NAME(gpu_panel_of_leaf)(gpu_here(), a->kr, a->width, leaf[0], ld[0], factor, ldf);
		store_r_gpu(a, target, leaf[0], ld[0]);
		return;
	}
	scalar *r = gpu_work(arg, (size_t)(a->kb * a->kb) * sizeof(*r) + NAME(gpu_panel_top_work)(a->kb, a->leaves));
	if (!r)
		return;
	NAME(gpu_panel_top)(gpu_here(), a->kb, a->width, a->leaves, leaf, ld, factor, ldf, r, a->kb, r + a->kb * a->kb);
	store_r_gpu(a, target, r, a->kb);
}
#endif

static double flops(int64_t leaves, int64_t kb)
{
	double k3 = (double)kb * (double)kb * (double)kb;

	return leaves == 1 ? 0 : FLOPS_PER_PAIR * (7.0 * (double)leaves + 3.0) * k3;
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("panel_top"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { panel_top_cpu },
	ON_GPU(panel_top_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS,
	.name = TRACE_NAME("panel_top"),
	.model = &model,
};

void NAME(panel_top)(struct submit to, const struct panel *p, heddle_band *band, int64_t leaves, const handle *leaf)
{
	struct args a = { .width = p->width, .kb = p->kb, .kr = p->kr, .leaves = leaves };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, p->factor, STARPU_W);
	if (band) {
		/* R goes to B(p..,p..); a row panel's R^H to the columns behind its block's own */
		int64_t column = p->across + (p->is_row ? p->other->kb : 0), columns = p->is_row ? p->kr : p->kb;
		int64_t first = column / band->width, last = (column + columns - 1) / band->width;
		a.targets = last - first + 1;
		a.target_width = band->width;
		a.column = column - first * band->width;
		a.row = band->above + p->across + p->below - column;
		a.slant = 1;
		a.adjoint = p->is_row;
		for (int64_t h = first; h <= last; h++)
			buffers_add(&b, band->handles[h], STARPU_RW);
	} else {
		/* R(i,j) of a QR of the view goes to its own place, in the stored matrix at (j,i) if the view is the adjoint */
		int64_t rt = view_row_tile(&p->view), ct = view_column_tile(&p->view), row = p->across % rt, column = p->across % ct;
		a.targets = 1;
		a.target_width = INT32_MAX;
		a.row = p->view.adjoint ? column : row;
		a.column = p->view.adjoint ? row : column;
		a.adjoint = p->view.adjoint;
		buffers_add(&b, view_tile(&p->view, p->across / rt, p->across / ct), STARPU_RW);
	}
	for (int64_t l = 0; l < leaves; l++)
		buffers_add(&b, leaf[l], STARPU_RW);
	task_submit(to, flops(leaves, p->kb), &codelet, &a, sizeof(a), &b);
}

/* herk: C := alpha A A^H + beta C, or alpha A^H A + beta C, on a triangle of a symmetric or Hermitian tile.
 *   0  A  R
 *   1  C  RW  the triangle uplo of it                                                                        */
#include "codelets/host/blas.h"

#include <heddle/starpu.h>
#include "codelets/device/blas.h"
#include "codelets/device/tile.h"
#include "codelets/gpu.h"
#include "codelets/part.h"
#include "runtime/error.h"
#include "runtime/task.h"

struct args {
	heddle_uplo uplo;
	heddle_trans trans;
	real alpha, beta;
};

static void herk_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	int64_t k = a->trans == HEDDLE_NO_TRANS ? STARPU_MATRIX_GET_NY(buffers[0]) : STARPU_MATRIX_GET_NX(buffers[0]);

	CBLAS(BY_FIELD(syrk, herk))(CblasColMajor, cblas_uplo(a->uplo), cblas_trans(a->trans),
				    STARPU_MATRIX_GET_NX(buffers[1]), k, a->alpha, (const scalar *)STARPU_MATRIX_GET_PTR(buffers[0]),
				    STARPU_MATRIX_GET_LD(buffers[0]), a->beta, (scalar *)STARPU_MATRIX_GET_PTR(buffers[1]),
				    STARPU_MATRIX_GET_LD(buffers[1]));
}

#if WITH_GPU
/* W := alpha A A^H or alpha A^H A; C := W + beta C on the triangle */
GPU_TASK(herk_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	bool stands = a->trans != HEDDLE_NO_TRANS;
	int64_t k = stands ? STARPU_MATRIX_GET_NX(buffers[0]) : STARPU_MATRIX_GET_NY(buffers[0]), n = STARPU_MATRIX_GET_NX(buffers[1]);
	const scalar *x = (const scalar *)STARPU_MATRIX_GET_PTR(buffers[0]);
	int64_t ld = STARPU_MATRIX_GET_LD(buffers[0]);
	scalar *w = gpu_work(arg, (size_t)(n * n) * sizeof(*w));

	if (!w)
		return;
	NAME(gpu_gemm)(gpu_here(), stands ? HEDDLE_CONJ_TRANS : HEDDLE_NO_TRANS, stands ? HEDDLE_NO_TRANS : HEDDLE_CONJ_TRANS, n, n, k, a->alpha, x, ld,
		       x, ld, 0, w, n);
	NAME(gpu_add_triangle)(gpu_here(), a->uplo, false, n, 1, w, n, a->beta, (scalar *)STARPU_MATRIX_GET_PTR(buffers[1]),
			       STARPU_MATRIX_GET_LD(buffers[1]));
}
#endif

static double flops(double n, double k)
{
	return FLOPS_PER_PAIR * n * (n + 1) * k;
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("herk"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { herk_cpu },
	ON_GPU(herk_gpu)
	.nbuffers = 2,
	.modes = { STARPU_R, STARPU_RW },
	.name = TRACE_NAME("herk"),
	.model = &model,
};

int API(BY_FIELD(syrk_tile, herk_tile))(heddle_sequence *sequence, int priority, heddle_uplo uplo, heddle_trans trans, real alpha,
					starpu_data_handle_t A, real beta, starpu_data_handle_t C)
{
	struct submit to = { .sequence = sequence, .stage = STAGE_TILES, .priority = priority };
	struct args args = { .uplo = uplo, .trans = trans, .alpha = alpha, .beta = beta };
	bool stands = trans != HEDDLE_NO_TRANS;
	struct buffers list;

	CHECK_ARGUMENT(sequence, 1, "sequence", 0, "a sequence");
	CHECK_ARGUMENT(uplo_valid(uplo), 3, "uplo", uplo, "HEDDLE_UPPER or HEDDLE_LOWER");
	CHECK_ARGUMENT(trans_valid(trans) && !(IS_COMPLEX && trans == HEDDLE_TRANS), 4, "trans", trans,
		       "HEDDLE_NO_TRANS, HEDDLE_CONJ_TRANS or, with real elements, HEDDLE_TRANS");
	CHECK_ARGUMENT(tile_valid(A), 6, "A", 0, "a tile of the function's type");
	CHECK_ARGUMENT(tile_valid(C) && tile_rows(C, false) == tile_rows(C, true) && tile_rows(C, false) == tile_rows(A, stands), 8, "C", 0,
		       "a square tile of the function's type that fits A");
	buffers_init(&list);
	buffers_add(&list, A, STARPU_R);
	buffers_add(&list, C, STARPU_RW);
	task_submit(to, flops((double)tile_rows(C, false), (double)tile_rows(A, !stands)), &codelet, &args, sizeof(args), &list);
	return HEDDLE_OK;
}

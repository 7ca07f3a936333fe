/* gemm: C := alpha op(A) op(B) + beta C.
 *   0  A  R
 *   1  B  R
 *   2  C  RW, or W where beta = 0 and it is not read                                                        */
#include "codelets/host/blas.h"

#include <heddle/starpu.h>
#include "codelets/device/blas.h"
#include "codelets/gpu.h"
#include "codelets/part.h"
#include "runtime/error.h"
#include "runtime/task.h"

struct args {
	heddle_trans trans_a, trans_b;
	scalar alpha, beta;
};

static void gemm_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	int64_t k = a->trans_a == HEDDLE_NO_TRANS ? STARPU_MATRIX_GET_NY(buffers[0]) : STARPU_MATRIX_GET_NX(buffers[0]);

	gemm(cblas_trans(a->trans_a), cblas_trans(a->trans_b), STARPU_MATRIX_GET_NX(buffers[2]), STARPU_MATRIX_GET_NY(buffers[2]), k, a->alpha,
	     (const scalar *)STARPU_MATRIX_GET_PTR(buffers[0]), STARPU_MATRIX_GET_LD(buffers[0]), (const scalar *)STARPU_MATRIX_GET_PTR(buffers[1]),
	     STARPU_MATRIX_GET_LD(buffers[1]), a->beta, (scalar *)STARPU_MATRIX_GET_PTR(buffers[2]), STARPU_MATRIX_GET_LD(buffers[2]));
}

#if WITH_GPU
GPU_TASK(gemm_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	int64_t k = a->trans_a == HEDDLE_NO_TRANS ? STARPU_MATRIX_GET_NY(buffers[0]) : STARPU_MATRIX_GET_NX(buffers[0]);

	NAME(gpu_gemm)(gpu_here(), a->trans_a, a->trans_b, STARPU_MATRIX_GET_NX(buffers[2]), STARPU_MATRIX_GET_NY(buffers[2]), k, a->alpha,
		       (const scalar *)STARPU_MATRIX_GET_PTR(buffers[0]), STARPU_MATRIX_GET_LD(buffers[0]),
		       (const scalar *)STARPU_MATRIX_GET_PTR(buffers[1]), STARPU_MATRIX_GET_LD(buffers[1]), a->beta,
		       (scalar *)STARPU_MATRIX_GET_PTR(buffers[2]), STARPU_MATRIX_GET_LD(buffers[2]));
}
#endif

static double flops(double m, double n, double k)
{
	return FLOPS_PER_PAIR * 2 * m * n * k;
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("gemm"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { gemm_cpu },
	ON_GPU(gemm_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS, /* C's mode varies */
	.name = TRACE_NAME("gemm"),
	.model = &model,
};

void NAME(gemm)(struct submit to, heddle_trans trans_a, heddle_trans trans_b, scalar alpha, handle a, handle b, scalar beta, handle c)
{
	struct args args = { .trans_a = trans_a, .trans_b = trans_b, .alpha = alpha, .beta = beta };
	struct buffers list;

	buffers_init(&list);
	buffers_add(&list, a, STARPU_R);
	buffers_add(&list, b, STARPU_R);
	buffers_add(&list, c, beta == 0 ? STARPU_W : STARPU_RW);
	task_submit(to, flops((double)tile_rows(c, false), (double)tile_rows(c, true), (double)tile_rows(a, trans_a == HEDDLE_NO_TRANS)), &codelet,
		    &args, sizeof(args), &list);
}

int API(gemm_tile)(heddle_sequence *sequence, int priority, heddle_trans trans_a, heddle_trans trans_b, scalar alpha, starpu_data_handle_t A,
		   starpu_data_handle_t B, scalar beta, starpu_data_handle_t C)
{
	bool a_stands = trans_a != HEDDLE_NO_TRANS, b_stands = trans_b != HEDDLE_NO_TRANS;
	struct submit to = { .sequence = sequence, .stage = STAGE_TILES, .priority = priority };

	CHECK_ARGUMENT(sequence, 1, "sequence", 0, "a sequence");
	CHECK_ARGUMENT(trans_valid(trans_a), 3, "trans_a", trans_a, "HEDDLE_NO_TRANS, HEDDLE_TRANS or HEDDLE_CONJ_TRANS");
	CHECK_ARGUMENT(trans_valid(trans_b), 4, "trans_b", trans_b, "HEDDLE_NO_TRANS, HEDDLE_TRANS or HEDDLE_CONJ_TRANS");
	CHECK_ARGUMENT(tile_valid(A), 6, "A", 0, "a tile of the function's type");
	CHECK_ARGUMENT(tile_valid(B) && tile_rows(B, b_stands) == tile_rows(A, !a_stands), 7, "B", 0, "a tile of the function's type that fits A");
	CHECK_ARGUMENT(tile_valid(C) && tile_rows(C, false) == tile_rows(A, a_stands) && tile_rows(C, true) == tile_rows(B, !b_stands), 9, "C", 0,
		       "a tile of the function's type that fits A and B");
	NAME(gemm)(to, trans_a, trans_b, alpha, A, B, beta, C);
	return HEDDLE_OK;
}

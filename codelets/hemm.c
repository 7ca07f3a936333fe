/* hemm: Y := [Y +] C Z for a diagonal tile C of a symmetric or Hermitian matrix, of which only one triangle is read.
 *   0  Y  W if it is the first of the sum (nothing else in the piece is wanted then), else RW
 *   1  C  R   the tile
 *   2  Z  R                                                                                          */
#include "codelets/device/blas.h"
#include "codelets/device/tile.h"
#include "codelets/gpu.h"
#include "codelets/host/blas.h"
#include "codelets/part.h"
#include "runtime/task.h"

struct args {
	struct part y, c, z;
	heddle_uplo uplo;
	bool first;
};

static void hemm_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;

	CBLAS(BY_FIELD(symm, hemm))(CblasColMajor, CblasLeft, cblas_uplo(a->uplo), a->y.rows, a->y.columns,
				    BLAS_SCALAR(1), part_pointer(buffers[1], &a->c), STARPU_MATRIX_GET_LD(buffers[1]),
				    part_pointer(buffers[2], &a->z), STARPU_MATRIX_GET_LD(buffers[2]), BLAS_SCALAR(a->first ? 0 : 1),
				    part_pointer(buffers[0], &a->y), STARPU_MATRIX_GET_LD(buffers[0]));
}

#if WITH_GPU
/* A vendor's hemm is no faster than its gemm: the whole of C, by one pass over the triangle, and one product. */
GPU_TASK(hemm_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	int64_t n = a->y.rows;
	scalar *c = gpu_work(arg, (size_t)(n * n) * sizeof(*c));

	if (!c)
		return;
	NAME(gpu_hermitian_full)(gpu_here(), a->uplo, n, part_pointer(buffers[1], &a->c), STARPU_MATRIX_GET_LD(buffers[1]), c, n);
	NAME(gpu_gemm)(gpu_here(), HEDDLE_NO_TRANS, HEDDLE_NO_TRANS, n, a->y.columns, n, 1, c, n, part_pointer(buffers[2], &a->z),
		       STARPU_MATRIX_GET_LD(buffers[2]), a->first ? 0 : 1, part_pointer(buffers[0], &a->y), STARPU_MATRIX_GET_LD(buffers[0]));
}
#endif

static double flops(const struct args *a)
{
	return FLOPS_PER_PAIR * 2.0 * (double)a->c.rows * (double)a->c.columns * (double)a->y.columns;
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("hemm"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { hemm_cpu },
	ON_GPU(hemm_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS, /* Y's mode varies */
	.name = TRACE_NAME("hemm"),
	.model = &model,
};

void NAME(hemm)(struct submit to, struct part y, struct part c, heddle_uplo uplo, struct part z, bool first)
{
	struct args a = { .y = y, .c = c, .z = z, .uplo = uplo, .first = first };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, y.tile, first ? STARPU_W : STARPU_RW);
	buffers_add(&b, c.tile, STARPU_R);
	buffers_add(&b, z.tile, STARPU_R);
	task_submit(to, flops(&a), &codelet, &a, sizeof(a), &b);
}

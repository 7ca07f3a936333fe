/* her2k: C := C - V X^H - X V^H for a diagonal tile C of a symmetric or Hermitian matrix, of which only one triangle is touched.
 *   0  C        RW  the tile
 *   1  V and X  R   side by side, k columns each                                                             */
#include "codelets/device/blas.h"
#include "codelets/device/tile.h"
#include "codelets/gpu.h"
#include "codelets/host/blas.h"
#include "codelets/part.h"
#include "runtime/task.h"

struct args {
	struct part c, vx;
	heddle_uplo uplo;
	int64_t k;
};

static void her2k_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	int64_t ld = STARPU_MATRIX_GET_LD(buffers[1]);
	const scalar *v = part_pointer(buffers[1], &a->vx);

	CBLAS(BY_FIELD(syr2k, her2k))(CblasColMajor, cblas_uplo(a->uplo), CblasNoTrans, a->c.rows, a->k,
				      BLAS_SCALAR(-1), v, ld, v + a->k * ld, ld, 1, part_pointer(buffers[0], &a->c),
				      STARPU_MATRIX_GET_LD(buffers[0]));
}

#if WITH_GPU
/* W := V X^H, of as many operations as the update itself; C := C - W - W^H */
GPU_TASK(her2k_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	int64_t ld = STARPU_MATRIX_GET_LD(buffers[1]), n = a->c.rows;
	const scalar *v = part_pointer(buffers[1], &a->vx);
	scalar *w = gpu_work(arg, (size_t)(n * n) * sizeof(*w));

	if (!w)
		return;
	NAME(gpu_gemm)(gpu_here(), HEDDLE_NO_TRANS, HEDDLE_CONJ_TRANS, n, n, a->k, 1, v, ld, v + a->k * ld, ld, 0, w, n);
	NAME(gpu_add_triangle)(gpu_here(), a->uplo, true, n, -1, w, n, 1, part_pointer(buffers[0], &a->c), STARPU_MATRIX_GET_LD(buffers[0]));
}
#endif

static double flops(const struct args *a)
{
	return FLOPS_PER_PAIR * 2.0 * (double)a->c.rows * (double)a->c.rows * (double)a->k;
}

static struct starpu_perfmodel model = { .type = STARPU_HISTORY_BASED, .symbol = TRACE_NAME("her2k"), .footprint = task_footprint };
static struct starpu_codelet codelet = {
	.cpu_funcs = { her2k_cpu },
	ON_GPU(her2k_gpu)
	.nbuffers = 2,
	.modes = { STARPU_RW, STARPU_R },
	.name = TRACE_NAME("her2k"),
	.model = &model,
};

void NAME(her2k)(struct submit to, struct part c, heddle_uplo uplo, struct part vx, int64_t k)
{
	struct args a = { .c = c, .vx = vx, .uplo = uplo, .k = k };
	struct buffers b;

	buffers_init(&b);
	buffers_add(&b, c.tile, STARPU_RW);
	buffers_add(&b, vx.tile, STARPU_R);
	task_submit(to, flops(&a), &codelet, &a, sizeof(a), &b);
}

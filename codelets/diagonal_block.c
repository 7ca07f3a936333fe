/* diagonal_block: a diagonal block of a Hermitian matrix goes to the band, B(p+i, p+j) := A(p+i, p+j) for 0 <= j <= i < k; the diagonal's
 * imaginary part is taken to be zero.
 *   0 ..  band   RW  the handles that hold columns p .. p+k-1
 *   then  tiles  R   of A's lower triangle that hold some of the block, column by column                     */
#include "codelets/device/tile.h"
#include "codelets/gpu.h"
#include "codelets/part.h"
#include "runtime/task.h"

struct args {
	int64_t p, k;
	int64_t targets, target_width, above; /* handles of the band, their columns, storage row of the diagonal */
	int64_t tile, tiles;                  /* order of a tile, tiles along the block */
	bool adjoint;                         /* they hold the adjoint of the lower triangle */
};

static scalar element(const struct args *a, void *buffer, int64_t i, int64_t j)
{
	const scalar *x = (const scalar *)STARPU_MATRIX_GET_PTR(buffer);
	int64_t ld = STARPU_MATRIX_GET_LD(buffer);

	i %= a->tile;
	j %= a->tile;
	return a->adjoint ? conjugate(x[j + i * ld]) : x[i + j * ld];
}

static void diagonal_block_cpu(void *buffers[], void *arg)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	int64_t first_handle = a->p / a->target_width, first_tile = a->p / a->tile;

	for (int64_t j = a->p; j < a->p + a->k; j++) {
		void *target = buffers[j / a->target_width - first_handle];
		scalar *column = (scalar *)STARPU_MATRIX_GET_PTR(target) + j % a->target_width * (int64_t)STARPU_MATRIX_GET_LD(target) + a->above;
		/* tiles of the columns before, less those above this one's first */
		int64_t tj = j / a->tile - first_tile, before = tj * a->tiles - tj * (tj + 1) / 2;
		for (int64_t i = j; i < a->p + a->k; i++)
			column[i - j] = element(a, buffers[a->targets + before + i / a->tile - first_tile], i, j);
		column[0] = real_part(column[0]);
	}
}

#if WITH_GPU
/* Rows i0 .. i1-1 of columns j0 .. j1-1, which lie in one tile and one handle, those on and below the diagonal: a trapezoid that begins
 * on the diagonal, or a rectangle below it. */
static void copy_piece(const struct args *a, void *buffer, int64_t i0, int64_t i1, int64_t j0, int64_t j1, scalar *to, int64_t ld_to)
{
	int64_t ld = STARPU_MATRIX_GET_LD(buffer), i = i0 % a->tile, j = j0 % a->tile, rows = i1 - i0, columns = j1 - j0;
	const scalar *from = (const scalar *)STARPU_MATRIX_GET_PTR(buffer) + (a->adjoint ? j + i * ld : i + j * ld);

	if (a->adjoint) {
		int64_t m = rows;
		rows = columns;
		columns = m;
	}
	if (i0 < j1)
		NAME(gpu_copy_hermitian_part)(gpu_here(), a->adjoint ? HEDDLE_UPPER : HEDDLE_LOWER, a->adjoint, rows, columns, from, ld, to, ld_to);
	else if (a->adjoint)
		NAME(gpu_copy_adjoint)(gpu_here(), rows, columns, from, ld, to, ld_to);
	else
		NAME(gpu_copy)(gpu_here(), rows, columns, from, ld, to, ld_to);
}

/* The band's columns slant: seen with a stride of one less they are a dense matrix. */
GPU_TASK(diagonal_block_gpu)
{
	const struct args *a = task_begin(arg);
	if (!a)
		return;
	int64_t first_handle = a->p / a->target_width, first_tile = a->p / a->tile, end = a->p + a->k;

	for (int64_t j0 = a->p, j1; j0 < end; j0 = j1) {
		int64_t next_handle = (j0 / a->target_width + 1) * a->target_width, next_tile = (j0 / a->tile + 1) * a->tile;
		j1 = next_handle < next_tile ? next_handle : next_tile;
		j1 = j1 < end ? j1 : end;
		void *target = buffers[j0 / a->target_width - first_handle];
		int64_t ld = STARPU_MATRIX_GET_LD(target), tj = j0 / a->tile - first_tile, before = tj * a->tiles - tj * (tj + 1) / 2;
		scalar *column = (scalar *)STARPU_MATRIX_GET_PTR(target) + j0 % a->target_width * ld + a->above;
		for (int64_t i0 = j0, i1; i0 < end; i0 = i1) {
			i1 = (i0 / a->tile + 1) * a->tile;
			i1 = i1 < end ? i1 : end;
			copy_piece(a, buffers[a->targets + before + i0 / a->tile - first_tile], i0, i1, j0, j1, column + i0 - j0, ld - 1);
		}
	}
}
#endif

static struct starpu_perfmodel model = {
	.type = STARPU_HISTORY_BASED,
	.symbol = TRACE_NAME("diagonal_block"),
	.footprint = task_footprint,
};
static struct starpu_codelet codelet = {
	.cpu_funcs = { diagonal_block_cpu },
	ON_GPU(diagonal_block_gpu)
	.nbuffers = STARPU_VARIABLE_NBUFFERS,
	.name = TRACE_NAME("diagonal_block"),
	.model = &model,
};

void NAME(diagonal_block)(struct submit to, const heddle_band *band, const struct view *view, int64_t p, int64_t k)
{
	int64_t tile = view_row_tile(view), t0 = p / tile, t1 = (p + k - 1) / tile, h0 = p / band->width, h1 = (p + k - 1) / band->width;
	struct args a = { .p = p, .k = k, .targets = h1 - h0 + 1, .target_width = band->width, .above = band->above, .tile = tile,
			  .tiles = t1 - t0 + 1, .adjoint = view->adjoint };
	struct buffers b;

	buffers_init(&b);
	for (int64_t h = h0; h <= h1; h++)
		buffers_add(&b, band->handles[h], STARPU_RW);
	for (int64_t j = t0; j <= t1; j++)
		for (int64_t i = j; i <= t1; i++)
			buffers_add(&b, view_tile(view, i, j), STARPU_R);
	task_submit(to, 0, &codelet, &a, sizeof(a), &b);
}

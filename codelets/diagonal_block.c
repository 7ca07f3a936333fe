/* diagonal_block: a diagonal block of a Hermitian matrix goes to the band, B(p+i, p+j) := A(p+i, p+j) for 0 <= j <= i < k; the diagonal's
 * imaginary part is taken to be zero.
 *   0 ..  band   RW  the handles that hold columns p .. p+k-1
 *   then  tiles  R   of A's lower triangle that hold some of the block, column by column                     */
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

static struct starpu_perfmodel model = {
	.type = STARPU_HISTORY_BASED,
	.symbol = TRACE_NAME("diagonal_block"),
	.footprint = task_footprint,
};
static struct starpu_codelet codelet = {
	.cpu_funcs = { diagonal_block_cpu },
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

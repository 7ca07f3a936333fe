#include <limits.h>
#include <stdlib.h>
#include <heddle/starpu.h>
#include "runtime/error.h"
#include "runtime/matrix.h"
#include "runtime/runtime.h"

static bool type_valid(heddle_type type)
{
	return type == HEDDLE_S || type == HEDDLE_D || type == HEDDLE_C || type == HEDDLE_Z;
}

size_t type_size(heddle_type type)
{
	switch (type) {
	case HEDDLE_S:
		return sizeof(float);
	case HEDDLE_D:
		return sizeof(double);
	case HEDDLE_C:
		return sizeof(float _Complex);
	case HEDDLE_Z:
		return sizeof(double _Complex);
	}
	return 0;
}

heddle_type type_real(heddle_type type)
{
	return type == HEDDLE_S || type == HEDDLE_C ? HEDDLE_S : HEDDLE_D;
}

/* Transfers from and to memory that is not locked wait for the device, and are half as fast.  Locking takes about as long as one
 * transfer, so it pays where much is moved. */
static void pin(heddle_matrix *x, char *a, int64_t lda)
{
	const size_t worthwhile = (size_t)8 << 20;
	size_t bytes = (size_t)((x->n - 1) * lda + x->m) * type_size(x->type);

	if (bytes >= worthwhile && runtime_gpus() > 0 && starpu_memory_pin(a, bytes) == 0) {
		x->pinned = a;
		x->pinned_bytes = bytes;
	}
}

/* Tiles on a (home: main memory), or with a = NULL temporary ones. */
static heddle_matrix *create(heddle_type type, int64_t m, int64_t n, char *a, int64_t lda, int64_t mb, int64_t nb)
{
	size_t size = type_size(type);
	heddle_matrix *x = malloc(sizeof(*x));

	if (!x)
		return NULL;
	*x = (heddle_matrix){ .type = type, .m = m, .n = n, .mb = mb, .nb = nb, .temporary = !a };
	if (m > 0 && n > 0) {
		x->mt = (m + mb - 1) / mb;
		x->nt = (n + nb - 1) / nb;
	}
	x->tiles = malloc((size_t)(x->mt * x->nt + 1) * sizeof(x->tiles[0]));
	if (!x->tiles) {
		free(x);
		return NULL;
	}
	if (a && x->mt > 0)
		pin(x, a, lda);
	for (int64_t j = 0; j < x->nt; j++)
		for (int64_t i = 0; i < x->mt; i++) {
			int64_t rows = least(mb, m - i * mb), columns = least(nb, n - j * nb);
			char *corner = a ? a + (size_t)(i * mb + j * nb * lda) * size : NULL;
			starpu_matrix_data_register(&x->tiles[i + j * x->mt], a ? STARPU_MAIN_RAM : -1, (uintptr_t)corner,
						    (uint32_t)(a ? lda : rows), (uint32_t)rows, (uint32_t)columns, size);
		}
	return x;
}

int heddle_matrix_create(heddle_matrix **matrix, heddle_type type, int64_t m, int64_t n, void *a, int64_t lda, int64_t nb)
{
	CHECK_ARGUMENT(matrix, 1, "matrix", 0, "a pointer");
	CHECK_ARGUMENT(type_valid(type), 2, "type", type, "HEDDLE_S, HEDDLE_D, HEDDLE_C or HEDDLE_Z");
	CHECK_ARGUMENT(m >= 0 && m <= INT_MAX, 3, "m", m, "0 .. 2^31 - 1");
	CHECK_ARGUMENT(n >= 0 && n <= INT_MAX, 4, "n", n, "0 .. 2^31 - 1");
	CHECK_ARGUMENT(a || m == 0 || n == 0, 5, "a", 0, "a pointer");
	CHECK_ARGUMENT(lda >= (m > 1 ? m : 1) && lda <= INT_MAX, 6, "lda", lda, "at least max(1, m), at most 2^31 - 1");
	CHECK_ARGUMENT(nb >= 0 && nb <= INT_MAX, 7, "nb", nb, "0 or a tile size");
	if (!runtime_running())
		return error_set(HEDDLE_ERUNTIME, "heddle_matrix_create: Heddle is not running (call heddle_start first)");
	if (nb == 0) {
		heddle_options options = { 0 };
		heddle_svd_options(type, m, n, &options);
		nb = options.tile;
	}
	*matrix = create(type, m, n, a, lda, nb, nb);
	return *matrix ? HEDDLE_OK : error_set(HEDDLE_ENOMEM, "heddle_matrix_create: no memory");
}

void heddle_matrix_destroy(heddle_matrix *matrix)
{
	if (!matrix)
		return;
	runtime_fetch_begin();
	for (int64_t i = 0; i < matrix->mt * matrix->nt; i++)
		starpu_data_unregister(matrix->tiles[i]);
	if (matrix->pinned)
		starpu_memory_unpin(matrix->pinned, matrix->pinned_bytes);
	runtime_fetch_end();
	free(matrix->tiles);
	free(matrix);
}

heddle_matrix *matrix_temporary(heddle_type type, int64_t m, int64_t n, int64_t mb, int64_t nb)
{
	return create(type, m, n, NULL, 0, mb, nb);
}

heddle_matrix *matrix_on(heddle_type type, int64_t m, int64_t n, void *a, int64_t lda, int64_t mb, int64_t nb)
{
	return create(type, m, n, a, lda, mb, nb);
}

void matrix_release(heddle_matrix *matrix)
{
	if (!matrix)
		return;
	for (int64_t i = 0; i < matrix->mt * matrix->nt; i++)
		starpu_data_unregister_submit(matrix->tiles[i]);
	free(matrix->tiles);
	free(matrix);
}

int64_t heddle_matrix_tile_rows(const heddle_matrix *matrix)
{
	return matrix ? matrix->mt : 0;
}

int64_t heddle_matrix_tile_columns(const heddle_matrix *matrix)
{
	return matrix ? matrix->nt : 0;
}

starpu_data_handle_t heddle_matrix_tile(const heddle_matrix *matrix, int64_t i, int64_t j)
{
	if (!matrix || i < 0 || j < 0 || i >= matrix->mt || j >= matrix->nt)
		return NULL;
	runtime_share(); /* whoever asks for a handle submits tasks */
	return matrix_tile(matrix, i, j);
}

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <starpu.h>
#include "runtime/band.h"
#include "runtime/error.h"
#include "runtime/runtime.h"

enum { DEFAULT_WIDTH = 4, LEAST_WIDTH = 64, ALIGNMENT = 64, LARGE_PAGE = 1 << 21 };

/* Zeroed storage of n columns, aligned to whole vectors of any instruction set; NULL if there is no memory.  The chase goes through it
 * with a stride of a column: large bands are to lie in large pages, without which it takes 1.4 times as long. */
static void *zeroed(int64_t n, int64_t ld, size_t size)
{
	size_t bytes;
	void *p;

	if (__builtin_mul_overflow((size_t)(n + 1) * size, (size_t)ld, &bytes) ||
	    posix_memalign(&p, bytes < LARGE_PAGE ? ALIGNMENT : LARGE_PAGE, bytes) != 0)
		return NULL;
#ifdef MADV_HUGEPAGE
	if (bytes >= LARGE_PAGE)
		madvise(p, bytes, MADV_HUGEPAGE);
#endif
	return memset(p, 0, bytes);
}

/* room_above and room are the rows above the diagonal and in all; there is a cache line more at both ends. */
static heddle_band *create(heddle_band shape, int64_t kd, int64_t room_above, int64_t room, int64_t width)
{
	int64_t line = ALIGNMENT / (int64_t)type_size(shape.type), n = shape.n;
	heddle_band *b = malloc(sizeof(*b));

	if (!b)
		return NULL;
	int64_t usual = DEFAULT_WIDTH * kd > LEAST_WIDTH ? DEFAULT_WIDTH * kd : LEAST_WIDTH;
	*b = shape;
	b->kd = kd;
	b->width = width > 0 ? width : usual;
	/* A cache line more at both ends, for whole vectors.  The stride of the dense view, ld - 1, is an odd number of lines: its
	 * columns are aligned alike and spread over all cache sets. */
	b->above = room_above + line;
	b->ld = ((room + 3 * line - 1) / line | 1) * line + 1;
	b->count = (n + b->width - 1) / b->width;
	b->handles = malloc((size_t)(b->count + 1) * sizeof(b->handles[0]));
	b->data = zeroed(n, b->ld, type_size(shape.type));
	if (!b->handles || !b->data) {
		free(b->handles);
		free(b->data);
		free(b);
		return NULL;
	}
	for (int64_t h = 0; h < b->count; h++) {
		int64_t columns = least(b->width, n - h * b->width);
		char *first = (char *)b->data + (size_t)(h * b->width * b->ld) * type_size(b->type);
		starpu_matrix_data_register(&b->handles[h], STARPU_MAIN_RAM, (uintptr_t)first, (uint32_t)b->ld, (uint32_t)b->ld,
					    (uint32_t)columns, type_size(b->type));
	}
	return b;
}

/* Beyond the matrix there is nothing; a diagonal matrix is a bidiagonal or tridiagonal one. */
static int64_t width_of(int64_t n, int64_t kd)
{
	kd = least(kd, n - 1);
	return kd > 0 ? kd : 1;
}

heddle_band *band_new(heddle_type type, int64_t n, int64_t kd, int64_t width)
{
	heddle_band shape = { .type = type, .uplo = HEDDLE_UPPER, .n = n, .stored = kd };
	int64_t b = width_of(n, kd);

	return create(shape, b, 2 * b, 3 * b, width);
}

heddle_band *band_new_hermitian(heddle_type type, heddle_uplo uplo, int64_t n, int64_t kd, int64_t width)
{
	heddle_band shape = { .type = type, .hermitian = true, .uplo = uplo, .n = n, .stored = kd };
	int64_t b = width_of(n, kd);

	return create(shape, b, 0, 2 * b, width);
}

int heddle_band_create(heddle_band **band, heddle_type type, int64_t n, int64_t kd)
{
	CHECK_ARGUMENT(band, 1, "band", 0, "a pointer");
	CHECK_ARGUMENT(type_size(type) > 0, 2, "type", type, "HEDDLE_S, HEDDLE_D, HEDDLE_C or HEDDLE_Z");
	CHECK_ARGUMENT(n >= 0 && n <= INT_MAX, 3, "n", n, "0 .. 2^31 - 1");
	CHECK_ARGUMENT(kd >= 0 && kd <= INT_MAX / 4, 4, "kd", kd, "0 .. 2^29");
	if (!runtime_running())
		return error_set(HEDDLE_ERUNTIME, "heddle_band_create: Heddle is not running (call heddle_start first)");
	*band = band_new(type, n, kd, 0);
	return *band ? HEDDLE_OK : error_set(HEDDLE_ENOMEM, "heddle_band_create: no memory");
}

int heddle_band_create_hermitian(heddle_band **band, heddle_type type, heddle_uplo uplo, int64_t n, int64_t kd)
{
	CHECK_ARGUMENT(band, 1, "band", 0, "a pointer");
	CHECK_ARGUMENT(type_size(type) > 0, 2, "type", type, "HEDDLE_S, HEDDLE_D, HEDDLE_C or HEDDLE_Z");
	CHECK_ARGUMENT(uplo == HEDDLE_UPPER || uplo == HEDDLE_LOWER, 3, "uplo", uplo, "HEDDLE_UPPER or HEDDLE_LOWER");
	CHECK_ARGUMENT(n >= 0 && n <= INT_MAX, 4, "n", n, "0 .. 2^31 - 1");
	CHECK_ARGUMENT(kd >= 0 && kd <= INT_MAX / 4, 5, "kd", kd, "0 .. 2^29");
	if (!runtime_running())
		return error_set(HEDDLE_ERUNTIME, "heddle_band_create_hermitian: Heddle is not running (call heddle_start first)");
	*band = band_new_hermitian(type, uplo, n, kd, 0);
	return *band ? HEDDLE_OK : error_set(HEDDLE_ENOMEM, "heddle_band_create_hermitian: no memory");
}

/* Column j of an upper band, or of a lower one stored as such: as it lies in memory. */
static void copy_column(heddle_band *band, int64_t j, char *ab, int64_t ldab, bool to_band)
{
	int64_t kd = band->stored, rows = least(band->hermitian ? band->n - 1 - j : j, kd) + 1;
	size_t size = type_size(band->type);
	char *ours = (char *)band->data + (size_t)(j * band->ld + band->above) * size, *theirs = ab + (size_t)(j * ldab) * size;

	if (!band->hermitian) {
		ours -= (size_t)(rows - 1) * size;
		theirs += (size_t)(kd - rows + 1) * size;
	}
	memcpy(to_band ? ours : theirs, to_band ? theirs : ours, (size_t)rows * size);
}

/* Row j of an upper triangle and column j of the lower one are each other's adjoint. */
static void copy_adjoint(heddle_band *band, int64_t j, char *ab, int64_t ldab, bool to_band)
{
	int64_t kd = band->stored, rows = least(band->n - 1 - j, kd) + 1;
	size_t size = type_size(band->type);

	for (int64_t i = 0; i < rows; i++) {
		char *ours = (char *)band->data + (size_t)(j * band->ld + band->above + i) * size;
		char *theirs = ab + (size_t)((j + i) * ldab + kd - i) * size, *to = to_band ? ours : theirs;
		memcpy(to, to_band ? theirs : ours, size);
		if (i == 0) /* real */
			continue;
		if (band->type == HEDDLE_C)
			((float *)to)[1] *= -1;
		else if (band->type == HEDDLE_Z)
			((double *)to)[1] *= -1;
	}
}

static void clear_imaginary_diagonal(heddle_band *band)
{
	if (type_real(band->type) == band->type)
		return;
	for (int64_t j = 0; j < band->n; j++) {
		int64_t at = j * band->ld + band->above;
		if (band->type == HEDDLE_C)
			((float *)band->data)[2 * at + 1] = 0;
		else if (band->type == HEDDLE_Z)
			((double *)band->data)[2 * at + 1] = 0;
	}
}

/* Copy the stored part of the band between the object and LAPACK storage. */
static void copy(heddle_band *band, char *ab, int64_t ldab, bool to_band)
{
	runtime_fetch_begin();
	for (int64_t h = 0; h < band->count; h++)
		starpu_data_acquire(band->handles[h], to_band ? STARPU_RW : STARPU_R);
	if (to_band) /* a chase that was cancelled leaves bulges */
		memset(band->data, 0, (size_t)(band->n * band->ld) * type_size(band->type));
	for (int64_t j = 0; j < band->n; j++)
		(band->hermitian && band->uplo == HEDDLE_UPPER ? copy_adjoint : copy_column)(band, j, ab, ldab, to_band);
	if (to_band && band->hermitian)
		clear_imaginary_diagonal(band);
	for (int64_t h = 0; h < band->count; h++)
		starpu_data_release(band->handles[h]);
	runtime_fetch_end();
}

int heddle_band_set(heddle_band *band, const void *ab, int64_t ldab)
{
	CHECK_ARGUMENT(band, 1, "band", 0, "a band");
	CHECK_ARGUMENT(ab || band->n == 0, 2, "ab", 0, "a pointer");
	CHECK_ARGUMENT(ldab > band->stored, 3, "ldab", ldab, "more than kd");
	copy(band, (char *)(uintptr_t)ab, ldab, true);
	return HEDDLE_OK;
}

int heddle_band_get(heddle_band *band, void *ab, int64_t ldab)
{
	CHECK_ARGUMENT(band, 1, "band", 0, "a band");
	CHECK_ARGUMENT(ab || band->n == 0, 2, "ab", 0, "a pointer");
	CHECK_ARGUMENT(ldab > band->stored, 3, "ldab", ldab, "more than kd");
	copy(band, ab, ldab, false);
	return HEDDLE_OK;
}

void heddle_band_destroy(heddle_band *band)
{
	if (!band)
		return;
	runtime_fetch_begin();
	for (int64_t h = 0; h < band->count; h++)
		starpu_data_unregister(band->handles[h]);
	runtime_fetch_end();
	free(band->handles);
	free(band->data);
	free(band);
}

static void destroy(void *band)
{
	heddle_band_destroy(band);
}

void band_release(heddle_sequence *sequence, heddle_band *band)
{
	if (band && sequence_at_end(sequence, destroy, band) != HEDDLE_OK)
		heddle_band_destroy(band); /* waits, but frees */
}

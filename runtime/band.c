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

heddle_band *band_new(heddle_type type, int64_t n, int64_t kd, int64_t width)
{
	size_t size = type_size(type);
	int64_t line = ALIGNMENT / (int64_t)size, stored = kd;
	heddle_band *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	kd = least(kd, n - 1); /* beyond the matrix there is nothing */
	kd = kd > 0 ? kd : 1;  /* a diagonal matrix is a bidiagonal one */
	int64_t usual = DEFAULT_WIDTH * kd > LEAST_WIDTH ? DEFAULT_WIDTH * kd : LEAST_WIDTH;
	*b = (heddle_band){ .type = type, .n = n, .kd = kd, .stored = stored, .width = width > 0 ? width : usual };
	/* A cache line more at both ends, for whole vectors.  The stride of the dense view, ld - 1, is an odd number of lines: its
	 * columns are aligned alike and spread over all cache sets. */
	b->above = 2 * kd + line;
	b->ld = ((3 * kd + 3 * line - 1) / line | 1) * line + 1;
	b->count = (n + b->width - 1) / b->width;
	b->handles = malloc((size_t)(b->count + 1) * sizeof(b->handles[0]));
	b->data = zeroed(n, b->ld, size);
	if (!b->handles || !b->data) {
		free(b->handles);
		free(b->data);
		free(b);
		return NULL;
	}
	for (int64_t h = 0; h < b->count; h++) {
		int64_t columns = least(b->width, n - h * b->width);
		char *first = (char *)b->data + (size_t)(h * b->width * b->ld) * size;
		starpu_matrix_data_register(&b->handles[h], STARPU_MAIN_RAM, (uintptr_t)first, (uint32_t)b->ld, (uint32_t)b->ld,
					    (uint32_t)columns, size);
	}
	return b;
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

/* Copy the stored part of the band between the object and LAPACK storage. */
static void copy(heddle_band *band, char *ab, int64_t ldab, bool to_band)
{
	int64_t kd = band->stored;
	size_t size = type_size(band->type);

	runtime_fetch_begin();
	for (int64_t h = 0; h < band->count; h++)
		starpu_data_acquire(band->handles[h], to_band ? STARPU_RW : STARPU_R);
	if (to_band) /* a chase that was cancelled leaves bulges */
		memset(band->data, 0, (size_t)(band->n * band->ld) * size);
	for (int64_t j = 0; j < band->n; j++) {
		int64_t rows = least(j, kd) + 1;
		char *ours = (char *)band->data + (size_t)(j * band->ld + band->above - rows + 1) * size;
		char *theirs = ab + (size_t)(j * ldab + kd - rows + 1) * size;
		memcpy(to_band ? ours : theirs, to_band ? theirs : ours, (size_t)rows * size);
	}
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

/* One reader a format, and what they share. */
#ifndef HEDDLE_TOOLS_IO_READERS_H
#define HEDDLE_TOOLS_IO_READERS_H

#include "tools/io/source.h"

/* Read the matrix that begins at the source, to its end.  type as for matrix_read.  Return 0, or -1 with the error filled; *out
 * then holds nothing, or a part that the caller frees. */
int market_read(struct source *s, heddle_type type, struct dense *out);
int npy_read(struct source *s, heddle_type type, struct dense *out);
int csv_read(struct source *s, heddle_type type, struct dense *out);

/* matrix_read of `size` bytes in memory, for matrices of at most `memory` bytes. */
int matrix_read_memory(const void *bytes, size_t size, const char *name, heddle_type type, int64_t memory, struct dense *out,
	struct io_error *error);

/* Whether a matrix of the type has complex, or single precision elements. */
bool type_is_complex(heddle_type type);
bool type_is_single(heddle_type type);
const char *precision_name(heddle_type type);

/* The type to read into, of the one wanted (0: any) and the file's own, which is complex or not.  Returns 0, or -1 with the
 * error, at the source's line or byte, where a complex file meets a real type. */
int choose_type(const struct source *s, heddle_type wanted, heddle_type own, heddle_type *type);

/* dense_allocate within the source's memory; the error names the source's line or, in a binary file, its offset. */
int source_allocate(const struct source *s, struct dense *d, heddle_type type, int64_t m, int64_t n);

/* Element `at` (counted down the columns) := re + i im. */
static inline void dense_set(struct dense *d, int64_t at, double re, double im)
{
	switch (d->type) {
	case HEDDLE_S:
		((float *)d->a)[at] = (float)re;
		break;
	case HEDDLE_D:
		((double *)d->a)[at] = re;
		break;
	case HEDDLE_C:
		((float *)d->a)[2 * at] = (float)re;
		((float *)d->a)[2 * at + 1] = (float)im;
		break;
	default:
		((double *)d->a)[2 * at] = re;
		((double *)d->a)[2 * at + 1] = im;
	}
}

struct number {
	double re, im;
};

static inline struct number dense_get(const struct dense *d, int64_t at)
{
	switch (d->type) {
	case HEDDLE_S:
		return (struct number){ (double)((const float *)d->a)[at], 0 };
	case HEDDLE_D:
		return (struct number){ ((const double *)d->a)[at], 0 };
	case HEDDLE_C:
		return (struct number){ (double)((const float *)d->a)[2 * at], (double)((const float *)d->a)[2 * at + 1] };
	default:
		return (struct number){ ((const double *)d->a)[2 * at], ((const double *)d->a)[2 * at + 1] };
	}
}

/* Put r rows of c elements each, stored one after the other in the type of *d, at row i and column j of *d. */
void dense_set_rows(struct dense *d, int64_t i, int64_t j, int64_t r, int64_t c, const void *rows);

#endif

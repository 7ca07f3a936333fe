/* From one element type to another that holds more. */
#include "tools/io/memory.h"
#include "tools/io/readers.h"

heddle_type type_of_both(heddle_type a, heddle_type b)
{
	bool single = type_is_single(a) && type_is_single(b);
	if (type_is_complex(a) || type_is_complex(b))
		return single ? HEDDLE_C : HEDDLE_Z;
	return single ? HEDDLE_S : HEDDLE_D;
}

int matrix_widen(struct dense *d, heddle_type type, struct io_error *error)
{
	struct dense wide;
	char why[200];
	if (d->type == type)
		return 0;
	if (dense_allocate(&wide, type, d->m, d->n, memory_available(""), why, sizeof why)) {
		snprintf(error->text, sizeof error->text, "%s", why);
		return -1;
	}
	for (int64_t at = 0; at < d->m * d->n; at++) {
		const struct number x = dense_get(d, at);
		dense_set(&wide, at, x.re, x.im);
	}
	dense_free(d);
	*d = wide;
	return 0;
}

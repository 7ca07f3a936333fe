/* Singular values of a bidiagonal: one task prepares, independent ones search equal parts of the values, one collects them. */
#include "algorithms/algorithms.h"

#include <stdlib.h>
#include <heddle/svd.h>
#include "algorithms/blocking.h"
#include "codelets/host/bidiagonal.h"
#include "runtime/error.h"
#include "runtime/runtime.h"

static const heddle_select everything = { .kind = HEDDLE_ALL };

/* A few parts for each worker, since they do not take the same time; but the search for a value is cheaper where many are
 * searched together: 48 take 1.8 times as long for each as 1024, 256 take 1.15 times, 512 take 1.06 times. */
static int64_t parts_of(int64_t room)
{
	enum { LARGEST = 1024, LARGE = 512, MEDIUM = 256, SMALLEST = 48 };
	int64_t workers = runtime_workers(), size = room / (4 * workers);

	if (size < LARGE)
		size = room / (2 * workers);
	if (size < MEDIUM)
		size = room / workers;
	size = size > LARGEST ? LARGEST : size < SMALLEST ? SMALLEST : size;
	return (room + size - 1) / size;
}

int NAME(bd_vals_submit)(struct submit to, heddle_matrix *d, heddle_matrix *e, const heddle_select *select, heddle_matrix *s,
			 int64_t *found, handle scale)
{
	select = select ? select : &everything;
	int64_t n = d->m, room = select_room(select, n), parts = parts_of(room);
	int64_t rows = n + (int64_t)(sizeof(struct bidiagonal) / sizeof(double)), longest = (room + parts - 1) / parts;
	heddle_matrix *work = matrix_temporary(HEDDLE_D, rows, BIDIAGONAL_DOUBLES, rows, BIDIAGONAL_DOUBLES);
	heddle_matrix *values = matrix_temporary(TYPE, longest, parts, longest, 1);

	if (work && values) {
		NAME(bd_prepare)(to, matrix_tile(work, 0, 0), d, e, scale, select, found);
		for (int64_t p = 0; p < parts; p++)
			NAME(bisect)(to, n, matrix_tile(work, 0, 0), p, parts, room, matrix_tile(values, 0, p));
		NAME(bd_collect)(to, matrix_tile(work, 0, 0), values, s, room, select->kind != HEDDLE_VALUE);
	}
	int code = work && values ? HEDDLE_OK : HEDDLE_ENOMEM;
	matrix_release(work);
	matrix_release(values);
	return code;
}

int API(bd_vals_async)(heddle_sequence *sequence, heddle_matrix *d, heddle_matrix *e, const heddle_select *select, heddle_matrix *s,
		       int64_t *found, const heddle_options *options)
{
	CHECK_ARGUMENT(sequence, 1, "sequence", 0, "a sequence");
	CHECK_ARGUMENT(d && d->type == TYPE && (d->n == 1 || d->m == 0), 2, "d", d ? d->n : 0,
		       "a one-column matrix of the function's type");
	int64_t n = d->m;
	CHECK_ARGUMENT((e || n <= 1) && (!e || (e->type == TYPE && e->m >= n - 1 && (e->n == 1 || n <= 1))), 3, "e",
		       e ? e->m : 0, "a one-column matrix of the function's type with at least n - 1 rows");
	int code = check_select(__func__, 4, select, n);
	if (code != HEDDLE_OK)
		return code;
	int64_t room = select_room(select, n);
	CHECK_ARGUMENT((s || room == 0) && (!s || (s->type == TYPE && s->m >= room && (s->n == 1 || room == 0))), 5, "s",
		       s ? s->m : 0, "a one-column matrix of the function's type with room for the values");
	code = check_options(__func__, 7, options);
	if (code != HEDDLE_OK)
		return code;
	code = check_running(__func__);
	if (code != HEDDLE_OK)
		return code;
	if (n == 0) {
		if (found)
			*found = 0;
		return HEDDLE_OK;
	}
	struct submit to = { .sequence = sequence, .stage = STAGE_VALUES, .priority = options ? options->priority : 0 };
	code = NAME(bd_vals_submit)(to, d, e, select, s, found, NULL);
	if (code == HEDDLE_OK)
		return code;
	sequence_fail(sequence, code);
	return error_set(code, "%s: no memory", __func__);
}

/* In the calling thread. */
static int direct(int64_t n, const real *d, const real *e, const heddle_select *select, int64_t *found, real *s)
{
	struct bidiagonal *b = malloc(bidiagonal_bytes(n));

	if (!b)
		return HEDDLE_ENOMEM;
	b->n = n;
	for (int64_t k = 0; k < n; k++) {
		bidiagonal_entries(b)[2 * k] = k > 0 ? (double)e[k - 1] : 0;
		bidiagonal_entries(b)[2 * k + 1] = (double)d[k];
	}
	int code = NAME(bidiagonal_prepare)(b, 1, select);
	if (code == HEDDLE_OK)
		code = NAME(bidiagonal_values)(b, 0, b->count, s);
	if (code == HEDDLE_OK)
		*found = b->count;
	free(b);
	return code;
}

/* As a graph.  The matrices only read d and e. */
static int graph(int64_t n, const real *d, const real *e, const heddle_select *select, int64_t *found, real *s)
{
	int64_t room = select_room(select, n);
	struct blocking b = { 0 };
	heddle_matrix *dm = NULL, *em = NULL, *sm = NULL;
	int code = blocking_begin(&b);

	if (code == HEDDLE_OK)
		code = blocking_matrix(&b, &dm, TYPE, n, 1, (void *)(uintptr_t)d, n, n);
	if (code == HEDDLE_OK)
		code = blocking_matrix(&b, &em, TYPE, n - 1, 1, (void *)(uintptr_t)e, n, n);
	if (code == HEDDLE_OK)
		code = blocking_matrix(&b, &sm, TYPE, room, 1, s, room, room);
	if (code == HEDDLE_OK)
		code = API(bd_vals_async)(b.sequence, dm, em, select, sm, found, NULL);
	return blocking_end(&b, code);
}

/* A graph pays where the search takes longer than waking the workers: from about half a millisecond on. */
static bool graph_pays(int64_t n, int64_t room)
{
	enum { WORK = 200000 };

	if (n * room < WORK || runtime_enter() != HEDDLE_OK)
		return false;
	bool pays = runtime_workers() > 1;
	heddle_stop();
	return pays;
}

int API(bd_vals_select)(int64_t n, const real *d, const real *e, const heddle_select *select, int64_t *found, real *s)
{
	int64_t ignored;

	CHECK_ARGUMENT(n >= 0 && n <= INT32_MAX, 1, "n", n, "0 .. 2^31 - 1");
	CHECK_ARGUMENT(d || n == 0, 2, "d", 0, "a pointer");
	CHECK_ARGUMENT(e || n <= 1, 3, "e", 0, "a pointer");
	int code = check_select(__func__, 4, select, n);
	if (code != HEDDLE_OK)
		return code;
	select = select ? select : &everything;
	int64_t room = select_room(select, n);
	CHECK_ARGUMENT(s || room == 0, 6, "s", 0, "a pointer");
	found = found ? found : &ignored;
	*found = 0;
	if (n == 0)
		return HEDDLE_OK;
	code = graph_pays(n, room) ? graph(n, d, e, select, found, s) : direct(n, d, e, select, found, s);
	return code == HEDDLE_ENOMEM || code == HEDDLE_EINPUT ? error_set(code, "%s: %s", __func__, heddle_strerror(code)) : code;
}

int API(bd_vals)(int64_t n, const real *d, const real *e, real *s)
{
	CHECK_ARGUMENT(n >= 0 && n <= INT32_MAX, 1, "n", n, "0 .. 2^31 - 1");
	CHECK_ARGUMENT(d || n == 0, 2, "d", 0, "a pointer");
	CHECK_ARGUMENT(e || n <= 1, 3, "e", 0, "a pointer");
	CHECK_ARGUMENT(s || n == 0, 4, "s", 0, "a pointer");
	return API(bd_vals_select)(n, d, e, NULL, NULL, s);
}

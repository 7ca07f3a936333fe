/* One task prepares, independent ones search equal parts of the values, one collects them. */
#include "algorithms/values.h"

#include <stdlib.h>
#include "algorithms/blocking.h"
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

int NAME(values_submit)(enum sturm_kind kind, struct submit to, const heddle_matrix *d, const heddle_matrix *e, const heddle_select *select,
			const heddle_matrix *values, int64_t *found, handle scale)
{
	select = select ? select : &everything;
	int64_t n = d->m, room = select_room(select, n), parts = parts_of(room);
	int64_t rows = n + (int64_t)(sizeof(struct sturm) / sizeof(double)), longest = (room + parts - 1) / parts;
	heddle_matrix *work = matrix_temporary(HEDDLE_D, rows, STURM_DOUBLES, rows, STURM_DOUBLES);
	heddle_matrix *pieces = matrix_temporary(TYPE, longest, parts, longest, 1);

	if (work && pieces) {
		NAME(prepare_values)(to, kind, matrix_tile(work, 0, 0), d, e, scale, select, found);
		for (int64_t p = 0; p < parts; p++)
			NAME(bisect)(to, n, matrix_tile(work, 0, 0), p, parts, room, matrix_tile(pieces, 0, p));
		NAME(collect_values)(to, matrix_tile(work, 0, 0), pieces, values, room, select->kind != HEDDLE_VALUE);
	}
	int code = work && pieces ? HEDDLE_OK : HEDDLE_ENOMEM;
	matrix_release(work);
	matrix_release(pieces);
	return code;
}

static bool column(const heddle_matrix *x, int64_t rows)
{
	return x ? x->type == TYPE && x->m >= rows && (x->n == 1 || rows == 0) : rows == 0;
}

int NAME(values_async)(enum sturm_kind kind, const char *function, const struct values_call *c)
{
	const heddle_matrix *d = c->d, *e = c->e, *values = c->values;

	if (!c->sequence)
		return error_argument(function, 1, "sequence", 0, "a sequence");
	if (!d || d->type != TYPE || (d->n != 1 && d->m != 0))
		return error_argument(function, 2, "d", d ? d->n : 0, "a one-column matrix of the function's type");
	int64_t n = d->m;
	if (!column(e, n > 1 ? n - 1 : 0))
		return error_argument(function, 3, "e", e ? e->m : 0,
				      "a one-column matrix of the function's type with at least n - 1 rows");
	int code = check_select(function, 4, c->select, n);
	if (code != HEDDLE_OK)
		return code;
	if (!column(values, select_room(c->select, n)))
		return error_argument(function, 5, kind == BIDIAGONAL ? "s" : "w", values ? values->m : 0,
				      "a one-column matrix of the function's type with room for the values");
	code = check_options(function, 7, c->options);
	if (code != HEDDLE_OK)
		return code;
	code = check_running(function);
	if (code != HEDDLE_OK)
		return code;
	if (n == 0) {
		if (c->found)
			*c->found = 0;
		return HEDDLE_OK;
	}
	struct submit to = { .sequence = c->sequence, .stage = STAGE_VALUES, .priority = c->options ? c->options->priority : 0 };
	code = NAME(values_submit)(kind, to, d, e, c->select, values, c->found, NULL);
	if (code == HEDDLE_OK)
		return code;
	sequence_fail(c->sequence, code);
	return error_set(code, "%s: no memory", function);
}

int NAME(values_direct)(enum sturm_kind kind, int64_t n, const real *d, const real *e, double scale, const heddle_select *select,
			int64_t *found, real *values)
{
	struct sturm *m = malloc(sturm_bytes(n));

	if (!m)
		return HEDDLE_ENOMEM;
	m->kind = kind;
	m->n = n;
	for (int64_t k = 0; k < n; k++) {
		sturm_entries(m)[2 * k] = k > 0 ? (double)e[k - 1] : 0;
		sturm_entries(m)[2 * k + 1] = (double)d[k];
	}
	int code = NAME(values_init)(m, scale, select);
	if (code == HEDDLE_OK)
		code = NAME(values_find)(m, 0, m->count, values);
	if (code == HEDDLE_OK)
		*found = m->count;
	free(m);
	return code;
}

/* As a graph.  The matrices only read d and e. */
static int graph(enum sturm_kind kind, const char *function, int64_t n, const real *d, const real *e, const heddle_select *select,
		 int64_t *found, real *values)
{
	int64_t room = select_room(select, n);
	struct blocking b = { 0 };
	struct values_call c = { .select = select, .found = found };
	int code = blocking_begin(&b);

	c.sequence = b.sequence;
	if (code == HEDDLE_OK)
		code = blocking_matrix(&b, &c.d, TYPE, n, 1, (void *)(uintptr_t)d, n, n);
	if (code == HEDDLE_OK)
		code = blocking_matrix(&b, &c.e, TYPE, n - 1, 1, (void *)(uintptr_t)e, n, n);
	if (code == HEDDLE_OK)
		code = blocking_matrix(&b, &c.values, TYPE, room, 1, values, room, room);
	if (code == HEDDLE_OK)
		code = NAME(values_async)(kind, function, &c);
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

static int check_entries(const char *function, int64_t n, const real *d, const real *e)
{
	if (n < 0 || n > INT32_MAX)
		return error_argument(function, 1, "n", n, "0 .. 2^31 - 1");
	if (!d && n > 0)
		return error_argument(function, 2, "d", 0, "a pointer");
	if (!e && n > 1)
		return error_argument(function, 3, "e", 0, "a pointer");
	return HEDDLE_OK;
}

static int check_values(enum sturm_kind kind, const char *function, int index, int64_t room, const real *values)
{
	return values || room == 0 ? HEDDLE_OK : error_argument(function, index, kind == BIDIAGONAL ? "s" : "w", 0, "a pointer");
}

int NAME(values_select)(enum sturm_kind kind, const char *function, int64_t n, const real *d, const real *e, const heddle_select *select,
			int64_t *found, real *values)
{
	int64_t ignored;
	int code = check_entries(function, n, d, e);

	if (code == HEDDLE_OK)
		code = check_select(function, 4, select, n);
	if (code != HEDDLE_OK)
		return code;
	select = select ? select : &everything;
	int64_t room = select_room(select, n);
	code = check_values(kind, function, 6, room, values);
	if (code != HEDDLE_OK)
		return code;
	found = found ? found : &ignored;
	*found = 0;
	if (n == 0)
		return HEDDLE_OK;
	if (graph_pays(n, room))
		code = graph(kind, function, n, d, e, select, found, values);
	else
		code = NAME(values_direct)(kind, n, d, e, 1, select, found, values);
	return code == HEDDLE_ENOMEM || code == HEDDLE_EINPUT ? error_set(code, "%s: %s", function, heddle_strerror(code)) : code;
}

int NAME(values_all)(enum sturm_kind kind, const char *function, int64_t n, const real *d, const real *e, real *values)
{
	int code = check_entries(function, n, d, e);

	if (code == HEDDLE_OK)
		code = check_values(kind, function, 4, n, values);
	return code == HEDDLE_OK ? NAME(values_select)(kind, function, n, d, e, NULL, NULL, values) : code;
}

#include "algorithms/blocking.h"

#include <math.h>
#include "runtime/error.h"
#include "runtime/runtime.h"

enum { PRIORITY_LIMIT = 1000000000 }; /* Heddle adds its own to it */

int check_select(const char *function, int index, const heddle_select *select, int64_t k)
{
	if (!select)
		return HEDDLE_OK;
	if (select->kind != HEDDLE_ALL && select->kind != HEDDLE_INDEX && select->kind != HEDDLE_VALUE)
		return error_argument(function, index, "select->kind", select->kind, "HEDDLE_ALL, HEDDLE_INDEX or HEDDLE_VALUE");
	if (select->kind == HEDDLE_INDEX && k > 0) {
		if (select->il < 1 || select->il > k)
			return error_argument(function, index, "select->il", select->il, "1 .. number of values");
		if (select->iu < select->il || select->iu > k)
			return error_argument(function, index, "select->iu", select->iu, "il .. number of values");
	}
	if (select->kind == HEDDLE_VALUE && !(select->vl < select->vu))
		return error_set(-index, "%s: argument %d (select) has vl = %g, vu = %g; expected vl < vu", function, index, select->vl, select->vu);
	return HEDDLE_OK;
}

int check_options(const char *function, int index, const heddle_options *o)
{
	if (!o)
		return HEDDLE_OK;
	const struct {
		const char *name;
		int64_t value;
	} sizes[] = { { "options->band", o->band }, { "options->tile", o->tile }, { "options->leaf", o->leaf },
		      { "options->group", o->group }, { "options->steps", o->steps } };
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (sizes[i].value < 0 || sizes[i].value > INT32_MAX / 8)
			return error_argument(function, index, sizes[i].name, sizes[i].value, "0 (let Heddle choose) or a size");
	if (o->inverse < 0 || o->inverse > 2)
		return error_argument(function, index, "options->inverse", o->inverse, "0 (let Heddle choose), 1 or 2");
	if (o->priority < -PRIORITY_LIMIT || o->priority > PRIORITY_LIMIT)
		return error_argument(function, index, "options->priority", o->priority, "-10^9 .. 10^9");
	if (o->route != HEDDLE_ROUTE_AUTO && o->route != HEDDLE_ROUTE_GRAPH && o->route != HEDDLE_ROUTE_LAPACK)
		return error_argument(function, index, "options->route", o->route, "a HEDDLE_ROUTE_ value");
	return HEDDLE_OK;
}

int check_solve_kind(const char *function, int index, struct solve_kind kind)
{
	if (!side_valid(kind.side))
		return error_argument(function, index, "side", kind.side, "HEDDLE_LEFT or HEDDLE_RIGHT");
	if (!uplo_valid(kind.uplo))
		return error_argument(function, index + 1, "uplo", kind.uplo, "HEDDLE_UPPER or HEDDLE_LOWER");
	if (!trans_valid(kind.trans))
		return error_argument(function, index + 2, "trans", kind.trans, "HEDDLE_NO_TRANS, HEDDLE_TRANS or HEDDLE_CONJ_TRANS");
	if (!diag_valid(kind.diag))
		return error_argument(function, index + 3, "diag", kind.diag, "HEDDLE_NON_UNIT or HEDDLE_UNIT");
	return HEDDLE_OK;
}

int check_solve_call(const char *function, const struct solve_call *c)
{
	bool empty = c->m == 0 || c->n == 0;
	int64_t k = c->kind.side == HEDDLE_LEFT ? c->m : c->n;
	int code = check_solve_kind(function, 1, c->kind);

	if (code != HEDDLE_OK)
		return code;
	if (c->m < 0 || c->m > INT32_MAX)
		return error_argument(function, 5, "m", c->m, "0 .. 2^31 - 1");
	if (c->n < 0 || c->n > INT32_MAX)
		return error_argument(function, 6, "n", c->n, "0 .. 2^31 - 1");
	if (!c->a && !empty && c->reads_a)
		return error_argument(function, 8, "A", 0, "a pointer");
	if (c->lda < (k > 1 ? k : 1) || c->lda > INT32_MAX)
		return error_argument(function, 9, "lda", c->lda, "at least max(1, A's order), at most 2^31 - 1");
	if (!c->b && !empty)
		return error_argument(function, c->ldb_index - 1, "B", 0, "a pointer");
	if (c->ldb < (c->m > 1 ? c->m : 1) || c->ldb > INT32_MAX)
		return error_argument(function, c->ldb_index, "ldb", c->ldb, "at least max(1, m), at most 2^31 - 1");
	return HEDDLE_OK;
}

int check_running(const char *function)
{
	if (runtime_running())
		return HEDDLE_OK;
	return error_set(HEDDLE_ERUNTIME, "%s: Heddle is not running (call heddle_start first)", function);
}

int64_t select_room(const heddle_select *select, int64_t k)
{
	if (select && select->kind == HEDDLE_INDEX && k > 0)
		return select->iu - select->il + 1;
	return k;
}

int blocking_begin(struct blocking *b)
{
	int code = runtime_enter();

	b->entered = code == HEDDLE_OK;
	return code == HEDDLE_OK ? heddle_sequence_create(&b->sequence) : code;
}

int blocking_matrix(struct blocking *b, heddle_matrix **matrix, heddle_type type, int64_t m, int64_t n, void *a, int64_t lda, int64_t nb)
{
	int code = heddle_matrix_create(matrix, type, m, n, a, lda, nb);

	if (code == HEDDLE_OK)
		b->matrices[b->count++] = *matrix;
	return code;
}

int blocking_tiles(struct blocking *b, heddle_matrix **matrix, heddle_type type, int64_t m, int64_t n, const void *a, int64_t lda, int64_t mb,
		   int64_t nb)
{
	*matrix = matrix_on(type, m, n, (void *)(uintptr_t)a, lda, mb, nb);
	if (!*matrix)
		return HEDDLE_ENOMEM;
	b->matrices[b->count++] = *matrix;
	return HEDDLE_OK;
}

int blocking_end(struct blocking *b, int code)
{
	if (b->sequence) {
		if (code != HEDDLE_OK)
			heddle_sequence_cancel(b->sequence);
		int met = heddle_sequence_wait(b->sequence);
		code = code != HEDDLE_OK ? code : met;
	}
	for (int i = 0; i < b->count; i++)
		heddle_matrix_destroy(b->matrices[i]);
	heddle_band_destroy(b->band);
	heddle_sequence_destroy(b->sequence);
	if (b->entered)
		heddle_stop();
	return code;
}

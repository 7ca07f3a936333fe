/* What the tests of bd_vals and st_vals share: both have the same forms and promise the same of selections and bits. */
#ifndef TESTS_VALUES_SUPPORT_H
#define TESTS_VALUES_SUPPORT_H

#include "tests/support.h"

#define DENORMAL (sizeof(real) == sizeof(float) ? 0x1p-149 : 0x1p-1074)

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad;
#else
typedef long double quad;
#endif

/* The forms of one function. */
struct forms {
	const char *name;
	bool downwards; /* the largest value is first */
	int (*all)(int64_t n, const real *d, const real *e, real *values);
	int (*select)(int64_t n, const real *d, const real *e, const heddle_select *select, int64_t *found, real *values);
	int (*async)(heddle_sequence *sequence, heddle_matrix *d, heddle_matrix *e, const heddle_select *select, heddle_matrix *values,
		     int64_t *found, const heddle_options *options);
};
static const struct forms bd_forms __attribute__((unused)) = { "bd_vals", true, API(bd_vals), API(bd_vals_select), API(bd_vals_async) };
static const struct forms st_forms __attribute__((unused)) = { "st_vals", false, API(st_vals), API(st_vals_select), API(st_vals_async) };

static inline real *reals(int64_t n)
{
	return malloc((size_t)(n + 1) * sizeof(real));
}

/* One call as a graph. */
struct graph {
	heddle_sequence *sequence;
	heddle_matrix *d, *e, *values;
};

/* With tiles of these sizes. */
static inline struct graph graph_begin(const struct forms *f, int64_t n, real *d, real *e, const heddle_select *select, int64_t room,
				       real *values, int64_t *found, int64_t tile)
{
	struct graph g;

	ck_assert_int_eq(heddle_sequence_create(&g.sequence), 0);
	ck_assert_int_eq(heddle_matrix_create(&g.d, TYPE, n, 1, d, n, tile), 0);
	ck_assert_int_eq(heddle_matrix_create(&g.e, TYPE, n, 1, e, n, tile + 1), 0);
	ck_assert_int_eq(heddle_matrix_create(&g.values, TYPE, room, 1, values, room, tile), 0);
	ck_assert_int_eq(f->async(g.sequence, g.d, g.e, select, g.values, found, NULL), 0);
	return g;
}

static inline void graph_end(struct graph g, int expected)
{
	ck_assert_int_eq(heddle_sequence_wait(g.sequence), expected);
	heddle_matrix_destroy(g.d);
	heddle_matrix_destroy(g.e);
	heddle_matrix_destroy(g.values);
	heddle_sequence_destroy(g.sequence);
}

static inline void check_same_bits(const struct forms *f, const char *name, int64_t n, real *d, real *e)
{
	static const int64_t tiles[] = { 1, 7, 256 };
	real *s = reals(n), *t = reals(n);

	ck_assert_int_eq(f->all(n, d, e, s), 0);
	for (unsigned i = 0; i < sizeof(tiles) / sizeof(tiles[0]); i++) {
		int64_t found = -1;
		memset(t, 0, (size_t)n * sizeof(real));
		graph_end(graph_begin(f, n, d, e, NULL, n, t, &found, tiles[i]), 0);
		ck_assert_int_eq(found, n);
		ck_assert_msg(memcmp(s, t, (size_t)n * sizeof(real)) == 0, "%s, tile %d", name, (int)tiles[i]);
	}
	free(s);
	free(t);
}

/* Several runs, and values searched on their own. */
static inline void check_same_bits_on_every_run(const struct forms *f, int64_t n, real *d, real *e)
{
	real *s = reals(n), *t = reals(n);
	int64_t found;

	for (int run = 0; run < 6; run++) {
		graph_end(graph_begin(f, n, d, e, NULL, n, run == 0 ? s : t, &found, 100), 0);
		ck_assert(run == 0 || memcmp(s, t, (size_t)n * sizeof(real)) == 0);
	}
	heddle_select one = { .kind = HEDDLE_INDEX };
	for (one.il = one.iu = 1; one.il <= n; one.il = one.iu += 89) {
		ck_assert_int_eq(f->select(n, d, e, &one, &found, t), 0);
		ck_assert(found == 1 && t[0] == s[one.il - 1]);
	}
	free(s);
	free(t);
}

/* A selection gives the values it names among all of them, s, blocking and, now and then, as a graph. */
static inline void check_selection(const struct forms *f, int64_t n, real *d, real *e, const real *s, const heddle_select *select,
				   int64_t begin, int64_t end)
{
	real *t = reals(n);
	int64_t found, room = select->kind == HEDDLE_INDEX ? end - begin : n;

	for (int graph = 0; graph < ((begin + 3 * end) % 7 == 0 ? 2 : 1); graph++) {
		for (int64_t i = 0; i <= n; i++)
			t[i] = 77;
		found = -1;
		if (graph)
			graph_end(graph_begin(f, n, d, e, select, room, t, &found, 5), 0);
		else
			ck_assert_int_eq(f->select(n, d, e, select, &found, t), 0);
		ck_assert_msg(found == end - begin, "%d found, %d are there: n = %d, (%.17g, %.17g]", (int)found, (int)(end - begin),
			      (int)n, select->vl, select->vu);
		ck_assert(memcmp(t, s + begin, (size_t)found * sizeof(real)) == 0);
		ck_assert(t[found] == 77);
	}
	free(t);
}

static inline void check_selections_by_index(const struct forms *f, int64_t n, real *d, real *e)
{
	real *s = reals(n);

	ck_assert_int_eq(f->all(n, d, e, s), 0);
	for (int64_t il = 1; il <= n; il += n > 20 ? 9 : 1)
		for (int64_t iu = il; iu <= n; iu += n > 20 ? 13 : 1) {
			heddle_select select = { .kind = HEDDLE_INDEX, .il = il, .iu = iu };
			check_selection(f, n, d, e, s, &select, il - 1, iu);
		}
	free(s);
}

/* Bounds on values, just beside them, and far away. */
static inline void check_selections_by_value(const struct forms *f, int64_t n, real *d, real *e)
{
	real *s = reals(n);
	double *v = malloc((size_t)(3 * n + 5) * sizeof(*v));
	int64_t bounds = 0;

	ck_assert_int_eq(f->all(n, d, e, s), 0);
	for (int64_t i = 0; i < n; i += n > 10 ? 23 : 2) {
		v[bounds++] = (double)s[i];
		v[bounds++] = nextafter((double)s[i], INFINITY);
		v[bounds++] = nextafter((double)s[i], -INFINITY);
	}
	v[bounds++] = -1;
	v[bounds++] = 0;
	v[bounds++] = 1;
	v[bounds++] = INFINITY;
	v[bounds++] = -INFINITY;
	for (int64_t i = 0; i < bounds * bounds; i++) {
		heddle_select select = { .kind = HEDDLE_VALUE, .vl = v[i / bounds], .vu = v[i % bounds] };
		int64_t begin = 0, end = n;
		while (begin < n && (f->downwards ? (double)s[begin] > select.vu : (double)s[begin] <= select.vl))
			begin++;
		while (end > begin && (f->downwards ? (double)s[end - 1] <= select.vl : (double)s[end - 1] > select.vu))
			end--;
		if (select.vl < select.vu)
			check_selection(f, n, d, e, s, &select, begin, end);
	}
	free(s);
	free(v);
}

#endif

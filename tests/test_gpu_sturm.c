/* The device's search for the values of bidiagonals and tridiagonals: every value is right by a count in quadruple precision; host and
 * device find each other's matrices in order; selections, parts and tiles give the values of the whole, with the same bits. */
#include "tests/device_support.h"
#include "codelets/device/sturm.h"

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad;
#else
typedef long double quad;
#endif

#define DENORMAL (sizeof(real) == sizeof(float) ? 0x1p-149 : 0x1p-1074)
#define RANGE (sizeof(real) == sizeof(float) ? 37 : 290)

static double random_number(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

enum matrix { UNIFORM, CHI, ZERO_MATRIX, IDENTITY_MATRIX, STEEP_GRADED, ANY_EXPONENT, GLUED, WILKINSON, ZERO_DIAGONAL, SOME_ZEROS, DIAGONAL,
	      TINY_VALUES, HUGE_ENTRIES, TINY_ENTRIES, MATRICES };

static double entry(enum matrix kind, int64_t n, int64_t i, bool diagonal, uint64_t *state)
{
	double u = random_number(state), x = (double)i / (double)n;

	switch (kind) {
	case CHI: return sqrt(fabs((double)(n - i) + u * 2) / (double)n);
	case ZERO_MATRIX: return 0;
	case IDENTITY_MATRIX: return diagonal;
	case STEEP_GRADED: return pow(10, -RANGE * x) * (diagonal ? 1 : u / 3);
	case ANY_EXPONENT: return pow(10, RANGE * u);
	case GLUED: return diagonal ? fabs((double)(i % 21 - 10)) + 1e-3 : i % 21 == 20 ? 1e-9 : 1;
	case WILKINSON: return diagonal ? fabs((double)i - (double)(n - 1) / 2) : 1;
	case ZERO_DIAGONAL: return diagonal ? 0 : u;
	case SOME_ZEROS: return fabs(u) < 0.1 ? 0 : u;
	case DIAGONAL: return diagonal ? (double)(i * 7 % n) - (double)(n / 2) : 0;
	case TINY_VALUES: return diagonal ? 1 : 4;
	case HUGE_ENTRIES: return u * pow(10, RANGE);
	case TINY_ENTRIES: return u * pow(10, -RANGE);
	default: return u;
	}
}

struct problem {
	enum sturm_kind kind;
	int64_t n;
	real *d, *e;
};

static struct problem problem(enum sturm_kind kind, enum matrix matrix, int64_t n)
{
	uint64_t state = (uint64_t)(n + matrix);
	struct problem p = { kind, n, malloc((size_t)n * sizeof(real)), malloc((size_t)n * sizeof(real)) };

	for (int64_t i = 0; i < n; i++) {
		p.d[i] = (real)entry(matrix, n, i, true, &state);
		p.e[i] = (real)entry(matrix, n, i, false, &state);
	}
	p.e[n - 1] = NAN; /* not to be read */
	return p;
}

static void problem_free(struct problem *p)
{
	free(p->d);
	free(p->e);
}

/* Values below x: of a bidiagonal for x > 0, by the matrix of order 2n with zero diagonal. */
static int64_t count_below(const struct problem *p, quad x)
{
	int64_t negative = 0, n = p->n;
	quad pivot = 1;

	if (p->kind == BIDIAGONAL) {
		pivot = -x;
		negative = 1;
		for (int64_t i = 0; i < 2 * n - 1; i++) {
			quad b = i % 2 == 0 ? p->d[i / 2] : p->e[i / 2];
			pivot = -x - (pivot == 0 ? (b == 0 ? 0 : (quad)-1e4000L * b * b) : b * b / pivot);
			negative += pivot < 0;
		}
		return negative - n;
	}
	for (int64_t i = 0; i < n; i++) {
		quad b = i > 0 ? p->e[i - 1] : 0;
		pivot = (quad)p->d[i] - x - b / pivot * b;
		if (pivot == 0)
			pivot = (quad)1e-2000L;
		negative += pivot < 0;
	}
	return negative;
}

static double magnitude(double x) { return x < 0 ? -x : x; }

/* All values, smallest first from `values` in their order: in order, and every `step`-th right. */
static void check_values(const struct problem *p, const char *what, const real *values, int64_t step)
{
	int64_t n = p->n;
	bool down = p->kind == BIDIAGONAL;
	double norm = fmax(magnitude((double)values[0]), magnitude((double)values[n - 1])), eps = (sizeof(real) == sizeof(float) ? 0.7 : down ? 10 : 4) * REAL_EPS;

	for (int64_t i = 1; i <= n; i++) {
		real value = values[down ? n - i : i - 1];
		ck_assert_msg(i == 1 || value >= values[down ? n - i + 1 : i - 2], "%s, n = %d: value %d is out of order", what, (int)n, (int)i);
		if (i % step != 0 && i != 1 && i != n)
			continue;
		quad x = value, slack = (quad)(eps * (down ? magnitude((double)value) : norm)) + 2 * (quad)DENORMAL;
		bool low = (down && x <= slack) || count_below(p, x - slack) < i, high = count_below(p, x + slack) >= i;
		ck_assert_msg((!down || (value >= 0 && !signbit(value))) && low && high, "%s, kind %d, n = %d: value %d = %.17g is wrong (%d%d)",
			      what, (int)p->kind, (int)n, (int)i, (double)value, low, high);
	}
}

/* A search on the device, in pieces: d and e in tiles of so many rows. */
struct search {
	struct sturm *m; /* on the device */
	int64_t n;
	int64_t *found;
	int *verdict;
};

static real **to_tiles(const real *x, int64_t n, int64_t rows, int64_t *count)
{
	*count = (n + rows - 1) / rows;
	real **tiles = malloc((size_t)(*count + 1) * sizeof(*tiles));

	for (int64_t t = 0; t < *count; t++) {
		int64_t here = n - t * rows < rows ? n - t * rows : rows;
		tiles[t] = device_copy(x + t * rows, (size_t)here * sizeof(real), "tile");
	}
	return tiles;
}

static void tiles_free(real **tiles, int64_t count)
{
	for (int64_t t = 0; t < count; t++)
		device_free(tiles[t]);
	free(tiles);
}

static struct search prepare_on_device(const struct problem *p, int64_t rows, const real *scale, const heddle_select *select)
{
	int64_t d_tiles, e_tiles, minus = -1;
	int zero = 0;
	struct search s = { device_new(sturm_bytes(p->n), "sturm"), p->n, device_copy(&minus, sizeof(minus), "found"),
			    device_copy(&zero, sizeof(zero), "verdict") };
	real **d = to_tiles(p->d, p->n, rows, &d_tiles), **e = to_tiles(p->e, p->n - 1, rows + 1, &e_tiles);
	real *scale_there = scale ? device_copy(scale, 2 * sizeof(real), "scale") : NULL;

	NAME(gpu_values_init)(NULL, p->kind, p->n, s.m, d, rows, e, rows + 1, scale_there, select, s.found, s.verdict);
	device_finish();
	tiles_free(d, d_tiles);
	tiles_free(e, e_tiles);
	if (scale)
		device_free(scale_there);
	return s;
}

static int64_t number_found(const struct search *s)
{
	int64_t found;

	device_from(&found, s->found, sizeof(found));
	return found;
}

static int verdict_of(const struct search *s)
{
	int verdict;

	device_from(&verdict, s->verdict, sizeof(verdict));
	return verdict;
}

static void search_free(struct search *s)
{
	device_free(s->m);
	device_free(s->found);
	device_free(s->verdict);
}

/* The values, at most room, by so many parts and into tiles of so many rows. */
static void find_on_device(const struct search *s, int64_t parts, int64_t room, int64_t rows, real *values)
{
	int64_t piece = (room + parts - 1) / parts, tiles;
	real **pieces = malloc((size_t)parts * sizeof(*pieces)), **to;

	for (int64_t p = 0; p < parts; p++) {
		pieces[p] = device_new((size_t)piece * sizeof(real), "piece");
		NAME(gpu_values_find)(NULL, s->m, p, parts, room, pieces[p]);
	}
	to = to_tiles(values, room, rows, &tiles);
	NAME(gpu_values_collect)(NULL, s->m, parts, pieces, room, to, rows);
	device_finish();
	for (int64_t t = 0; t < tiles; t++)
		device_from(values + t * rows, to[t], (size_t)(room - t * rows < rows ? room - t * rows : rows) * sizeof(real));
	tiles_free(to, tiles);
	tiles_free(pieces, parts);
}

static const heddle_select everything = { .kind = HEDDLE_ALL };

static void all_on_device(const struct problem *p, int64_t rows, int64_t parts, real *values)
{
	struct search s = prepare_on_device(p, rows, NULL, &everything);

	ck_assert_int_eq(verdict_of(&s), 0);
	ck_assert_int_eq(number_found(&s), p->n);
	find_on_device(&s, parts, p->n, rows, values);
	search_free(&s);
}

static const int64_t orders[] = { 1, 2, 3, 31, 33, 64, 65, 100, 257 };
enum { ORDERS_TRIED = sizeof(orders) / sizeof(orders[0]) };

/* Of the larger orders each is tried with some matrices, and each matrix with some orders. */
static bool left_out(int64_t n, enum matrix matrix)
{
	return n > 10 && ((int)matrix + n) % (n > 60 || (device_slow() && n > 20) ? 7 : 2) != 0;
}

START_TEST(values_are_right)
{
	enum matrix matrix = (enum matrix)(_i / 2);
	char what[32];

	snprintf(what, sizeof(what), "matrix %d", (int)matrix);
	for (int k = 0; k < ORDERS_TRIED; k++) {
		if (left_out(orders[k], matrix) || (device_slow() && orders[k] > 100))
			continue;
		struct problem p = problem(_i % 2 ? TRIDIAGONAL : BIDIAGONAL, matrix, orders[k]);
		real *values = malloc((size_t)p.n * sizeof(real));
		device_order((_i + k) % ORDERS, k % 3);
		all_on_device(&p, p.n > 40 ? 60 : 5, 1 + k % 5, values);
		check_values(&p, what, values, 1 + p.n / 50);
		free(values);
		problem_free(&p);
	}
	device_order(ORDER_FORWARD, 0);
}
END_TEST

/* What the device prepared the host searches as exactly as what it prepared itself; and the other way round, also where LAPACK found the
 * values.  The two agree. */
START_TEST(host_and_device_take_turns)
{
	static const int64_t sizes[] = { 1, 20, 41, 130 };
	enum matrix matrix = (enum matrix)(_i / 2);

	for (int k = 0; k < 4; k++) {
		if (left_out(sizes[k], matrix) || (device_slow() && sizes[k] > 100))
			continue;
		struct problem p = problem(_i % 2 ? TRIDIAGONAL : BIDIAGONAL, matrix, sizes[k]);
		int64_t n = p.n;
		real *values = malloc((size_t)n * sizeof(real)), *ours = malloc((size_t)n * sizeof(real));
		struct sturm *m = malloc(sturm_bytes(n));
		struct search s = prepare_on_device(&p, 64, NULL, &everything);
		device_from(m, s.m, sturm_bytes(n));
		ck_assert(m->first == 0 && m->count == n && !m->known && m->n == n && m->kind == p.kind);
		ck_assert_int_eq(NAME(values_find)(m, 0, n, values), 0);
		check_values(&p, "prepared by the device", values, 1 + n / 30);
		find_on_device(&s, 2, n, n, ours);
		for (int64_t i = 0; i < 2 * n; i++)
			sturm_entries(m)[i] = i == 0 ? 0 : (double)(i % 2 ? p.d[i / 2] : p.e[i / 2 - 1]);
		ck_assert_int_eq(NAME(values_init)(m, 1, &everything), 0);
		device_to(s.m, m, sturm_bytes(n));
		find_on_device(&s, 3, n, 7, values);
		double norm = fmax(magnitude((double)values[0]), magnitude((double)values[n - 1]));
		if (!m->known)
			check_values(&p, "prepared by the host", values, 1 + n / 30);
		for (int64_t i = 0; i < n; i++) {
			double size = p.kind == BIDIAGONAL ? magnitude((double)values[i]) : norm, difference = (double)ours[i] - (double)values[i];
			ck_assert_double_le(magnitude(difference), 32 * REAL_EPS * size + 4 * DENORMAL);
		}
		search_free(&s);
		free(m);
		free(values);
		free(ours);
		problem_free(&p);
	}
}
END_TEST

/* A selection gives the values it names among all of them, and leaves the rest of the room alone. */
static void check_selection(const struct problem *p, const real *all, const heddle_select *select, int64_t begin, int64_t end, int64_t parts)
{
	int64_t room = select->kind == HEDDLE_INDEX ? end - begin : p->n;
	real *values = malloc((size_t)p->n * sizeof(real));
	struct search s = prepare_on_device(p, 30, NULL, select);

	for (int64_t i = 0; i < p->n; i++)
		values[i] = 77;
	ck_assert_msg(number_found(&s) == end - begin, "%d found, %d are there: n = %d, (%.17g, %.17g]", (int)number_found(&s), (int)(end - begin),
		      (int)p->n, select->vl, select->vu);
	find_on_device(&s, parts, room, 9, values);
	ck_assert(memcmp(values, all + begin, (size_t)(end - begin) * sizeof(real)) == 0);
	for (int64_t i = end - begin; i < p->n; i++)
		ck_assert(values[i] == 77);
	search_free(&s);
	free(values);
}

static const enum matrix selected[] = { UNIFORM, SOME_ZEROS, STEEP_GRADED, GLUED };

START_TEST(selections_by_index)
{
	int64_t n = device_slow() ? 12 : 30;
	struct problem p = problem(_i % 2 ? TRIDIAGONAL : BIDIAGONAL, selected[_i / 2], n);
	real *all = malloc((size_t)n * sizeof(real));

	all_on_device(&p, 50, 1, all);
	for (int64_t il = 1; il <= n; il += 14)
		for (int64_t iu = il; iu <= n; iu += 20) {
			heddle_select select = { .kind = HEDDLE_INDEX, .il = il, .iu = iu };
			check_selection(&p, all, &select, il - 1, iu, 1 + (il + iu) % 5);
		}
	free(all);
	problem_free(&p);
}
END_TEST

START_TEST(selections_by_value)
{
	int64_t n = device_slow() ? 5 : 20, bounds = 0;
	struct problem p = problem(_i % 2 ? TRIDIAGONAL : BIDIAGONAL, selected[_i / 2], n);
	bool down = p.kind == BIDIAGONAL;
	real *all = malloc((size_t)n * sizeof(real));
	double v[9];

	all_on_device(&p, 50, 1, all);
	v[bounds++] = (double)all[n / 3];
	v[bounds++] = nextafter((double)all[n / 3], INFINITY);
	v[bounds++] = nextafter((double)all[2 * n / 3], -INFINITY);
	v[bounds++] = (double)all[n - 1];
	v[bounds++] = 0;
	v[bounds++] = 0.3;
	v[bounds++] = INFINITY;
	v[bounds++] = -INFINITY;
	for (int64_t i = _i % 3; i < bounds * bounds; i += device_slow() ? 7 : 6) {
		heddle_select select = { .kind = HEDDLE_VALUE, .vl = v[i / bounds], .vu = v[i % bounds] };
		int64_t begin = 0, end = n;
		while (begin < n && (down ? (double)all[begin] > select.vu : (double)all[begin] <= select.vl))
			begin++;
		while (end > begin && (down ? (double)all[end - 1] <= select.vl : (double)all[end - 1] > select.vu))
			end--;
		if (select.vl < select.vu)
			check_selection(&p, all, &select, begin, end, 1 + i % 4);
	}
	free(all);
	problem_free(&p);
}
END_TEST

START_TEST(scale_multiplies)
{
	struct problem p = problem(_i ? TRIDIAGONAL : BIDIAGONAL, UNIFORM, 30);
	const real scale[2] = { 8, (real)0.125 };
	real all[30], values[30];
	heddle_select positive = { .kind = HEDDLE_VALUE, .vl = 0.01, .vu = 0.1 };
	int64_t in = 0;

	all_on_device(&p, 30, 1, all);
	struct search s = prepare_on_device(&p, 30, scale, &everything);
	find_on_device(&s, 1, 30, 30, values);
	for (int i = 0; i < 30; i++) {
		ck_assert(values[i] == all[i] / 8);
		in += (double)values[i] > 0.01 && (double)values[i] <= 0.1;
	}
	search_free(&s);
	s = prepare_on_device(&p, 30, scale, &positive);
	ck_assert_int_eq(number_found(&s), in);
	search_free(&s);
	problem_free(&p);
}
END_TEST

START_TEST(not_finite_is_a_verdict)
{
	static const double bad[] = { NAN, INFINITY, -INFINITY };
	heddle_select by_value = { .kind = HEDDLE_VALUE, .vl = -1, .vu = 1 };

	for (int k = 0; k < 12; k++) {
		struct problem p = problem(k % 2 ? TRIDIAGONAL : BIDIAGONAL, UNIFORM, 20);
		real values[20];
		(k / 2 % 2 ? p.d : p.e)[3 * (k / 4)] = (real)bad[k / 4];
		struct search s = prepare_on_device(&p, 8, NULL, k % 3 ? &everything : &by_value);
		ck_assert_int_eq(verdict_of(&s), HEDDLE_EINPUT);
		ck_assert_int_eq(number_found(&s), 0);
		for (int i = 0; i < 20; i++)
			values[i] = 77;
		find_on_device(&s, 2, 20, 20, values);
		for (int i = 0; i < 20; i++)
			ck_assert(values[i] == 77);
		search_free(&s);
		problem_free(&p);
	}
}
END_TEST

/* Host and device may each search a part: what begins beyond the end of the part before is moved to it, and nothing else is. */
START_TEST(parts_meet_in_order)
{
	struct problem p = problem(_i ? TRIDIAGONAL : BIDIAGONAL, UNIFORM, 70);
	struct search s = prepare_on_device(&p, 70, NULL, &everything);
	int64_t parts = 35, tiles;
	real *pieces[35], values[70], sign = _i ? 1 : -1;

	for (int64_t i = 0; i < parts; i++) {
		real pair[2] = { sign * (real)(10 * i), sign * (real)(10 * i + (i == 7 || i == 31 ? 11 : 1)) };
		pieces[i] = device_copy(pair, sizeof(pair), "piece");
	}
	memset(values, 0, sizeof(values));
	real **to = to_tiles(values, 70, 2, &tiles);
	NAME(gpu_values_collect)(NULL, s.m, parts, pieces, 70, to, 2);
	device_finish();
	for (int64_t i = 0; i < tiles; i++) {
		real pair[2];
		device_from(pair, to[i], sizeof(pair));
		ck_assert(pair[0] == sign * (real)(10 * i + (i == 8 || i == 32)));
		ck_assert(pair[1] == sign * (real)(10 * i + (i == 7 || i == 31 ? 11 : 1)));
	}
	tiles_free(to, tiles);
	for (int64_t i = 0; i < parts; i++)
		device_free(pieces[i]);
	search_free(&s);
	problem_free(&p);
}
END_TEST

/* Order 3000, of which a few values are searched. */
START_TEST(large_matrices)
{
	struct problem p = problem(_i ? TRIDIAGONAL : BIDIAGONAL, CHI, 3000);
	heddle_select some = { .kind = HEDDLE_INDEX, .il = 1234, .iu = 1238 };
	real values[5];

	if (!device_slow()) {
		struct search s = prepare_on_device(&p, 700, NULL, &some);
		find_on_device(&s, 1, 5, 5, values);
		for (int64_t i = 0; i < 5; i++) {
			int64_t rank = p.kind == BIDIAGONAL ? 3000 - 1233 - i : 1234 + i;
			quad slack = 4 * (quad)REAL_EPS;
			ck_assert(count_below(&p, values[i] - slack) < rank && count_below(&p, values[i] + slack) >= rank);
		}
		search_free(&s);
	}
	problem_free(&p);
}
END_TEST

/* The size of a group of lanes follows from the room: large rooms for a few values, so that each size is tried.  They are the room of many
 * parts, of which this is the first. */
START_TEST(lanes_do_not_matter)
{
	static const int64_t rooms[] = { 4096, 4097, 16384, 16385 };

	for (int k = 0; k < MATRICES; k += device_slow() ? 9 : 5) {
		int64_t n = device_slow() ? 12 : k == 0 && rooms[_i / 2] > 16384 ? 500 : 40;
		struct problem p = problem(_i % 2 ? TRIDIAGONAL : BIDIAGONAL, (enum matrix)k, n);
		real *values = device_new((size_t)rooms[_i / 2] * sizeof(real), "values"), *here = malloc((size_t)n * sizeof(real));
		struct search s = prepare_on_device(&p, 70, NULL, &everything);
		NAME(gpu_values_find)(NULL, s.m, 0, 1, rooms[_i / 2], values);
		device_finish();
		device_from(here, values, (size_t)n * sizeof(real));
		check_values(&p, "lanes", here, 1 + n / 20);
		device_free(values);
		search_free(&s);
		free(here);
		problem_free(&p);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create(TRACE_NAME("gpu_sturm"));
	TCase *t = tcase_create("values");

	tcase_set_timeout(t, 0);
	tcase_add_loop_test(t, values_are_right, 0, 2 * MATRICES);
	tcase_add_loop_test(t, host_and_device_take_turns, 0, 2 * MATRICES);
	tcase_add_loop_test(t, selections_by_index, 0, 8);
	tcase_add_loop_test(t, selections_by_value, 0, 8);
	tcase_add_loop_test(t, scale_multiplies, 0, 2);
	tcase_add_test(t, not_finite_is_a_verdict);
	tcase_add_loop_test(t, parts_meet_in_order, 0, 2);
	tcase_add_loop_test(t, large_matrices, 0, 2);
	tcase_add_loop_test(t, lanes_do_not_matter, 0, 8);
	suite_add_tcase(suite, t);
	return run_device_suite(suite);
}

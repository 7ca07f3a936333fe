/* The device's search for the values of bidiagonals and tridiagonals: every value is right by a count in quadruple precision; host and
 * device find each other's matrices in order; selections, parts and tiles give the values of the whole, with the same bits. */
#include "tests/values_device.h"

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
	return run_here(suite);
}

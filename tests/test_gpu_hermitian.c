/* The device's functions for Hermitian tiles and bands against their definitions: full matrices from triangles, sums on triangles, diagonals
 * of bands. */
#include "tests/device_pair.h"

static const heddle_uplo uplos[] = { HEDDLE_LOWER, HEDDLE_UPPER };
static const int64_t orders[] = { 0, 1, 2, 31, 32, 33, 63, 64, 70 };
enum { ORDERS_OF_MATRICES = sizeof(orders) / sizeof(*orders) };

START_TEST(full_from_triangle)
{
	int64_t n = orders[_i];

	device_order(_i % ORDERS, 0);
	for (int u = 0; u < 2; u++) {
		struct pair a = pair_new(n, n, 9), w = pair_new(n, n, 10);
		for (int64_t j = 0; j < n; j++)
			for (int64_t i = 0; i < n; i++) {
				bool stored = uplos[u] == HEDDLE_LOWER ? i >= j : i <= j;
				scalar x = stored ? a.host[i + j * a.ld] : conjugate(a.host[j + i * a.ld]);
				w.host[i + j * w.ld] = i == j ? (scalar)real_part(x) : x;
			}
		for (int64_t j = 0; j < n; j++) /* the other triangle is not read */
			for (int64_t i = 0; i < n; i++)
				if (uplos[u] == HEDDLE_LOWER ? i < j : i > j)
					a.host[i + j * a.ld] = NAN;
		device_to(a.device, a.host, a.bytes);
		NAME(gpu_hermitian_full)(NULL, uplos[u], n, a.device, a.ld, w.device, w.ld);
		pair_same(&w);
		pair_drop(&a);
		pair_drop(&w);
	}
}
END_TEST

static scalar sum_on_triangle(bool both, real alpha, scalar w, scalar mirror, real beta, scalar c)
{
	scalar sum = alpha * (both ? w + conjugate(mirror) : w);

	return beta != 0 ? sum + beta * c : sum;
}

/* C := alpha W + beta C and alpha (W + W^H) + beta C; C holds NaNs where beta = 0; with factors that round nowhere */
static void triangle_case(int64_t n, heddle_uplo uplo, bool both, real alpha, real beta)
{
	struct pair w = pair_new(n, n, 11), c = pair_new(n, n, 12);

	for (int64_t i = 0; i < w.ld * n; i++) { /* few bits, so that sums are exact */
		w.host[i] = with_parts((real)round(8 * (double)__real__ w.host[i]), (real)round(8 * (double)__imag__ w.host[i]));
		c.host[i] = with_parts((real)round(8 * (double)__real__ c.host[i]), (real)round(8 * (double)__imag__ c.host[i]));
	}
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < n && beta == 0; i++)
			if (inside(uplo == HEDDLE_LOWER ? LOWER_TRIANGLE : UPPER_TRIANGLE, i, j))
				c.host[i + j * c.ld] = NAN;
	device_to(w.device, w.host, w.bytes);
	device_to(c.device, c.host, c.bytes);
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < n; i++)
			if (inside(uplo == HEDDLE_LOWER ? LOWER_TRIANGLE : UPPER_TRIANGLE, i, j)) {
				scalar x = sum_on_triangle(both, alpha, w.host[i + j * w.ld], w.host[j + i * w.ld], beta, c.host[i + j * c.ld]);
				c.host[i + j * c.ld] = i == j ? (scalar)real_part(x) : x;
			}
	NAME(gpu_add_triangle)(NULL, uplo, both, n, alpha, w.device, w.ld, beta, c.device, c.ld);
	pair_same(&c);
	pair_drop(&w);
	pair_drop(&c);
}

START_TEST(sums_on_triangles)
{
	static const real factors[][2] = { { -1, 1 }, { 2, 0 }, { -0.5, -3 } };

	device_order(_i % ORDERS, 0);
	for (int f = 0; f < 3; f++)
		for (int both = 0; both < 2; both++)
			triangle_case(orders[_i], uplos[(f + both + _i) % 2], both, factors[f][0], factors[f][1]);
}
END_TEST

/* A band in handles, more of them than one launch takes, and pieces of its two diagonals. */
static void diagonal_case(int64_t n, int64_t width, bool hermitian, int64_t kd, int64_t beside, bool scaled)
{
	enum { LD = 5, ABOVE = 2 };
	int64_t count = (n + width - 1) / width, length = n - beside, i0 = n > 4 ? 3 : 0;
	const scalar **handles = malloc((size_t)count * sizeof(*handles));
	int64_t *lds = malloc((size_t)count * sizeof(*lds));
	real factor = (real)0.25, *device_factor = device_copy(&factor, sizeof(factor), "factor");
	scalar *host = malloc((size_t)(LD * n) * sizeof(*host)), *device;
	real *x = calloc((size_t)n, sizeof(*x)), *result = device_copy(x, (size_t)n * sizeof(*x), "diagonal");

	fill(RANDOM, LD, n, host, LD, 13);
	device = device_copy(host, (size_t)(LD * n) * sizeof(*host), "band");
	for (int64_t h = 0; h < count; h++) {
		handles[h] = device + h * width * LD;
		lds[h] = LD;
	}
	struct gpu_band band = { .width = width, .above = ABOVE, .kd = kd, .hermitian = hermitian, .handles = handles, .lds = lds };
	NAME(gpu_band_diagonal)(NULL, &band, beside, i0, length, scaled ? device_factor : NULL, result);
	device_finish();
	device_from(x, result, (size_t)n * sizeof(*x));
	for (int64_t i = i0; i < length; i++) {
		scalar e = hermitian ? host[i * LD + ABOVE + beside] : host[(i + beside) * LD + ABOVE - beside];
		double size = hermitian && beside == 0 ? (double)real_part(e) : cabs((double _Complex)e);
		double expected = beside > kd ? 0 : size * (scaled ? 0.25 : 1);
		ck_assert_double_le(fabs((double)x[i - i0] - expected), 2 * (double)REAL_EPS * fabs(expected));
	}
	for (int64_t i = length > i0 ? length - i0 : 0; i < n; i++)
		ck_assert(x[i] == 0);
	device_free(device);
	device_free(result);
	device_free(device_factor);
	free(host);
	free(x);
	free(lds);
	free(handles);
}

START_TEST(diagonals_of_bands)
{
	static const int64_t cases[][2] = { { 1, 1 }, { 2, 1 }, { 5, 5 }, { 130, 3 }, { 130, 64 }, { 100, 1 }, { 33, 2 } };

	device_order(_i % ORDERS, 0);
	for (int64_t beside = 0; beside < 2; beside++)
		for (int hermitian = 0; hermitian < 2; hermitian++)
			for (int64_t kd = 0; kd < 2; kd++)
				diagonal_case(cases[_i][0], cases[_i][1], hermitian, kd, beside, kd == hermitian);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gpu_hermitian");
	TCase *test = tcase_create("triangles");

	tcase_set_timeout(test, 0);
	tcase_add_loop_test(test, full_from_triangle, 0, ORDERS_OF_MATRICES);
	tcase_add_loop_test(test, sums_on_triangles, 0, ORDERS_OF_MATRICES);
	tcase_add_loop_test(test, diagonals_of_bands, 0, 7);
	suite_add_tcase(suite, test);
	return run_here(suite);
}

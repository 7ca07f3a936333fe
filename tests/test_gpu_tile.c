/* The device's small operations on tiles against their definitions, element by element: what they are to write they write, and nothing
 * else changes.  Maxima see a NaN or an infinity wherever it is. */
#include "tests/device_pair.h"

static const int64_t sizes[][2] = { { 0, 3 }, { 3, 0 }, { 1, 1 }, { 1, 40 }, { 40, 1 }, { 31, 33 },
				   { 32, 32 }, { 33, 31 }, { 64, 65 }, { 100, 20 }, { 17, 90 } };
enum { SIZES = sizeof(sizes) / sizeof(*sizes) };

/* Whole or a trapezoid, adjoint or not, trapezoids also with a real diagonal. */
static void copy_case(int64_t m, int64_t n, enum whole_or_triangle which, bool adjoint, bool hermitian)
{
	struct pair a = pair_new(m, n, 1), b = adjoint ? pair_new(n, m, 2) : pair_new(m, n, 2);
	heddle_uplo uplo = which == LOWER_TRIANGLE ? HEDDLE_LOWER : HEDDLE_UPPER;

	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < m; i++)
			if (inside(which, i, j)) {
				scalar x = a.host[i + j * a.ld];
				x = hermitian && i == j ? (scalar)real_part(x) : x;
				b.host[adjoint ? j + i * b.ld : i + j * b.ld] = adjoint ? conjugate(x) : x;
			}
	if (which == WHOLE)
		(adjoint ? NAME(gpu_copy_adjoint) : NAME(gpu_copy))(NULL, m, n, a.device, a.ld, b.device, b.ld);
	else
		(hermitian ? NAME(gpu_copy_hermitian_part) : NAME(gpu_copy_trapezoid))(NULL, uplo, adjoint, m, n, a.device, a.ld, b.device, b.ld);
	pair_same(&a);
	pair_same(&b);
	pair_drop(&a);
	pair_drop(&b);
}

START_TEST(copies)
{
	device_order(_i % ORDERS, _i % 3);
	for (int which = WHOLE; which <= UPPER_TRIANGLE; which++)
		for (int adjoint = 0; adjoint < 2; adjoint++)
			for (int hermitian = 0; hermitian <= (which != WHOLE); hermitian++)
				copy_case(sizes[_i][0], sizes[_i][1], (enum whole_or_triangle)which, adjoint, hermitian);
}
END_TEST

/* A trapezoid into a band: columns are one element less apart than the storage's, and those of neighbours stay. */
START_TEST(trapezoid_into_a_band)
{
	enum { K = 37, LD = 50 };
	struct pair a = pair_new(K, K, 3), band = pair_new(LD - PAD, K, 4);

	device_order(_i, 0);
	for (int64_t j = 0; j < K; j++)
		for (int64_t i = j; i < K; i++)
			band.host[i - j + j * LD] = a.host[i + j * a.ld];
	NAME(gpu_copy_trapezoid)(NULL, HEDDLE_LOWER, false, K, K, a.device, a.ld, band.device, LD - 1);
	pair_same(&band);
	for (int64_t j = 0; j < K; j++)
		for (int64_t i = j; i < K; i++)
			band.host[i - j + j * LD] = conjugate(a.host[j + i * a.ld]);
	NAME(gpu_copy_trapezoid)(NULL, HEDDLE_UPPER, true, K, K, a.device, a.ld, band.device, LD - 1);
	pair_same(&band);
	pair_drop(&a);
	pair_drop(&band);
}
END_TEST

START_TEST(fills)
{
	int64_t m = sizes[_i][0], n = sizes[_i][1];
	struct pair a = pair_new(m, n, 5);

	device_order(_i % ORDERS, 0);
	for (int64_t diagonal = -2; diagonal <= 35; diagonal += diagonal < 1 ? 1 : 17)
		for (int above = 0; above < 2; above++) {
			for (int64_t j = 0; j < n; j++)
				for (int64_t i = 0; i < m; i++) {
					a.host[i + j * a.ld] = i == j ? (scalar)(real)3 : (scalar)(real)-2;
					if ((above ? j - i : i - j) > diagonal)
						a.host[i + j * a.ld] = 0;
				}
			NAME(gpu_set)(NULL, m, n, -2, 3, a.device, a.ld);
			NAME(gpu_clear)(NULL, m, n, diagonal, above, a.device, a.ld);
			pair_same(&a);
		}
	pair_drop(&a);
}
END_TEST

/* Multiplied exactly, in the triangle alone. */
START_TEST(scaling)
{
	int64_t m = sizes[_i][0], n = sizes[_i][1];
	real factors[] = { 1, (real)0x1p-20, 4 }, *factor = device_copy(factors, sizeof(factors), "factors");

	device_order(_i % ORDERS, 0);
	for (int which = WHOLE; which <= UPPER_TRIANGLE; which++)
		for (int f = 0; f < 3; f++) {
			struct pair a = pair_new(m, n, 6);
			for (int64_t j = 0; j < n; j++)
				for (int64_t i = 0; i < m; i++)
					if (inside((enum whole_or_triangle)which, i, j))
						a.host[i + j * a.ld] *= factors[f];
			NAME(gpu_scale)(NULL, (enum whole_or_triangle)which, m, n, factor + f, a.device, a.ld);
			pair_same(&a);
			pair_drop(&a);
		}
	device_free(factor);
}
END_TEST

/* The maximum of a tile as the device finds it, and the verdict. */
static real amax_of(const struct pair *a, enum whole_or_triangle which, int *verdict)
{
	real *largest = device_new(sizeof(*largest), "largest"), result;
	int zero = 0, *code = device_copy(&zero, sizeof(zero), "verdict");

	device_to(a->device, a->host, a->bytes);
	NAME(gpu_amax_begin)(NULL, largest);
	NAME(gpu_amax)(NULL, which, a->rows, a->columns, a->device, a->ld, largest);
	NAME(gpu_amax_verdict)(NULL, largest, code);
	device_finish();
	device_take(&result, largest, sizeof(result));
	device_take(verdict, code, sizeof(*verdict));
	return result;
}

/* A larger element than all others, at the corners, in the middle, at both ends of the diagonal: found where it counts. */
static void amax_at(struct pair *a, enum whole_or_triangle which, int64_t i, int64_t j, real value, bool imaginary)
{
	scalar *x = &a->host[i + j * a->ld], before = *x;
	bool counts = inside(which, i, j) && !(imaginary && (!IS_COMPLEX || (which != WHOLE && i == j)));
	int verdict;

	*x = imaginary ? with_parts(real_part(before), value) : with_parts(value, 0);
	real result = amax_of(a, which, &verdict);
	if (counts) {
		ck_assert_int_eq(verdict, isfinite(value) ? 0 : HEDDLE_EINPUT);
		ck_assert(isnan(value) ? isnan(result) : result == (real)fabs(value));
	} else {
		ck_assert_int_eq(verdict, 0);
		ck_assert(result <= 1);
	}
	*x = before;
}

START_TEST(largest_modulus)
{
	static const double values[] = { NAN, -NAN, INFINITY, -INFINITY, 2.5, -2.5, REAL_MAX };
	int64_t m = sizes[_i][0], n = sizes[_i][1];
	struct pair a = pair_new(m, n, 7);
	int verdict;

	if (m == 0 || n == 0) {
		ck_assert(amax_of(&a, WHOLE, &verdict) == 0);
		ck_assert_int_eq(verdict, 0);
	}
	for (int which = WHOLE; which <= UPPER_TRIANGLE && m > 0 && n > 0; which++)
		for (int v = 0; v < 7; v++) {
			int64_t least = m < n ? m : n, turn = (which + v) % 5;
			int64_t i = (int64_t[]){ 0, m - 1, m / 2, least - 1, 0 }[turn], j = (int64_t[]){ 0, n - 1, n / 2, least - 1, n - 1 }[turn];
			device_order(v % ORDERS, v % 3);
			amax_at(&a, (enum whole_or_triangle)which, m - 1, n - 1, (real)values[v], v % 2);
			amax_at(&a, (enum whole_or_triangle)which, i, j, (real)values[v], !(v % 2));
		}
	pair_drop(&a);
}
END_TEST

/* Zeros, and denormal numbers, are told apart. */
START_TEST(largest_of_tiny)
{
	struct pair a = pair_new(40, 3, 8);
	int verdict;

	memset(a.host, 0, a.bytes);
	ck_assert(amax_of(&a, WHOLE, &verdict) == 0);
	a.host[2 + a.ld] = REAL_MIN / 1024;
	a.host[39 + 2 * a.ld] = -REAL_MIN / 512;
	ck_assert(amax_of(&a, WHOLE, &verdict) == REAL_MIN / 512);
	ck_assert_int_eq(verdict, 0);
	pair_drop(&a);
}
END_TEST

/* The scale of so many maxima, the largest of them at one place; the formula is that of codelets/safe_scale.c. */
static void scale_of(int64_t count, int64_t at, double largest, int expected_verdict)
{
	real *host = calloc((size_t)count, sizeof(*host)), scale[2];
	const real **maxima = malloc((size_t)count * sizeof(*maxima));
	int middle = sizeof(real) == sizeof(float) ? 40 : 400, exponent, zero = 0, verdict;

	host[at] = (real)largest;
	if (at > 0)
		host[0] = (real)(largest / 2);
	real *device = device_copy(host, (size_t)count * sizeof(*host), "maxima"), *result = device_new(sizeof(scale), "scale");
	int *code = device_copy(&zero, sizeof(zero), "verdict");
	for (int64_t i = 0; i < count; i++)
		maxima[i] = device + i;
	NAME(gpu_safe_scale)(NULL, count, maxima, result, code);
	device_finish();
	device_take(scale, result, sizeof(scale));
	device_take(&verdict, code, sizeof(verdict));
	ck_assert_int_eq(verdict, expected_verdict);
	frexp((double)(real)largest, &exponent);
	int shift = largest == 0 ? 0 : exponent > middle ? middle - exponent : exponent < -middle ? -middle - exponent : 0;
	if (verdict == 0)
		ck_assert(scale[0] == (real)ldexp(1, shift) && scale[1] == (real)ldexp(1, -shift));
	device_free(device);
	free(maxima);
	free(host);
}

START_TEST(safe_scale)
{
	static const int64_t counts[] = { 1, 2, 31, 32, 33, 64, 100 };
	static const double largest[] = { 0, 1, 3, 0x1p39, 0x1p40, 0x1.8p41, 0x1p120, 0x1p-39, 0x1p-41, 0x1.4p-90, 0x1p-140, REAL_MAX, REAL_MIN };

	for (int l = 0; l < (int)(sizeof(largest) / sizeof(*largest)); l++) {
		device_order(l % ORDERS, 0);
		scale_of(counts[_i], (counts[_i] - 1) * (l % 2), largest[l], 0);
	}
	scale_of(counts[_i], counts[_i] - 1, INFINITY, HEDDLE_EINPUT);
	scale_of(counts[_i], counts[_i] / 2, NAN, HEDDLE_EINPUT);
#if !defined(PREC_s) && !defined(PREC_c)
	scale_of(counts[_i], counts[_i] - 1, 0x1p1000, 0);
	scale_of(counts[_i], counts[_i] - 1, 0x1p-1060, 0);
#endif
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gpu_tile");
	TCase *test = tcase_create("tiles");

	tcase_set_timeout(test, 0);
	tcase_add_loop_test(test, copies, 0, SIZES);
	tcase_add_loop_test(test, trapezoid_into_a_band, 0, ORDERS);
	tcase_add_loop_test(test, fills, 0, SIZES);
	tcase_add_loop_test(test, scaling, 0, SIZES);
	tcase_add_loop_test(test, largest_modulus, 0, SIZES);
	tcase_add_test(test, largest_of_tiny);
	tcase_add_loop_test(test, safe_scale, 0, 7);
	suite_add_tcase(suite, test);
	return run_here(suite);
}

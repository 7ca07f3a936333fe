/* Generated matrices have the singular values that come with them (LAPACK's gesdd agrees to max(m, n) eps), are dense, and
 * are the same on every machine. */
#include <float.h>
#include <math.h>
#include <lapacke.h>
#include "tests/io_test.h"
#include "tools/io/spectrum.h"

static const struct {
	const char *name;
	double cond;
} spectra[] = { { "arith", 100 }, { "arith", 1 }, { "log", 1e6 }, { "log", 1e300 }, { "quarter-circle", 1 } };

static const struct {
	int64_t m, n;
} shapes[] = {
	{ 0, 0 }, { 0, 3 }, { 3, 0 }, { 1, 1 }, { 1, 2 }, { 2, 1 }, { 2, 2 }, { 3, 3 }, { 1, 100 }, { 100, 1 }, { 4, 7 }, { 7, 4 },
	{ 16, 16 }, { 17, 17 }, { 31, 33 }, { 64, 64 }, { 65, 63 }, { 100, 10 }, { 10, 100 }, { 127, 127 }, { 129, 40 }, { 40, 129 }
};
enum { shape_count = sizeof shapes / sizeof shapes[0] };

static struct dense make(heddle_type type, int64_t m, int64_t n, int spectrum, uint64_t seed, double **values)
{
	struct dense d;
	struct io_error error = { "" };
	ck_assert_msg(matrix_random(type, m, n, spectra[spectrum].name, spectra[spectrum].cond, seed, &d, values, &error) == 0, "%s",
		error.text);
	ck_assert(d.type == type && d.m == m && d.n == n);
	ck_assert_ptr_nonnull(*values);
	return d;
}

/* Singular values by LAPACK; the matrix is destroyed. */
static void lapack_values(struct dense *d, double *values)
{
	const lapack_int m = (lapack_int)d->m, n = (lapack_int)d->n;
	const int64_t k = m < n ? m : n;
	float *singles = malloc((size_t)(k + 1) * sizeof(float)), dummy[2];
	double none[2];
	lapack_int status;
	ck_assert_ptr_nonnull(singles);
	if (d->type == HEDDLE_S)
		status = LAPACKE_sgesdd(LAPACK_COL_MAJOR, 'N', m, n, d->a, m, singles, dummy, 1, dummy, 1);
	else if (d->type == HEDDLE_D)
		status = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, n, d->a, m, values, none, 1, none, 1);
	else if (d->type == HEDDLE_C)
		status = LAPACKE_cgesdd(LAPACK_COL_MAJOR, 'N', m, n, d->a, m, singles, (void *)dummy, 1, (void *)dummy, 1);
	else
		status = LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'N', m, n, d->a, m, values, (void *)none, 1, (void *)none, 1);
	ck_assert_int_eq(status, 0);
	for (int64_t i = 0; i < k && type_is_single(d->type); i++)
		values[i] = (double)singles[i];
	free(singles);
}

START_TEST(values_are_right)
{
	const heddle_type type = (heddle_type)"sdcz"[_i / 5];
	const int spectrum = _i % 5;
	const double eps = type_is_single(type) ? (double)FLT_EPSILON / 2 : DBL_EPSILON / 2;
	for (int s = 0; s < shape_count; s++) {
		const int64_t m = shapes[s].m, n = shapes[s].n, k = m < n ? m : n, longer = m < n ? n : m;
		double *values, *found = malloc((size_t)(k + 1) * sizeof(double)), error = 0;
		struct dense d = make(type, m, n, spectrum, 42, &values);
		ck_assert_ptr_nonnull(found);
		if (k > 0) {
			lapack_values(&d, found);
			for (int64_t i = 0; i < k; i++)
				error = fmax(error, fabs(found[i] - values[i]) / (values[0] * eps));
		}
		ck_assert_msg(error <= 16 + 0.25 * (double)longer, "%lld by %lld: %g eps", (long long)m, (long long)n, error);
		free(found);
		free(values);
		dense_free(&d);
	}
}
END_TEST

START_TEST(spectra_are_as_described)
{
	enum { k = 1001 };
	double *v = malloc(k * sizeof(double)), sum = 0;
	ck_assert_ptr_nonnull(v);
	ck_assert(spectrum_values("arith", 50, k, v));
	for (int i = 0; i < k; i++)
		ck_assert_double_eq_tol(v[i], 1 - i / 1000.0 * (1 - 1 / 50.0), 1e-15);
	ck_assert(v[0] == 1 && v[k - 1] == 1 / 50.0);
	for (int c = 0; c < 4; c++) {
		const double cond = (double[]){ 1, 3, 5, 1e12 }[c];
		ck_assert(spectrum_values("log", cond, k, v));
		for (int i = 0; i < k; i++)
			ck_assert_double_eq_tol(v[i] * pow(cond, i / 1000.0), 1, 1e-14);
		ck_assert(v[0] == 1 && v[k - 1] == 1 / cond);
	}
	/* distribution (2/pi)(x sqrt(1 - x^2) + asin x); the mean square is 1/4 */
	ck_assert(spectrum_values("quarter-circle", 1, k, v));
	for (int i = 0; i < k; i++) {
		ck_assert_double_eq_tol((v[i] * sqrt(1 - v[i] * v[i]) + asin(v[i])) * 2 / acos(-1), (k - i - 0.5) / k, 1e-14);
		ck_assert(v[i] > 0 && v[i] < 1 && (i == 0 || v[i] < v[i - 1]));
		sum += v[i] * v[i] / k;
	}
	ck_assert_double_eq_tol(sum, 0.25, 1e-5);
	free(v);
}
END_TEST

/* No element is far above the mean, few are far below: nothing of the diagonal shows. */
START_TEST(matrices_are_dense)
{
	static const int64_t orders[] = { 128, 129, 255, 200 };
	for (int s = 0; s < 4; s++) {
		for (const char *type = "dz"; *type; type++) {
			const int64_t n = orders[s];
			double *values, norm2 = 0, largest = 0;
			struct dense d = make((heddle_type)*type, n, s == 3 ? 60 : n, 2, 7, &values);
			int64_t small = 0;
			for (int64_t k = 0; k < n * d.n; k++) {
				double x = cabs(element(&d, k % n, k / n));
				norm2 += x * x;
				largest = fmax(largest, x);
			}
			for (int64_t k = 0; k < n * d.n; k++)
				small += cabs(element(&d, k % n, k / n)) < 0.01 * sqrt(norm2 / (double)(n * d.n));
			ck_assert_msg(largest < 12 * sqrt(norm2 / (double)(n * d.n)), "%c %lld: %g", *type, (long long)n, largest);
			ck_assert_msg(small < n * d.n / 10, "%c %lld: %lld small", *type, (long long)n, (long long)small);
			free(values);
			dense_free(&d);
		}
	}
}
END_TEST

static uint64_t hash(const struct dense *d)
{
	const size_t part = type_is_single(d->type) ? 4 : 8, parts = (size_t)(d->m * d->n) * (type_is_complex(d->type) ? 2 : 1);
	uint64_t h = 14695981039346656037u;
	for (size_t k = 0; k < parts; k++) {
		uint64_t bits = 0;
		uint32_t half;
		if (part == 4) {
			memcpy(&half, (const char *)d->a + 4 * k, 4);
			bits = half;
		} else {
			memcpy(&bits, (const char *)d->a + 8 * k, 8);
		}
		h = (h ^ bits) * 1099511628211u;
		h ^= h >> 29;
	}
	return h;
}

/* The sums were taken from an x86-64 build; they stand for every machine with IEEE arithmetic. */
START_TEST(bits_are_the_same_everywhere)
{
	static const struct {
		heddle_type type;
		int64_t m, n;
		int spectrum;
		uint64_t seed, sum;
	} cases[] = {
		{ HEDDLE_D, 100, 100, 0, 1, 0x2183cca73114eeb7u },
		{ HEDDLE_S, 33, 70, 2, 2, 0x4ddc704450b6507bu },
		{ HEDDLE_Z, 65, 64, 4, 3, 0xbb3974548def90feu },
		{ HEDDLE_C, 20, 50, 2, 4, 0x28a6f773a307a0c6u },
	};
	double *values;
	struct dense d = make(cases[_i].type, cases[_i].m, cases[_i].n, cases[_i].spectrum, cases[_i].seed, &values);
	ck_assert_msg(hash(&d) == cases[_i].sum, "case %d: 0x%llx", _i, (unsigned long long)hash(&d));
	free(values);
	dense_free(&d);
}
END_TEST

START_TEST(seeds_differ)
{
	double *values;
	uint64_t sums[3];
	for (int i = 0; i < 3; i++) {
		struct dense d = make(HEDDLE_D, 9, 9, 0, i == 2 ? 0 : (uint64_t)i, &values);
		sums[i] = hash(&d);
		free(values);
		dense_free(&d);
	}
	ck_assert(sums[0] != sums[1] && sums[0] == sums[2]);
}
END_TEST

START_TEST(bad_arguments_are_refused)
{
	static const struct {
		heddle_type type;
		int64_t m, n;
		const char *spectrum;
		double cond;
		const char *message;
	} cases[] = {
		{ HEDDLE_D, -1, 2, "arith", 10, "a random matrix of -1 by 2" },
		{ HEDDLE_D, 2, 2, "linear", 10, "unknown spectrum \"linear\": expected arith, log or quarter-circle" },
		{ HEDDLE_D, 2, 2, "log", 0.5, "a condition number of 0.5" },
		{ HEDDLE_D, 2, 2, "log", NAN, "a condition number of" },
		{ HEDDLE_D, 2, 2, "log", INFINITY, "a condition number of inf" },
		{ (heddle_type)0, 2, 2, "log", 1, "has type s, d, c or z" },
		{ HEDDLE_C, 10000000, 10000000, "log", 1, "a 10000000 by 10000000 matrix of type c needs 7.451e+05 GiB" },
		{ HEDDLE_D, 4000000000000, 4000000000000, "log", 1, "GiB are available" },
	};
	struct dense d = { .a = &d };
	double *values = &(double){ 0 };
	struct io_error error = { "" };
	int status = matrix_random(cases[_i].type, cases[_i].m, cases[_i].n, cases[_i].spectrum, cases[_i].cond, 1, &d, &values, &error);
	ck_assert_int_eq(status, -1);
	ck_assert(d.a == NULL && values == NULL);
	ck_assert_msg(strstr(error.text, cases[_i].message) != NULL, "%s", error.text);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("random");
	tcase_add_loop_test(tcase, values_are_right, 0, 20);
	tcase_add_test(tcase, spectra_are_as_described);
	tcase_add_test(tcase, matrices_are_dense);
	tcase_add_loop_test(tcase, bits_are_the_same_everywhere, 0, 4);
	tcase_add_test(tcase, seeds_differ);
	tcase_add_loop_test(tcase, bad_arguments_are_refused, 0, 8);
	return run_case("io_random", tcase);
}

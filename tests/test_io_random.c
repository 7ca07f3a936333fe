/* Generated matrices have the singular values or eigenvalues that come with them (LAPACK agrees to max(m, n) eps), are dense, and are the
 * same on every machine; Hermitian ones are so to the last bit. */
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

static const struct {
	const char *name;
	bool positive;
	double cond;
} hermitian_spectra[] = { { "arith", false, 100 }, { "arith", true, 1 }, { "log", false, 1e6 }, { "log", true, 1e300 },
			  { "semicircle", false, 1 } };

static struct dense make_hermitian(heddle_type type, int64_t n, int spectrum, uint64_t seed, double **values)
{
	struct dense d;
	struct io_error error = { "" };
	ck_assert_msg(matrix_random_hermitian(type, n, hermitian_spectra[spectrum].name, hermitian_spectra[spectrum].positive,
		hermitian_spectra[spectrum].cond, seed, &d, values, &error) == 0, "%s", error.text);
	ck_assert(d.type == type && d.m == n && d.n == n);
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

static void lapack_eigenvalues(struct dense *d, double *values)
{
	const lapack_int n = (lapack_int)d->n;
	float *singles = malloc((size_t)(n + 1) * sizeof(float));
	lapack_int status;
	ck_assert_ptr_nonnull(singles);
	if (d->type == HEDDLE_S)
		status = LAPACKE_ssyevd(LAPACK_COL_MAJOR, 'N', 'L', n, d->a, n, singles);
	else if (d->type == HEDDLE_D)
		status = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'N', 'L', n, d->a, n, values);
	else if (d->type == HEDDLE_C)
		status = LAPACKE_cheevd(LAPACK_COL_MAJOR, 'N', 'L', n, d->a, n, singles);
	else
		status = LAPACKE_zheevd(LAPACK_COL_MAJOR, 'N', 'L', n, d->a, n, values);
	ck_assert_int_eq(status, 0);
	for (int64_t i = 0; i < n && type_is_single(d->type); i++)
		values[i] = (double)singles[i];
	free(singles);
}

START_TEST(eigenvalues_are_right)
{
	static const int64_t orders[] = { 0, 1, 2, 3, 8, 9, 16, 31, 33, 64, 127, 129 };
	const heddle_type type = (heddle_type)"sdcz"[_i / 5];
	const int spectrum = _i % 5;
	const double eps = type_is_single(type) ? (double)FLT_EPSILON / 2 : DBL_EPSILON / 2;
	for (int s = 0; s < 12; s++) {
		const int64_t n = orders[s];
		double *values, *found = malloc((size_t)(n + 1) * sizeof(double)), error = 0, norm = 0;
		struct dense d = make_hermitian(type, n, spectrum, 42, &values);
		ck_assert_ptr_nonnull(found);
		for (int64_t j = 0; j < n; j++)
			for (int64_t i = j; i < n; i++)
				ck_assert(element(&d, i, j) == conj(element(&d, j, i)));
		if (n > 0)
			lapack_eigenvalues(&d, found);
		for (int64_t i = 0; i < n; i++)
			norm = fmax(norm, fabs(values[i]));
		for (int64_t i = 0; i < n; i++)
			error = fmax(error, fabs(found[i] - values[i]) / eps);
		ck_assert_msg(error <= (32 + 0.25 * (double)n) * norm, "%lld: %g eps", (long long)n, error / norm);
		free(found);
		free(values);
		dense_free(&d);
	}
}
END_TEST

START_TEST(hermitian_spectra_are_as_described)
{
	enum { k = 100 };
	double v[k], plain[k];
	for (int c = 0; c < 2; c++) {
		const char *name = c ? "log" : "arith";
		ck_assert(spectrum_values(name, 1e4, k, plain));
		ck_assert(hermitian_spectrum_values(name, true, 1e4, k, v));
		for (int i = 0; i < k; i++)
			ck_assert(v[i] == plain[k - 1 - i]);
		ck_assert(hermitian_spectrum_values(name, false, 1e4, k, v));
		for (int i = 0; i < k / 2; i++)
			ck_assert(v[i] == -plain[2 * i + 1] && v[k - 1 - i] == plain[2 * i]);
	}
	/* distribution 1/2 + (x sqrt(1 - x^2) + asin x)/pi */
	ck_assert(hermitian_spectrum_values("semicircle", false, 1, k, v));
	for (int i = 0; i < k; i++) {
		ck_assert_double_eq_tol(0.5 + (v[i] * sqrt(1 - v[i] * v[i]) + asin(v[i])) / acos(-1), (i + 0.5) / k, 1e-14);
		ck_assert(v[i] == -v[k - 1 - i]);
	}
	ck_assert(!hermitian_spectrum_values("quarter-circle", false, 1, k, v));
	ck_assert(!spectrum_values("semicircle", 1, k, v));
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
static void check_dense(const struct dense *d, double most)
{
	double norm2 = 0, largest = 0, mean;
	int64_t small = 0, count = d->m * d->n;
	for (int64_t k = 0; k < count; k++) {
		double x = cabs(element(d, k % d->m, k / d->m));
		norm2 += x * x;
		largest = fmax(largest, x);
	}
	mean = sqrt(norm2 / (double)count);
	for (int64_t k = 0; k < count; k++)
		small += cabs(element(d, k % d->m, k / d->m)) < 0.01 * mean;
	ck_assert_msg(largest < most * mean, "%c %lld: %g", (int)d->type, (long long)d->m, largest);
	ck_assert_msg(small < count / 10, "%c %lld: %lld small", (int)d->type, (long long)d->m, (long long)small);
}

START_TEST(matrices_are_dense)
{
	static const int64_t orders[] = { 128, 129, 255, 200 };
	for (int s = 0; s < 4; s++) {
		for (const char *type = "dz"; *type; type++) {
			const int64_t n = orders[s];
			double *values;
			struct dense d = make((heddle_type)*type, n, s == 3 ? 60 : n, 2, 7, &values);
			check_dense(&d, 12);
			free(values);
			dense_free(&d);
			for (int spectrum = 0; spectrum < 5; spectrum += 2) {
				d = make_hermitian((heddle_type)*type, n, spectrum, 7, &values);
				check_dense(&d, 24); /* both factors are the same: what adds up does so twice */
				free(values);
				dense_free(&d);
			}
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
		{ HEDDLE_D, 100, 100, 0, 1, 0x63547409a58c7c97u }, /* from here on Hermitian ones */
		{ HEDDLE_C, 64, 64, 4, 2, 0xba333270aba372d5u },
	};
	double *values;
	struct dense d = _i < 4 ? make(cases[_i].type, cases[_i].m, cases[_i].n, cases[_i].spectrum, cases[_i].seed, &values)
		: make_hermitian(cases[_i].type, cases[_i].n, cases[_i].spectrum, cases[_i].seed, &values);
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

START_TEST(bad_hermitian_arguments_are_refused)
{
	struct dense d;
	double *values;
	struct io_error error = { "" };
	ck_assert_int_eq(matrix_random_hermitian(HEDDLE_D, 3, "quarter-circle", false, 10, 1, &d, &values, &error), -1);
	ck_assert_msg(strstr(error.text, "expected arith, log or semicircle") != NULL, "%s", error.text);
	ck_assert_int_eq(matrix_random_hermitian(HEDDLE_D, -3, "log", false, 10, 1, &d, &values, &error), -1);
	ck_assert_int_eq(matrix_random_hermitian(HEDDLE_D, 3, "log", false, 0.1, 1, &d, &values, &error), -1);
	ck_assert_msg(strstr(error.text, "a condition number of 0.1") != NULL, "%s", error.text);
	ck_assert(d.a == NULL && values == NULL);
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
	tcase_add_loop_test(tcase, eigenvalues_are_right, 0, 20);
	tcase_add_test(tcase, spectra_are_as_described);
	tcase_add_test(tcase, hermitian_spectra_are_as_described);
	tcase_add_test(tcase, matrices_are_dense);
	tcase_add_loop_test(tcase, bits_are_the_same_everywhere, 0, 6);
	tcase_add_test(tcase, seeds_differ);
	tcase_add_loop_test(tcase, bad_arguments_are_refused, 0, 8);
	tcase_add_test(tcase, bad_hermitian_arguments_are_refused);
	return run_case("io_random", tcase);
}

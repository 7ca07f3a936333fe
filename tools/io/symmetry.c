/* Whether a matrix is symmetric or Hermitian, and making it so. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tools/io/readers.h"

enum { block = 32 }; /* rows and columns looked at together: A(i,j) and A(j,i) lie far apart */

/* NaN equals nothing.  An element of the diagonal is its own conjugate if it is real. */
static inline bool conjugates(struct number a, struct number b)
{
	return a.re == b.re && a.im == -b.im;
}

/* The first pair of columns j to end - 1, of the least column and in it of the least row, that differs.  Returns false if none does. */
static bool find_pair(const struct dense *d, int64_t begin, int64_t end, int64_t *row, int64_t *column)
{
	bool found = false;
	for (int64_t first = begin; first < d->m; first += block) {
		const int64_t last = first + block < d->m ? first + block : d->m;
		for (int64_t j = begin; j < (found ? *column : end); j++) {
			for (int64_t i = first > j ? first : j; i < last; i++) {
				if (!conjugates(dense_get(d, i + j * d->m), dense_get(d, j + i * d->m))) {
					*row = i;
					*column = j;
					found = true;
					break;
				}
			}
		}
	}
	return found;
}

static bool is_nan(struct number x)
{
	return isnan(x.re) || isnan(x.im);
}

static void write_number(char text[64], const struct dense *d, struct number x, int digits)
{
	if (type_is_complex(d->type))
		snprintf(text, 64, "%.*g%+.*gi", digits, x.re, digits, x.im);
	else
		snprintf(text, 64, "%.*g", digits, x.re);
}

/* The two numbers with as many digits as show that they are not conjugates. */
static void write_pair(char a_text[64], char b_text[64], const struct dense *d, struct number a, struct number b)
{
	char mirrored[64];
	for (int digits = 6; digits <= 17; digits++) {
		write_number(a_text, d, a, digits);
		write_number(b_text, d, b, digits);
		write_number(mirrored, d, (struct number){ b.re, -b.im }, digits);
		if (strcmp(a_text, mirrored) != 0)
			return;
	}
}

static void describe(const struct dense *d, const char *name, int64_t i, int64_t j, struct io_error *error)
{
	const struct number upper = dense_get(d, j + i * d->m), lower = dense_get(d, i + j * d->m);
	const char *kind = type_is_complex(d->type) ? "Hermitian" : "symmetric";
	const char *what = type_is_complex(d->type) ? " are not each other's conjugate" : " differ";
	char a[64], b[64];
	write_pair(a, b, d, upper, lower);
	if (is_nan(upper) || is_nan(lower))
		snprintf(error->text, sizeof error->text, "%.200s: row %lld, column %lld holds a NaN", name,
			(long long)(is_nan(lower) ? i : j) + 1, (long long)(is_nan(lower) ? j : i) + 1);
	else if (i == j)
		snprintf(error->text, sizeof error->text, "%.200s: not Hermitian: row %lld, column %lld holds %s, which is not real; "
			"--symmetrize takes the real part", name, (long long)i + 1, (long long)i + 1, a);
	else
		snprintf(error->text, sizeof error->text, "%.140s: not %s: %s (row %lld, column %lld) and %s (row %lld, column %lld)%s; "
			"--symmetrize averages such pairs", name, kind, a, (long long)j + 1, (long long)i + 1, b, (long long)i + 1,
			(long long)j + 1, what);
}

int matrix_hermitian(const struct dense *d, const char *name, struct io_error *error)
{
	int64_t row, column;
	for (int64_t j = 0; j < d->n; j += block) {
		if (find_pair(d, j, j + block < d->n ? j + block : d->n, &row, &column)) {
			describe(d, name, row, column, error);
			return -1;
		}
	}
	return 0;
}

/* Half the sum, of which the sum would overflow. */
static double mean(double a, double b)
{
	return a == b ? a : a / 2 + b / 2;
}

static void average(struct dense *d, int64_t i, int64_t j)
{
	const struct number a = dense_get(d, i + j * d->m), b = dense_get(d, j + i * d->m);
	const double re = mean(a.re, b.re), im = i == j ? 0 : mean(a.im, -b.im);
	dense_set(d, j + i * d->m, re, -im);
	dense_set(d, i + j * d->m, re, im);
}

void matrix_symmetrize(struct dense *d)
{
	for (int64_t j = 0; j < d->n; j += block)
		for (int64_t first = j; first < d->m; first += block)
			for (int64_t c = j; c < j + block && c < d->n; c++)
				for (int64_t i = first > c ? first : c; i < first + block && i < d->m; i++)
					average(d, i, c);
}

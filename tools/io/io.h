/* What the program reads and writes: dense matrices in the common file formats, matrices with known values, and
 * computed values and matrices.  Nothing here prints or exits: a failure is a sentence in a struct io_error. */
#ifndef HEDDLE_TOOLS_IO_H
#define HEDDLE_TOOLS_IO_H

#include <stdbool.h>
#include <heddle/types.h>

/* A dense matrix in memory: element i,j at a[i + j*m].  a is never NULL, not even where m or n is 0. */
struct dense {
	heddle_type type;
	int64_t m, n;
	void *a;
};

/* Free what matrix_read or matrix_random made.  May be repeated. */
void dense_free(struct dense *d);

/* What went wrong, and where: "FILE:LINE: what is wrong", "FILE: byte N: what is wrong" in binary files, or "FILE: ...". */
struct io_error {
	char text[512];
};

/* Read a matrix from FILE ("-": standard input): Matrix Market, .npy or separated values (csv), told apart by content.
 *
 * type is 's', 'd', 'c' or 'z'; 0 takes the file's own: real, integer, pattern and csv give d, complex z, .npy what it says.
 * Real numbers are rounded once, to nearest, to the type asked for; a number too large for it is an error, as is a complex
 * file read into a real type.  NaN and infinity are numbers here.
 *
 * A matrix that does not fit the memory available now is refused before it is allocated.
 * Returns 0, or -1 with *error filled; then nothing is allocated and *out is empty. */
int matrix_read(const char *file, heddle_type type, struct dense *out, struct io_error *error);

/* An m by n matrix U diag(values) V^H with known singular values, min(m, n) of them, largest first, in *values (for free()).
 *
 * spectrum is "arith" (evenly spaced from 1 down to 1/cond), "log" (geometric, from 1 down to 1/cond) or "quarter-circle"
 * (quantiles of the density sqrt(1 - x^2) on [0, 1], as the values of a large Gaussian matrix; cond is not used).
 *
 * The matrix is dense and made in O(m n log max(m, n)) operations.  Its bits depend on the arguments alone, not on the machine.
 * It is computed in double and rounded to the type, so its true singular values are within a few eps of *values.
 * Returns 0, or -1 with *error filled; then nothing is allocated, *out is empty and *values NULL. */
int matrix_random(heddle_type type, int64_t m, int64_t n, const char *spectrum, double cond, uint64_t seed, struct dense *out,
	double **values, struct io_error *error);

/* A real symmetric or complex Hermitian matrix Q diag(values) Q^H with known eigenvalues, ascending.  A(j,i) is the conjugate of A(i,j)
 * to the last bit, and the diagonal is real.
 *
 * spectrum is "arith" or "log", with the magnitudes above, every other one of them negative unless positive is set (the largest is
 * not); or "semicircle" (quantiles of the density sqrt(1 - x^2) on [-1, 1], as the values of a large symmetric Gaussian matrix).
 * All else as for matrix_random. */
int matrix_random_hermitian(heddle_type type, int64_t n, const char *spectrum, bool positive, double cond, uint64_t seed,
	struct dense *out, double **values, struct io_error *error);

/* Whether A(j,i) is the conjugate of A(i,j) everywhere.  Returns 0; or -1, with *error naming the matrix and the first pair that
 * differs, the first element of the diagonal that is not real, or a NaN.  d is square. */
int matrix_hermitian(const struct dense *d, const char *name, struct io_error *error);

/* A := (A + A^H)/2, and pairs that agree stay as they are.  d is square. */
void matrix_symmetrize(struct dense *d);

/* The type of least size that holds the numbers of both. */
heddle_type type_of_both(heddle_type a, heddle_type b);

/* Make *d a matrix of the type, which holds all numbers of its own.  Returns 0, or -1 with *error filled and *d as it was. */
int matrix_widen(struct dense *d, heddle_type type, struct io_error *error);

/* Write k real values to FILE: float where type is 's' or 'c', else double.  A name that ends in .npy gets a one-dimensional
 * array, any other name text, a value a line with as many digits as bring the same bits back.  "-" is standard output, as text.
 *
 * A regular file appears whole or not at all: it is written under another name beside FILE, and renamed.
 * Returns 0, or -1 with *error filled. */
int values_write(const char *file, heddle_type type, int64_t k, const void *values, struct io_error *error);

/* The same for a matrix.  format is "csv" (a row a line; complex numbers as 1+2j), "mtx" (Matrix Market, an array) or "npy"; NULL: as
 * the end of the name says, csv where it says none of them.  As csv, a matrix without elements is an empty file. */
int matrix_write(const char *file, const char *format, const struct dense *d, struct io_error *error);

#endif

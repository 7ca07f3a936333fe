/* The band object: column storage with room for the bulges of the chase, cut into handles of `width` columns.
 *
 * B(i,j) is at data[j*ld + above + i - j]; an upper band of kd superdiagonals has room for 2 kd - 1 above the diagonal and kd - 1
 * below; of a Hermitian one the lower triangle is stored, with room for 2 kd - 1 below; and there is a cache line more at both
 * ends.  Seen with stride ld - 1 any part of it is a dense column-major matrix.  Outside the band there are zeros. */
#ifndef RUNTIME_BAND_H
#define RUNTIME_BAND_H

#include "runtime/matrix.h"
#include "runtime/sequence.h"

struct heddle_band {
	heddle_type type;
	bool hermitian;
	heddle_uplo uplo; /* of LAPACK storage */
	int64_t n, kd;   /* kd >= 1 */
	int64_t stored;  /* sub- or superdiagonals in LAPACK storage; kd is that cut to 1 .. n-1 */
	int64_t above, ld;
	int64_t width;   /* columns a handle */
	int64_t count;   /* handles */
	handle *handles;
	void *data;
};

/* Forget the band once the sequence is done with it.  NULL is allowed. */
void band_release(heddle_sequence *sequence, heddle_band *band);

/* Like heddle_band_create and heddle_band_create_hermitian, with the width of a handle (0: a few times kd). */
heddle_band *band_new(heddle_type type, int64_t n, int64_t kd, int64_t width);
heddle_band *band_new_hermitian(heddle_type type, heddle_uplo uplo, int64_t n, int64_t kd, int64_t width);

#endif

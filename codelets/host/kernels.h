/* Numerical kernels that BLAS and LAPACK lack, compiled per precision and instruction set (codelets/host/isa.h).
 *
 * A new kernel: its prototype below, a member of the table, a line in codelets/host/table.c, its file in the list
 * host_kernels (or real_host_kernels) of CMakeLists.txt.  It is called as NAME(host)()->kernel(...). */
#ifndef CODELETS_HOST_KERNELS_H
#define CODELETS_HOST_KERNELS_H

#include "codelets/host/chase.h"
#include "codelets/host/isa.h"
#include "codelets/host/solve.h"
#include "codelets/host/sturm.h"

/* codelets/host/chase.c, codelets/host/chase_hermitian.c */
void HOST(chase)(const struct chase_part *part, scalar *columns, scalar *work);
void HOST(chase_hermitian)(const struct chase_part *part, scalar *columns, scalar *work);

/* codelets/host/solve_block.c: solve with a triangle of order k <= SOLVE_BLOCK for any number of right-hand sides. */
void HOST(solve_block)(struct solve_kind kind, int64_t k, int64_t many, scalar alpha, const scalar *a, int64_t lda, scalar *b, int64_t ldb);

#if !IS_COMPLEX
/* codelets/host/qr_narrow.c: A (m by n, m >= n, n <= QR_NARROW) = (I - V T V^T) R: A becomes V, explicit; R and T are n by n, upper triangular
 * (R's lower part is not touched). */
enum { QR_NARROW = 16 };
void HOST(qr_narrow)(int64_t m, int64_t n, scalar *a, int64_t lda, scalar *r, int64_t ldr, scalar *t, int64_t ldt);

/* codelets/host/sturm.c: counts and determinants at any number of points, at least m->floor from 0; or the determinants alone, which
 * is faster.  codelets/host/sturm_careful.c: counts and determinants, wherever the points are. */
void HOST(sturm_count)(const struct sturm *m, int64_t number, struct sturm_point *points);
void HOST(sturm_sign)(const struct sturm *m, int64_t number, struct sturm_point *points);
void HOST(sturm_careful)(const struct sturm *m, int64_t number, struct sturm_point *points);
#endif

/* The kernels of one instruction set. */
struct NAME(host_kernels) {
	void (*chase)(const struct chase_part *part, scalar *columns, scalar *work);
	void (*chase_hermitian)(const struct chase_part *part, scalar *columns, scalar *work);
	void (*solve_block)(struct solve_kind kind, int64_t k, int64_t many, scalar alpha, const scalar *a, int64_t lda, scalar *b, int64_t ldb);
#if !IS_COMPLEX
	void (*qr_narrow)(int64_t m, int64_t n, scalar *a, int64_t lda, scalar *r, int64_t ldr, scalar *t, int64_t ldt);
	void (*sturm_count)(const struct sturm *m, int64_t number, struct sturm_point *points);
	void (*sturm_sign)(const struct sturm *m, int64_t number, struct sturm_point *points);
	void (*sturm_careful)(const struct sturm *m, int64_t number, struct sturm_point *points);
#endif
};

extern const struct NAME(host_kernels) PREC_CAT(NAME(host_kernels), _base);
#ifdef HAVE_ISA_v3
extern const struct NAME(host_kernels) PREC_CAT(NAME(host_kernels), _v3);
#endif
#ifdef HAVE_ISA_v4
extern const struct NAME(host_kernels) PREC_CAT(NAME(host_kernels), _v4);
#endif

/* The kernels that suit this processor best. */
const struct NAME(host_kernels) *NAME(host)(void);

#endif

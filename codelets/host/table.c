/* The kernels of this instruction set, for codelets/host/dispatch.c to pick. */
#include "codelets/host/kernels.h"

const struct NAME(host_kernels) HOST(host_kernels) = {
	.chase = HOST(chase),
	.chase_hermitian = HOST(chase_hermitian),
	.solve_block = HOST(solve_block),
#if !IS_COMPLEX
	.qr_narrow = HOST(qr_narrow),
	.sturm_count = HOST(sturm_count),
	.sturm_sign = HOST(sturm_sign),
	.sturm_careful = HOST(sturm_careful),
#endif
};

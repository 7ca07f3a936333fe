/* Picks the kernels of this precision by the processor's instruction set. */
#include "codelets/host/kernels.h"
#include "codelets/host/level.h"

const struct NAME(host_kernels) *NAME(host)(void)
{
	switch (host_level()) {
#ifdef HAVE_ISA_v4
	case ISA_LEVEL_V4:
		return &PREC_CAT(NAME(host_kernels), _v4);
#endif
#ifdef HAVE_ISA_v3
	case ISA_LEVEL_V3:
		return &PREC_CAT(NAME(host_kernels), _v3);
#endif
	default:
		return &PREC_CAT(NAME(host_kernels), _base);
	}
}

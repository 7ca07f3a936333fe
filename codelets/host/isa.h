/* Host kernels that are ours are compiled once per precision and instruction set (-DISA_base, _v3, _v4); HOST(x) is such a symbol,
 * d_x_v3.  Their files are plain C that the compiler vectorises; host() picks the set for this processor. */
#ifndef CODELETS_HOST_ISA_H
#define CODELETS_HOST_ISA_H

#include "runtime/prec.h"

#if defined(ISA_v4)
#define HOST(x) PREC_CAT(NAME(x), _v4)
#elif defined(ISA_v3)
#define HOST(x) PREC_CAT(NAME(x), _v3)
#else
#define HOST(x) PREC_CAT(NAME(x), _base)
#endif

#endif

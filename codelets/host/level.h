/* The instruction set that host kernels are picked for. */
#ifndef CODELETS_HOST_LEVEL_H
#define CODELETS_HOST_LEVEL_H

/* The x86-64 levels v3 (AVX2, FMA) and v4 (AVX-512); BASE is whatever the library is compiled for, on any architecture. */
enum host_level { ISA_LEVEL_BASE, ISA_LEVEL_V3, ISA_LEVEL_V4 };

/* The highest level that was compiled and that this processor has, or what the environment variable HEDDLE_ISA (base, v3 or
 * v4) asks for, if that is lower.  Found once. */
enum host_level host_level(void);

/* Its name. */
const char *host_isa(void);

#endif

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "codelets/host/level.h"

static const char *const names[] = { "base", "v3", "v4" };

static enum host_level processor_level(void)
{
#ifdef HAVE_ISA_v3
	__builtin_cpu_init();
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
	bool v3 = __builtin_cpu_supports("x86-64-v3");
#else
	bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
		  __builtin_cpu_supports("bmi2");
#endif
#ifdef HAVE_ISA_v4
	if (v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
	    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
		return ISA_LEVEL_V4;
#endif
	if (v3)
		return ISA_LEVEL_V3;
#endif
	return ISA_LEVEL_BASE;
}

static enum host_level level;

static void find_level(void)
{
	const char *wanted = getenv("HEDDLE_ISA");

	level = processor_level();
	for (int i = ISA_LEVEL_BASE; wanted && i < (int)level; i++)
		if (strcmp(wanted, names[i]) == 0)
			level = (enum host_level)i;
}

enum host_level host_level(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_level);
	return level;
}

const char *host_isa(void)
{
	return names[host_level()];
}

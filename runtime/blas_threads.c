/* The number of threads of whatever BLAS the process uses, found by symbol at run time: tasks want one thread each, and the
 * caller gets back what it had. */
#include <dlfcn.h>
#include <stddef.h>
#include "runtime/blas_threads.h"

static int callers_threads; /* 0: not saved */

static void *symbol(const char *name)
{
	return dlsym(RTLD_DEFAULT, name);
}

int blas_threads_get(void)
{
	static const char *const names[] = { "openblas_get_num_threads", "mkl_get_max_threads", "bli_thread_get_num_threads" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int (*get)(void);

		*(void **)&get = symbol(names[i]);
		if (get)
			return get();
	}
	return 1;
}

void blas_threads_set(int count)
{
	static const char *const names[] = { "openblas_set_num_threads", "MKL_Set_Num_Threads", "bli_thread_set_num_threads" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		void (*set)(int);

		*(void **)&set = symbol(names[i]);
		if (set) {
			set(count);
			return;
		}
	}
}

void blas_single_threaded(void)
{
	callers_threads = blas_threads_get();
	if (callers_threads > 1)
		blas_threads_set(1);
}

void blas_restore_threads(void)
{
	if (callers_threads > 1)
		blas_threads_set(callers_threads);
	callers_threads = 0;
}

static const char *text(const char *name, const char *otherwise)
{
	char *(*get)(void);

	*(void **)&get = symbol(name);
	return get ? get() : otherwise;
}

const char *blas_name(void)
{
	return text("openblas_get_config", symbol("mkl_get_max_threads") ? "MKL" : symbol("bli_info_get_version_str") ? "BLIS" : "unknown");
}

const char *blas_kernel(void)
{
	return text("openblas_get_corename", "unknown");
}

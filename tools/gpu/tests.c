/* Tests of device kernels that are part of the program: those that GPU_TESTS, a file of lines TEST(name), names. */
#include "tools/gpu/bench.h"

#include <string.h>

#define TEST(name) int name(void);
#include GPU_TESTS
#undef TEST

static const struct {
	const char *name;
	int (*run)(void);
} tests[] = {
#define TEST(name) { #name, name },
#include GPU_TESTS
	{ NULL, NULL }
};

void bench_list_tests(void)
{
	for (int i = 0; tests[i].name; i++)
		puts(tests[i].name);
}

int bench_run_test(const char *name)
{
	for (int i = 0; tests[i].name; i++)
		if (strcmp(tests[i].name, name) == 0)
			return tests[i].run();
	fprintf(stderr, "heddle_gpu_bench: there is no test '%s'\n", name);
	return 2;
}

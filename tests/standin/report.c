/* Settings, counters, and what is said when something is wrong. */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/standin/internal.h"

struct settings settings;
_Thread_local int current_device, running_device = -1;

static long counts[COUNTERS][MAX_DEVICES + 1];
static const char *const names[COUNTERS] = {
	"errors", "kernels", "blas", "calls", "fills", "staged", "allocations", "frees", "refused", "bytes", "peak", "pending",
	"copies_h2d", "copies_d2h", "copies_d2d", "copies_h2h", "bytes_h2d", "bytes_d2h", "bytes_d2d", "bytes_h2h",
};
static struct sigaction earlier;

void count(enum counter counter, int device, long amount)
{
	__atomic_add_fetch(&counts[counter][device + 1], amount, __ATOMIC_RELAXED);
}

void count_most(enum counter counter, int device, long value)
{
	long *most = &counts[counter][device + 1], seen = __atomic_load_n(most, __ATOMIC_RELAXED);

	while (value > seen && !__atomic_compare_exchange_n(most, &seen, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

static long counted(enum counter counter, int device)
{
	long sum = 0;

	for (int d = -1; d < MAX_DEVICES; d++) {
		long value = __atomic_load_n(&counts[counter][d + 1], __ATOMIC_RELAXED);
		if (device >= 0 && d != device)
			continue;
		if (counter == PEAK)
			sum = value > sum ? value : sum;
		else
			sum += value;
	}
	return sum;
}

EXPORTED long standin_get(const char *name)
{
	const char *at = strchr(name, '@');
	size_t length = at ? (size_t)(at - name) : strlen(name);
	int device = at ? atoi(at + 1) : -1;
	long copies = 0;

	if (length == strlen("copies") && strncmp(name, "copies", length) == 0) {
		for (enum counter c = COPIES_H2D; c <= COPIES_H2H; c++)
			copies += counted(c, device);
		return copies;
	}
	for (enum counter c = 0; c < COUNTERS; c++)
		if (strlen(names[c]) == length && strncmp(name, names[c], length) == 0)
			return counted(c, device);
	return -1;
}

void report(const char *format, ...)
{
	va_list arguments;

	flockfile(stderr);
	fputs("standin: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	funlockfile(stderr);
	count(ERRORS, -1, 1);
	if (!settings.keep_going)
		abort();
}

/* A fault in a device's window is explained; then the process goes the way it would have gone. */
static void on_fault(int number, siginfo_t *info, void *context)
{
	char place[160], text[256];

	(void)context;
	if (info->si_code <= 0) /* sent by a handler put over this one: the access is tried again, and comes here */
		return;
	if (memory_device(info->si_addr) >= 0) {
		memory_describe(info->si_addr, place, sizeof(place));
		int n = snprintf(text, sizeof(text), "standin: host access to device memory of %s\n", place);
		if (write(STDERR_FILENO, text, (size_t)n) != n)
			_exit(EXIT_FAILURE);
	}
	sigaction(number, &earlier, NULL);
}

static long setting(const char *name, long otherwise)
{
	const char *text = getenv(name);

	return text && *text ? atol(text) : otherwise;
}

__attribute__((constructor)) static void start(void)
{
	const char *mode = getenv("STANDIN_MODE");
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
	long devices = setting("STANDIN_NDEV", 2);

	settings = (struct settings){
		.devices = devices < 0 ? 0 : devices > MAX_DEVICES ? MAX_DEVICES : (int)devices,
		.polls = (int)setting("STANDIN_POLLS", 2),
		.memory = (size_t)setting("STANDIN_MEM_MB", 256) << 20,
		.lazy = !mode || strcmp(mode, "eager") != 0,
		.peer = setting("STANDIN_PEER", 1) != 0,
		.keep_going = setting("STANDIN_KEEP_GOING", 0) != 0,
		.stats = setting("STANDIN_STATS", 0) != 0,
	};
	memory_start();
	action.sa_sigaction = on_fault;
	sigaction(SIGSEGV, &action, &earlier);
}

__attribute__((destructor)) static void finish(void)
{
	long unfinished = 0;

	for (int d = 0; d < settings.devices; d++)
		unfinished += streams_unfinished(d);
	if (settings.stats)
		for (enum counter c = 0; c < COUNTERS; c++)
			if (counted(c, -1) != 0)
				fprintf(stderr, "standin: %s %ld\n", names[c], counted(c, -1));
	if (unfinished > 0)
		report("the process ends with %ld operations that nobody waited for", unfinished);
}

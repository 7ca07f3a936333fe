/* Options, counts and messages of the emulation. */
#include "tests/emulation/internal.h"
#include <mutex>
#include <set>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

namespace emu {
options chosen = { 0, 0, SHARED_MOST, 0, 20000, -1, 0, 10, 0, 1 };
bool race_build;
static std::mutex lock;
static std::set<context *> contexts;
static long retired[sizeof(counts) / sizeof(count)];
static std::atomic<long> errors, races;
static std::string first_message;

static const struct {
	const char *key;
	long options::*value;
} option_names[] = {
	{ "order", &options::order }, { "resident", &options::resident }, { "shared_limit", &options::shared_limit },
	{ "copy_early", &options::copy_early }, { "spin_limit", &options::spin_limit }, { "foreign", &options::foreign },
	{ "quiet", &options::quiet }, { "maxprint", &options::maxprint }, { "strict", &options::strict }, { "race", &options::race },
};

/* max_shared is the last: it is not a sum */
static const struct {
	const char *key;
	count counts::*value;
} count_names[] = {
	{ "launches", &counts::launches }, { "blocks", &counts::blocks }, { "barriers", &counts::barriers },
	{ "switches", &counts::switches }, { "spins", &counts::spins }, { "accesses", &counts::accesses },
	{ "max_shared", &counts::max_shared },
};
enum { COUNTS = sizeof(count_names) / sizeof(count_names[0]), MAX_SHARED = COUNTS - 1 };

context::context()
{
	std::lock_guard<std::mutex> guard(lock);

	random.seed(12345);
	make_switchable(&main);
	contexts.insert(this);
}

static void gather(int i, long n)
{
	retired[i] = i == MAX_SHARED ? std::max(retired[i], n) : retired[i] + n;
}

context::~context()
{
	std::lock_guard<std::mutex> guard(lock);

	for (int i = 0; i < COUNTS; i++)
		gather(i, (n.*count_names[i].value).get());
	contexts.erase(this);
	drop_switchable(&main);
}

void report(kind what, const char *format, ...)
{
	char text[1200];
	int head = snprintf(text, sizeof(text), "%s in %s: ", what == RACE ? "race" : "error", mine && mine->k.name ? mine->k.name : "the host");
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + head, sizeof(text) - (size_t)head, format, arguments);
	va_end(arguments);
	long before = errors.fetch_add(1);
	if (what == RACE)
		races.fetch_add(1);
	std::lock_guard<std::mutex> guard(lock);
	if (first_message.empty())
		first_message = text;
	if (!chosen.quiet && before < chosen.maxprint)
		fprintf(stderr, "emulation: %s\n", text);
	if (chosen.strict)
		abort();
}

static long count_of(int i)
{
	long n = retired[i];

	for (const context *c : contexts) {
		long own = (c->n.*count_names[i].value).get();
		n = i == MAX_SHARED ? std::max(n, own) : n + own;
	}
	return n;
}

[[noreturn]] static void no_such(const char *key)
{
	fprintf(stderr, "emulation: there is no %s\n", key);
	abort();
}
}

using namespace emu;

extern "C" void gpu_emu_set(const char *key, long value)
{
	std::lock_guard<std::mutex> guard(lock);

	for (const auto &name : option_names)
		if (strcmp(key, name.key) == 0) {
			chosen.*name.value = value;
			return;
		}
	no_such(key);
}

extern "C" long gpu_emu_get(const char *key)
{
	std::lock_guard<std::mutex> guard(lock);

	if (strcmp(key, "errors") == 0)
		return errors;
	if (strcmp(key, "races") == 0)
		return races;
	if (strcmp(key, "race_build") == 0)
		return race_build;
	if (strcmp(key, "asan_build") == 0)
		return EMU_ASAN;
	for (int i = 0; i < COUNTS; i++)
		if (strcmp(key, count_names[i].key) == 0)
			return count_of(i);
	no_such(key);
}

extern "C" void gpu_emu_reset(void)
{
	std::lock_guard<std::mutex> guard(lock);

	for (int i = 0; i < COUNTS; i++) {
		retired[i] = 0;
		for (context *c : contexts)
			(c->n.*count_names[i].value).n = 0;
	}
	errors = races = 0;
	first_message.clear();
}

extern "C" void gpu_emu_message(char *text, size_t size)
{
	std::lock_guard<std::mutex> guard(lock);

	snprintf(text, size, "%s", first_message.c_str());
}

/* Mutations of small files, the same ones on every run, go through the fuzz target of the readers: it must not crash.
 * HEDDLE_FUZZ_SECONDS prolongs the run with other mutations. */
#include <time.h>
#include "tests/io_test.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { most = 1024 };

struct input {
	size_t size;
	uint8_t bytes[most];
};

#define NPY(version, length, header, data) "\x93NUMPY" version "\0" length "\0" header data

/* sizeof, since .npy files hold zero bytes */
#define SEED(text) { text, sizeof text - 1 }
static const struct {
	const char *text;
	size_t size;
} seeds[] = {
	SEED("%%MatrixMarket matrix array real general\n% x\n2 3\n1\n2.5e-3\n-1D4\n.5\n+7\n1e22\n"),
	SEED("%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 -3\n4 0\n"),
	SEED("%%MatrixMarket matrix array integer skew-symmetric\r\n3 3\r\n1\r\n2\r\n3\r\n"),
	SEED("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 123456789.123456789\n2 1 1e-320\n3 3 nan\n"),
	SEED("%%MatrixMarket matrix coordinate complex general\n3 2 2\n1 1 1 2\n3 2 -inf 0\n"),
	SEED("%%MatrixMarket matrix coordinate pattern general\n3 2 2\n1 1\n3 2\n"),
	SEED("%%MatrixMarket matrix array real general\n0 9000000000000000000\n"),
	SEED("1,2.5\n-3e5,4\n"),
	SEED("a;b\n1;2\n3;4\n\n# x\n"),
	SEED("1 2 3\n 4\t5 6\n"),
	SEED("(1+2j) -3j\n4 5e0-6i\n"),
	SEED("\xef\xbb\xbf\"x,\"\t\"y\"\n1\t2\n"),
	SEED(NPY("\1", "\x3c", "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }\n",
		"\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\xc0")),
	SEED(NPY("\1", "\x3b", "{'descr': '>c8', 'fortran_order': True, 'shape': (1, 2), }\n",
		"\x3f\x80\0\0\0\0\0\0\x40\0\0\0\xc0\0\0\0")),
	SEED(NPY("\2", "\x3a\0\0", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n",
		"\0\0\x80\x3f\0\0\0\x40")),
	SEED(NPY("\3", "\x38\0\0", "{'descr': '<c16','fortran_order': False,'shape': (1,1)}\n",
		"\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\xc0")),
};
enum { seed_count = sizeof seeds / sizeof seeds[0] };

static const char *const words[] = { "%%MatrixMarket", "%", "#", "\n", "\r\n", " ", "\t", ",", ";", "-", "+", ".", "e", "D", "j",
	"(", ")", "nan", "inf", "1e999", "1e-999", "0", "1", "2", "9223372036854775807", "18446744073709551616", "4294967296",
	"2147483648", "0.10000000000000000555", "symmetric", "hermitian", "skew-symmetric", "coordinate", "array", "complex", "pattern",
	"integer", "'descr'", "'shape'", "'<f8'", "True", "\"", "\x93NUMPY", "\xef\xbb\xbf" };

static size_t below(uint64_t *state, size_t bound)
{
	return bound ? (size_t)(next_random(state) % bound) : 0;
}

/* Replace `removed` bytes at `at` by `size` others, as far as there is room. */
static void splice(struct input *in, size_t at, size_t removed, const void *bytes, size_t size)
{
	if (removed > in->size - at)
		removed = in->size - at;
	if (in->size - removed + size > most)
		return;
	memmove(in->bytes + at + size, in->bytes + at + removed, in->size - at - removed);
	memcpy(in->bytes + at, bytes, size);
	in->size += size - removed;
}

static void mutate(struct input *in, uint64_t *state)
{
	const size_t at = below(state, in->size + 1), other = below(state, seed_count);
	const char *word = words[below(state, sizeof words / sizeof words[0])];
	uint8_t copy[most], byte = (uint8_t)next_random(state);
	size_t first, length;
	switch (next_random(state) % 8) {
	case 0:
		splice(in, at, 1, &byte, 1);
		break;
	case 1:
		splice(in, at, 0, word, strlen(word));
		break;
	case 2:
		splice(in, at, strlen(word), word, strlen(word));
		break;
	case 3:
		splice(in, at, below(state, 16), "", 0);
		break;
	case 4: /* cut the end off */
		in->size = at > 0 ? at : in->size;
		break;
	case 5: /* repeat a part */
		first = below(state, in->size);
		length = below(state, in->size - first + 1);
		memcpy(copy, in->bytes + first, length);
		splice(in, at, 0, copy, length);
		break;
	case 6: /* a part of another file */
		first = below(state, seeds[other].size);
		splice(in, at, below(state, 32), seeds[other].text + first, below(state, seeds[other].size - first + 1));
		break;
	default:
		if (at < in->size)
			in->bytes[at] ^= (uint8_t)(1 << below(state, 8));
	}
}

static void run_one(uint64_t seed)
{
	uint64_t state = seed;
	struct input in;
	const size_t which = below(&state, seed_count);
	in.bytes[0] = (uint8_t)next_random(&state);
	memcpy(in.bytes + 1, seeds[which].text, seeds[which].size);
	in.size = 1 + seeds[which].size;
	for (size_t k = below(&state, 6); k > 0; k--)
		mutate(&in, &state);
	LLVMFuzzerTestOneInput(in.bytes, in.size);
}

/* The seeds themselves are good: most of the readers is reached. */
START_TEST(seeds_can_be_read)
{
	struct dense d = read_bytes(seeds[_i].text, seeds[_i].size, HEDDLE_Z);
	dense_free(&d);
}
END_TEST

START_TEST(mutations_do_not_crash)
{
	const char *more = getenv("HEDDLE_FUZZ_SECONDS");
	const time_t end = time(NULL) + (more ? atoi(more) : 0);
	uint64_t k = 0;
	for (; k < 400000; k++)
		run_one(k);
	while (time(NULL) < end)
		for (int i = 0; i < 1000; i++)
			run_one(k++);
	printf("%llu mutations were read\n", (unsigned long long)k);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("fuzz");
	tcase_add_loop_test(tcase, seeds_can_be_read, 0, seed_count);
	tcase_add_test(tcase, mutations_do_not_crash);
	return run_case("io_fuzz", tcase);
}

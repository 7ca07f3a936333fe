/* Fuzz target of the readers: whatever the bytes, a reader returns a matrix or a message, and nothing else happens.
 *
 * With clang, -DHEDDLE_FUZZ=ON builds fuzz_read around libFuzzer (fuzz_read -max_len=4096 FOLDER); test_io_fuzz calls the same
 * entry in every build. */
#include <stdlib.h>
#include <string.h>
#include "tools/io/readers.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Reads every byte of the matrix, so that memory checkers see elements that were never written. */
static void use(const struct dense *d)
{
	double sum = 0;
	for (int64_t k = 0; k < d->m * d->n; k++)
		sum += type_is_single(d->type) ? (double)((const float *)d->a)[k] : ((const double *)d->a)[k];
	if (sum < 0 && sum > 0)
		abort();
}

/* The first byte says which type is asked for, and whether the file is small for the memory; the rest is the file. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char types[] = { 0, 's', 'd', 'c', 'z', 0, 's', 'z' };
	static const char *const names[] = { "f", "f.mtx", "f.npy", "f.csv" };
	struct dense d;
	struct io_error error;
	int kind, status;
	if (size == 0)
		return 0;
	kind = bytes[0];
	memset(&error, '#', sizeof error);
	status = matrix_read_memory(bytes + 1, size - 1, names[kind / 8 % 4], (heddle_type)types[kind % 8], kind & 32 ? 4096 : 1 << 22, &d,
		&error);
	if (status == 0) {
		if (!d.a || d.m < 0 || d.n < 0)
			abort();
		use(&d);
		dense_free(&d);
	} else if (status != -1 || d.a || strncmp(error.text, "f", 1) != 0 || !memchr(error.text, '\0', sizeof error.text)) {
		abort();
	}
	return 0;
}

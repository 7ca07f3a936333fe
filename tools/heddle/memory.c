#include "tools/heddle/memory.h"

#include "tools/heddle/message.h"
#include "tools/io/memory.h"

double dense_bytes(const struct kind *kind, double m, double n)
{
	return (double)kind->size * m * n;
}

bool memory_suffices(const char *about, double bytes)
{
	const double gib = 0x1p30;
	double available = (double)memory_available("");

	if (bytes <= available)
		return true;
	complain("%s: needs %.4g GiB of memory, and %.4g GiB are available", about, bytes / gib, available / gib);
	return false;
}

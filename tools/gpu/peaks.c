/* Data-sheet figures; codelets/device/README.md has the same table with what follows from it. */
#include "tools/gpu/bench.h"

#include <string.h>

static const struct peaks known[] = {
	{ "H200", "NVIDIA H200 Tensor Core GPU datasheet (SXM)", 4.8e12, 34e12, 67e12, 67e12, 67e12 },
	{ "H100", "NVIDIA H100 Tensor Core GPU datasheet (SXM)", 3.35e12, 34e12, 67e12, 67e12, 67e12 },
	{ "A100", "NVIDIA A100 Tensor Core GPU datasheet (80 GB SXM)", 2.039e12, 9.7e12, 19.5e12, 19.5e12, 19.5e12 },
	{ "MI300X", "AMD Instinct MI300X data sheet", 5.3e12, 81.7e12, 163.4e12, 163.4e12, 163.4e12 },
	/* a device of the runtime is one of its two dies */
	{ "MI250X", "AMD Instinct MI200 series data sheet, half of an MI250X", 1.6384e12, 23.95e12, 47.85e12, 23.95e12, 47.85e12 },
};

struct peaks peaks_of(const char *device_name)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strstr(device_name, known[i].device))
			return known[i];
	return (struct peaks){ .device = device_name, .source = "not known" };
}

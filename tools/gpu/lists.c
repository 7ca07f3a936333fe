#include "tools/gpu/bench.h"

#include <stdlib.h>
#include <string.h>

bool bench_parse_list(const char *text, struct list *list)
{
	list->count = 0;
	for (const char *at = text; list->count < LIST;) {
		char *end;
		if (strncmp(at, "auto", 4) == 0) {
			list->at[list->count++] = AUTO;
			end = (char *)at + 4;
		} else {
			long long x = strtoll(at, &end, 10);
			if (end == at || x < 0)
				return false;
			list->at[list->count++] = x;
		}
		if (*end == 0)
			return true;
		if (*end != ',')
			return false;
		at = end + 1;
	}
	return false;
}

struct list bench_list(const struct list *given, const char *usual)
{
	struct list list = *given;

	if (list.count == 0)
		(void)bench_parse_list(usual, &list);
	return list;
}

/* Host memory that the devices may read and write at any time. */
#include <stdlib.h>
#include "tests/standin/internal.h"

struct range {
	char *start;
	size_t size;
	struct range *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct range *ranges;

bool pinned_add(void *pointer, size_t bytes)
{
	struct range *new = malloc(sizeof(*new));
	char *start = pointer;
	bool apart = true;

	if (!new)
		return false;
	pthread_mutex_lock(&lock);
	for (const struct range *r = ranges; r; r = r->next)
		apart = apart && (start + bytes <= r->start || r->start + r->size <= start);
	if (apart) {
		*new = (struct range){ start, bytes, ranges };
		ranges = new;
	}
	pthread_mutex_unlock(&lock);
	if (!apart)
		free(new);
	return apart;
}

bool pinned_remove(void *pointer)
{
	pthread_mutex_lock(&lock);
	struct range **link = &ranges;
	while (*link && (*link)->start != pointer)
		link = &(*link)->next;
	struct range *found = *link;
	if (found)
		*link = found->next;
	pthread_mutex_unlock(&lock);
	free(found);
	return found != NULL;
}

bool pinned_holds(const void *pointer, size_t bytes)
{
	const char *p = pointer;
	bool held = false;

	pthread_mutex_lock(&lock);
	for (const struct range *r = ranges; r && !held; r = r->next)
		held = p >= r->start && p + bytes <= r->start + r->size;
	pthread_mutex_unlock(&lock);
	return held;
}

/* Warp operations: all lanes of a warp meet, and read what the others brought. */
#include "tests/emulation/internal.h"
#include <stdio.h>
#include <stdlib.h>

namespace emu {
static void tell(fiber *f, const char *what)
{
	if (!f->b->told_warp)
		report(ERROR, "block %d: divergent warp operation: thread %d is at line %d, %s", f->b->flat, f->flat, f->line, what);
	f->b->told_warp = true;
}

static void check_meeting(fiber *f, const warp &w)
{
	char text[100];

	if (w.live == w.size && w.at_barrier == 0 && (w.arrived == 0 || w.line == f->line))
		return;
	if (w.live < w.size)
		tell(f, "other lanes of its warp have returned");
	if (w.at_barrier > 0)
		tell(f, "other lanes of its warp are at a barrier");
	if (w.arrived > 0 && w.line != f->line) {
		snprintf(text, sizeof(text), "others of its warp are at line %d", w.line);
		tell(f, text);
	}
}

static void release_lanes(fiber *f, warp &w)
{
	thread_block *b = f->b;
	int first = f->flat / WARP * WARP;

	w.arrived = 0;
	w.turn ^= 1;
	warp_clock(f);
	mine->progress++;
	for (int l = 0; l < w.size; l++) {
		fiber *other = b->fibers[(size_t)(first + l)].get();
		if (other->state == AT_WARP) {
			other->state = READY;
			enqueue_fiber(b, other->flat);
		}
	}
}

/* Bring a value and a bit; the result is where all lanes' are.  There are two such places, so that lanes may read the one while others
 * go on to the next operation. */
static int meet(const void *value, size_t bytes, int bit, int line)
{
	fiber *f = current();
	warp &w = warp_of(f);
	int lane = f->flat % WARP, turn = w.turn;

	f->line = line;
	check_meeting(f, w);
	if (w.arrived == 0) {
		w.line = line;
		w.ballot[turn] = 0;
		if (w.live < WARP)
			memset(w.value[turn], 0xff, sizeof(w.value[turn]));
	}
	if (value)
		memcpy(w.value[turn][lane], value, bytes);
	if (bit)
		w.ballot[turn] |= 1u << lane;
	if (++w.arrived == w.live) {
		release_lanes(f, w);
	} else {
		f->state = AT_WARP;
		suspend(f);
	}
	return turn;
}

void warp_exchange(const void *in, void *out, size_t bytes, int from, int line)
{
	if (bytes > 16) {
		report(ERROR, "a warp exchanges %zu bytes, 16 are the most", bytes);
		abort();
	}
	warp &w = warp_of(current());
	int turn = meet(in, bytes, 0, line);
	memcpy(out, w.value[turn][from], bytes);
}

unsigned warp_ballot(int p, int line)
{
	warp &w = warp_of(current());
	int turn = meet(nullptr, 0, p, line);

	return w.ballot[turn];
}
}

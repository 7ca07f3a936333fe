/* The chase: one launch a cycle against waiting sweeps and windows, over tile width, threads, blocks and group.  What is checked: the
 * norm is kept, and nothing is left outside the two diagonals. */
#include <string.h>
#include "codelets/device/chase.h"
#include "tools/gpu/matrix.h"

#if defined(HALF)
__extension__ typedef _Float16 element;
#define GPU(x) h_gpu_##x
#define PART h_bench_chase
static const char letter = 'h';
static const double eps = 0x1p-10;
typedef uint16_t stored;
#else
typedef scalar element;
#define GPU(x) NAME(gpu_##x)
#define PART NAME(bench_chase)
#define letter type_letter
static const double eps = REAL_EPS;
typedef scalar stored;
#endif

struct problem {
	struct chase_part part;
	size_t bytes; /* of the band */
	element *host, *result;
	void *pristine, *band, *work;
	double norm;
	struct gpu_chase_choice choice;
};

/* A random band as runtime/band.h lays it out. */
static bool make(struct problem *p, int64_t n, int64_t b, bool hermitian)
{
	int64_t line = 64 / (int64_t)sizeof(element), width = hermitian ? 2 * b : 3 * b, ld = (((width + 3 * line - 1) / line) | 1) * line + 1;
	double sum = 0;

	*p = (struct problem){ .part = { .n = n, .b = b, .above = (hermitian ? 0 : 2 * b) + line, .ld = ld, .hermitian = hermitian, .s1 = n - 2,
					 .steps = 2 * n } };
	p->bytes = (size_t)(n * ld) * sizeof(element);
	p->host = calloc((size_t)(n * ld), sizeof(element));
	p->result = malloc(p->bytes);
	if (!p->host || !p->result)
		return false;
	for (int64_t j = 0; j < n; j++)
		for (int64_t k = 0; k <= b && (hermitian ? j + k < n : j >= k); k++) {
			element x = (element)random_scalar(7, (uint64_t)(j * (b + 1) + k));
			if (hermitian && k == 0)
				x = (element)real_part((scalar)x);
			p->host[j * ld + p->part.above + (hermitian ? k : -k)] = x;
			sum += square_of((scalar)x) * (hermitian && k > 0 ? 2 : 1);
		}
	p->norm = sqrt(sum);
	p->pristine = device_new(p->bytes);
	p->band = device_new(p->bytes);
	if (!p->pristine || !p->band)
		return false;
	device_to(p->pristine, p->host, p->bytes);
	return true;
}

static void unmake(struct problem *p)
{
	free(p->host);
	free(p->result);
	device_free(p->pristine);
	device_free(p->band);
}

static void restore(void *context)
{
	struct problem *p = context;

	device_copy(device_stream(), p->band, p->pristine, p->bytes);
}

static void run(void *context)
{
	struct problem *p = context;

	GPU(chase)(device_stream(), &p->part, &p->choice, (stored *)p->band, p->work);
}

/* The change of the norm, in eps; infinite if anything is left outside the diagonals. */
static double error_of(struct problem *p)
{
	const struct chase_part *c = &p->part;
	int64_t beside = c->hermitian ? 1 : -1;
	double sum = 0;

	device_from(p->result, p->band, p->bytes);
	for (int64_t j = 0; j < c->n; j++) {
		const element *column = p->result + j * c->ld + c->above;
		for (int64_t k = -c->above; k < c->ld - c->above; k++) {
			if (k == 0 || k == beside)
				sum += square_of((scalar)column[k]) * (c->hermitian && k != 0 ? 2 : 1);
			else if (column[k] != (element)0)
				return INFINITY;
		}
	}
	return fabs(sqrt(sum) - p->norm) / (eps * p->norm);
}

/* A pass removes `tile` of b diagonals.  One step of a sweep has a reflector of tile + 1 rows and columns: it changes 2 tile b + tile^2
 * elements with 8 tile (b + tile) operations, of a Hermitian band 2 tile b + tile^2 / 2 with 8 tile b + 4 tile^2.  A window of a
 * group of sweeps is loaded and stored once for a step of each. */
static struct work work_of(const struct problem *p)
{
	struct work w = { 0 };
	double pair = FLOPS_PER_PAIR, n = (double)p->part.n, group = p->choice.persistent && p->choice.group > 1 ? p->choice.group : 1;
	bool h = p->part.hermitian;

	for (double b = (double)p->part.b, tile; b > 1; b -= tile) {
		tile = p->choice.tile > 0 && p->choice.tile < b - 1 ? p->choice.tile : b - 1;
		double steps = n * n / (2 * b);
		w.flops += steps * pair * (h ? 8 * tile * b + 4 * tile * tile : 8 * tile * (b + tile));
		w.bytes += steps * 2 * sizeof(element) / group * (2 * tile * b + (h ? 0.5 : 1) * tile * tile);
	}
	return w;
}

static bool one(struct bench *b, struct problem *p, struct history *history)
{
	struct gpu_chase_choice *c = &p->choice;
	struct row row = new_row("chase", c->persistent ? "persistent" : "cycles");

	row.type = letter;
	row.work = work_of(p);
	snprintf(row.shape, sizeof(row.shape), "n %lld, b %lld%s", (long long)p->part.n, (long long)p->part.b, p->part.hermitian ? ", hermitian" : "");
	snprintf(row.how, sizeof(row.how), "tile %d, %d x %d threads", c->tile, c->blocks, c->threads);
	if (c->persistent)
		snprintf(row.how + strlen(row.how), sizeof(row.how) - strlen(row.how), ", group %d", c->group);
	if (!bench_affordable(b, history, row.work.flops))
		return bench_skip(b, row, b->broken ? "the device has failed" : "no time left");
	p->work = device_new(GPU(chase_work)(&p->part, c));
	if (!p->work)
		return bench_skip(b, row, "no device memory");
	double t = bench_clock();
	bool fine = bench_measure(b, &row, restore, run, p);
	if (fine) {
		*history = bench_history(bench_clock() - t, &row);
		row.error = error_of(p);
		row.bound = (letter == 'h' ? 4 * sqrt((double)p->part.n) : 4 * (double)p->part.n) + 50;
		bench_row(b, &row);
	}
	device_free(p->work);
	return fine;
}

/* The choice with one thing changed. */
static struct gpu_chase_choice changed(struct gpu_chase_choice c, bool persistent, int tile, int threads, int blocks, int group)
{
	c.persistent = persistent;
	c.tile = tile == AUTO ? c.tile : tile;
	c.threads = threads == AUTO ? c.threads : threads;
	c.blocks = blocks == AUTO ? c.blocks : blocks;
	c.group = group == AUTO ? c.group : group;
	return c;
}

static void explore(struct bench *b, struct problem *p, struct history history[2])
{
	const struct gpu_chase_choice usual = p->choice;
	static const int groups[] = { 0, 1, 2, 3, 4, 6, 8 }, threads[] = { 32, 64, 128, 256 }, tiles[] = { 0, 8, 16, 32 }, parts[] = { 8, 4, 2 };
	int all = b->facts.processors;

	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		p->choice = changed(usual, true, AUTO, AUTO, AUTO, groups[i]), one(b, p, &history[1]);
	for (size_t i = 0; i < sizeof(tiles) / sizeof(tiles[0]); i++)
		for (int persistent = 0; persistent < 2; persistent++)
			p->choice = changed(usual, persistent, tiles[i], AUTO, AUTO, AUTO), one(b, p, &history[persistent]);
	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++)
		for (int persistent = 0; persistent < 2; persistent++)
			p->choice = changed(usual, persistent, AUTO, threads[i], AUTO, AUTO), one(b, p, &history[persistent]);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		p->choice = changed(usual, true, AUTO, AUTO, all * 2 / parts[i], AUTO), one(b, p, &history[1]);
}

/* Everything the lists ask for; auto where they are not given. */
static void listed(struct bench *b, struct problem *p, struct history history[2])
{
	const struct gpu_chase_choice usual = p->choice;
	struct list tile = bench_list(&b->tile, "auto"), threads = bench_list(&b->threads, "auto"), blocks = bench_list(&b->blocks, "auto"),
		    group = bench_list(&b->group, "auto");
	bool both = !b->cycles && !b->persistent;

	for (int persistent = 0; persistent < 2; persistent++) {
		if (!both && !(persistent ? b->persistent : b->cycles))
			continue;
		for (int i = 0; i < tile.count * threads.count * blocks.count * (persistent ? group.count : 1); i++) {
			int k = i;
			int ti = (int)tile.at[k % tile.count], th = (int)threads.at[(k /= tile.count) % threads.count];
			int bl = (int)blocks.at[(k /= threads.count) % blocks.count], gr = (int)group.at[(k / blocks.count) % group.count];
			p->choice = changed(usual, persistent, ti, th, bl, gr);
			one(b, p, &history[persistent]);
		}
	}
}

void PART(struct bench *b)
{
	struct list n = bench_list(&b->n, "1024,4096,16384,32768"), band = bench_list(&b->band, "32,64,128");
	bool both = !b->bidiagonal && !b->tridiagonal;
	struct history history[2] = { { 0, 0 }, { 0, 0 } }; /* of cycles, of the persistent form */

	for (int i = 0; i < n.count; i++)
		for (int j = 0; j < band.count; j++)
			for (int h = 0; h < 2; h++) {
				struct problem p;
				if ((!both && !(h ? b->tridiagonal : b->bidiagonal)) || b->broken || bench_left(b) <= 0 || band.at[j] >= n.at[i])
					continue;
				if (make(&p, n.at[i], band.at[j], h)) {
					p.choice = GPU(chase_choice)(n.at[i], band.at[j], h);
					if (b->explore)
						explore(b, &p, history);
					else
						listed(b, &p, history);
				} else {
					bench_skip(b, (struct row){ .part = "chase", .contestant = "-", .type = letter }, "no memory");
				}
				unmake(&p);
			}
}

/* heddle_gpu_bench PART... [OPTIONS]: see help below. */
#include "tools/gpu/bench.h"

#include <stdlib.h>
#include <string.h>
#include "tools/gpu/vendor.h"

static const char help[] =
	"heddle_gpu_bench PART... [OPTIONS]\n"
	"Times device kernels and checks their results.  Exit status: 0; 1 if a result was wrong or the device failed; 2 for bad arguments;\n"
	"3 if there is no device.\n"
	"\n"
	"  copy        device memory to device memory\n"
	"  chase       band to bidiagonal or tridiagonal: a launch a cycle, or persistent\n"
	"  trsm        triangular solves: ours and the vendor's     batch       many small ones\n"
	"  products    the reduction's products: ours and the vendor's\n"
	"  panels      QR of tall panels                            bisection   values of bidiagonals and tridiagonals\n"
	"  small       one-stage reductions of small matrices\n"
	"  tests       names of tests of kernels                    test NAME   run one of them\n"
	"  svdvals     all singular values, end to end              eigvals     all eigenvalues; both against cuSOLVER and the CPUs alone\n"
	"\n"
	"  --types sdczh      element types (h: the chase alone)    --n LIST     orders, such as 1024,4096\n"
	"  --band LIST        diagonals                             --many LIST  right-hand sides, columns of panels, problems of a batch\n"
	"  --mode LIST        cycles,persistent                     --form LIST  bidiagonal,tridiagonal\n"
	"  --tile LIST  --threads LIST  --blocks LIST  --group LIST   of the chase; auto: as Heddle chooses\n"
	"  --explore          vary these one at a time\n"
	"  --cpu              svdvals, eigvals: the CPUs alone      --no-vendor  without cuSOLVER and cuBLAS's batches\n"
	"  --repeat N         runs of each, after a warm-up (5)     --seconds S  stop beginning new things after this time (60)\n"
	"  --device K         which device (0)                      --json FILE  append one JSON object a row\n";

static const struct part {
	const char *name;
	bool device; /* needs one */
	void (*of[5])(struct bench *b); /* s d c z h */
} parts[] = {
	{ "chase", true, { s_bench_chase, d_bench_chase, c_bench_chase, z_bench_chase, h_bench_chase } },
	{ "trsm", true, { s_bench_trsm, d_bench_trsm, c_bench_trsm, z_bench_trsm, NULL } },
	{ "batch", true, { s_bench_batch, d_bench_batch, c_bench_batch, z_bench_batch, NULL } },
	{ "products", true, { s_bench_products, d_bench_products, c_bench_products, z_bench_products, NULL } },
	{ "panels", true, { s_bench_panels, d_bench_panels, c_bench_panels, z_bench_panels, NULL } },
	{ "bisection", true, { s_bench_bisection, d_bench_bisection, NULL, NULL, NULL } },
	{ "small", true, { s_bench_small, d_bench_small, c_bench_small, z_bench_small, NULL } },
	{ "svdvals", false, { s_bench_svdvals, d_bench_svdvals, c_bench_svdvals, z_bench_svdvals, NULL } },
	{ "eigvals", false, { s_bench_eigvals, d_bench_eigvals, c_bench_eigvals, z_bench_eigvals, NULL } },
};
enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

static void bad(const char *what, const char *value)
{
	fprintf(stderr, "heddle_gpu_bench: %s '%s'; heddle_gpu_bench --help says what there is\n", what, value);
	exit(2);
}

/* Words of a comma-separated list that are this one. */
static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (strncmp(at, word, length) == 0 && (at[length] == 0 || at[length] == ','))
			return true;
	return false;
}

static void two_words(const char *value, const char *first, bool *has_first, const char *second, bool *has_second)
{
	*has_first = has_word(value, first);
	*has_second = has_word(value, second);
	if (!*has_first && !*has_second)
		bad("unknown", value);
}

static double number(const char *value)
{
	char *end;
	double x = strtod(value, &end);

	if (*end != 0 || end == value || !(x >= 0 && x < 1e9))
		bad("no number:", value);
	return x;
}

static bool list_option(struct bench *b, const char *name, const char *value)
{
	const struct {
		const char *name;
		struct list *list;
	} lists[] = { { "--n", &b->n },           { "--band", &b->band },   { "--tile", &b->tile }, { "--threads", &b->threads },
		      { "--blocks", &b->blocks }, { "--group", &b->group }, { "--many", &b->many } };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (strcmp(name, lists[i].name) == 0) {
			if (!bench_parse_list(value, lists[i].list))
				bad("no list of numbers:", value);
			return true;
		}
	return false;
}

static void option(struct bench *b, const char *name, const char *value)
{
	if (list_option(b, name, value))
		return;
	if (strcmp(name, "--types") == 0) {
		if (strlen(value) >= sizeof(b->types) || strspn(value, "sdczh") != strlen(value))
			bad("no types:", value);
		strcpy(b->types, value);
	} else if (strcmp(name, "--mode") == 0) {
		two_words(value, "cycles", &b->cycles, "persistent", &b->persistent);
	} else if (strcmp(name, "--form") == 0) {
		two_words(value, "bidiagonal", &b->bidiagonal, "tridiagonal", &b->tridiagonal);
	} else if (strcmp(name, "--repeat") == 0) {
		b->repeat = (int)number(value);
	} else if (strcmp(name, "--device") == 0) {
		b->device = (int)number(value);
	} else if (strcmp(name, "--seconds") == 0) {
		b->seconds = number(value);
	} else if (strcmp(name, "--json") == 0) {
		b->json = value;
	} else {
		bad("unknown option", name);
	}
}

/* Fills in the options; parts, in the order they stand there, to wanted. */
static int arguments(int argc, char **argv, struct bench *b, const char **wanted)
{
	int count = 0;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--help") == 0) {
			fputs(help, stdout);
			exit(0);
		} else if (strcmp(argv[i], "--explore") == 0) {
			b->explore = true;
		} else if (strcmp(argv[i], "--cpu") == 0) {
			b->on_cpus = true;
		} else if (strcmp(argv[i], "--no-vendor") == 0) {
			vendor_forbid();
		} else if (argv[i][0] != '-') {
			wanted[count++] = argv[i];
		} else if (i + 1 < argc) {
			option(b, argv[i], argv[i + 1]);
			i++;
		} else {
			bad("no value for", argv[i]);
		}
	}
	if (count == 0)
		bad("which part? of", "copy, chase, trsm, batch, products, panels, bisection, small, svdvals, eigvals");
	return count;
}

static const struct part *part_named(const char *name)
{
	for (int i = 0; i < PARTS; i++)
		if (strcmp(parts[i].name, name) == 0)
			return &parts[i];
	return NULL;
}

static void open_device(struct bench *b, bool needed)
{
	const char *why = NULL;

	b->has_device = !b->on_cpus && device_open(b->device, &b->facts, &why);
	if (b->has_device)
		b->peaks = peaks_of(b->facts.name);
	else if (needed) {
		fprintf(stderr, "heddle_gpu_bench: no device: %s\n", why ? why : "--cpu");
		exit(3);
	}
}

/* Each type of each part may use an equal share of the time that is left. */
static int runs_of(const struct bench *b, const char *name)
{
	static const char letters[] = "sdczh";
	const struct part *part = part_named(name);
	int count = !part;

	for (const char *type = b->types; part && *type; type++)
		count += part->of[strchr(letters, *type) - letters] != NULL;
	return count;
}

static void run_part(struct bench *b, const struct part *part, int *runs_left)
{
	static const char letters[] = "sdczh";
	double whole = b->seconds;

	for (const char *type = b->types; *type; type++) {
		void (*run)(struct bench *) = part->of[strchr(letters, *type) - letters];
		if (!run)
			continue;
		b->share = bench_left(b) / (*runs_left)--;
		b->seconds = whole - bench_left(b) + b->share;
		run(b);
		b->seconds = whole;
	}
}

int main(int argc, char **argv)
{
	struct bench b = { .types = "dszc", .repeat = 5, .seconds = 60, .begin = bench_clock() };
	const char **wanted = calloc((size_t)argc + 1, sizeof(*wanted));
	int count = wanted ? arguments(argc, argv, &b, wanted) : 0;
	bool needs_device = false;
	int runs_left = 0;

	if (count == 1 && strcmp(wanted[0], "tests") == 0) {
		bench_list_tests();
		return 0;
	}
	if (count == 2 && strcmp(wanted[0], "test") == 0)
		return bench_run_test(wanted[1]);
	for (int i = 0; i < count; i++) {
		const struct part *part = part_named(wanted[i]);
		if (!part && strcmp(wanted[i], "copy") != 0)
			bad("no part", wanted[i]);
		needs_device = needs_device || !part || part->device;
		runs_left += runs_of(&b, wanted[i]);
	}
	open_device(&b, needs_device);
	if (b.json && !(b.rows = fopen(b.json, "a")))
		bad("cannot write", b.json);
	bench_header(&b);
	b.share = b.seconds;
	for (int i = 0; i < count; i++) {
		if (part_named(wanted[i])) {
			run_part(&b, part_named(wanted[i]), &runs_left);
		} else {
			bench_copy(&b);
			runs_left--;
		}
	}
	printf("%d rows, %d failed, %.1f s\n", b.count, b.failed, bench_clock() - b.begin);
	if (b.rows && fclose(b.rows) != 0)
		bad("cannot write", b.json);
	free(wanted);
	return b.failed || b.broken ? 1 : 0;
}

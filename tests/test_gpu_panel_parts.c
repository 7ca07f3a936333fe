/* The parts of panels on the device: the tree's top and the rebuilding of V, mixed with the host's formulas as tasks on both mix; and the products
 * with small blocks around the panels, against BLAS. */
#include "tests/panel_support.h"
#include "codelets/host/geqrt.h"

/* Leaves of a tall panel, as panel_leaf leaves them. */
struct tree {
	int64_t k, width, leaves, rows[40], first[40];
	struct both a, v, r, factor, leaf[40];
};

static void tree_leaf(struct tree *x, int64_t l)
{
	int64_t k = x->k, w = x->width, ld = x->leaf[l].ld;
	scalar *work = calloc((size_t)(k * k + x->a.ld + 1), sizeof(*work)), *v = x->v.host + x->first[l], *leaf = x->leaf[l].host;

	NAME(geqrt)(x->rows[l], k, v, x->v.ld, leaf + LEAF_QR * w * ld, ld, leaf + LEAF_T * w * ld, ld, work);
	for (int64_t j = 0; j < k; j++)
		for (int64_t i = j + 1; i < k; i++)
			leaf[i + (LEAF_QR * w + j) * ld] = v[i + j * x->v.ld];
	both_to(&x->leaf[l]);
	free(work);
}

static struct tree tree_new(int64_t k, int64_t leaves, int64_t more, enum kind kind)
{
	struct tree x = { .k = k, .width = k + 3, .leaves = leaves };
	int64_t m = 0;

	for (int64_t l = 0; l < leaves; l++) {
		x.first[l] = m;
		x.rows[l] = k + l % 3 * more;
		m += x.rows[l];
		x.leaf[l] = both_random(x.width, LEAF_BLOCKS * x.width, l % 2, "leaf", (uint64_t)l);
	}
	x.a = both_new(m, k, 1, "a");
	x.v = both_new(m, k, 3, "v");
	x.r = both_new(k, k, 1, "r");
	x.factor = both_random(x.width, PANEL_BLOCKS * x.width, 1, "factor", 1);
	fill(kind, m, k, x.a.host, x.a.ld, (uint64_t)(k + leaves));
	for (int64_t j = 0; j < k; j++)
		memcpy(x.v.host + j * x.v.ld, x.a.host + j * x.a.ld, (size_t)m * sizeof(scalar));
	for (int64_t l = 0; l < leaves; l++)
		tree_leaf(&x, l);
	both_to(&x.v);
	both_to(&x.r);
	return x;
}

static void tree_free(struct tree *x)
{
	for (int64_t l = 0; l < x->leaves; l++)
		both_free(&x->leaf[l]);
	both_free(&x->a);
	both_free(&x->v);
	both_free(&x->r);
	both_free(&x->factor);
}

/* Leaf l by the host's formula: V := ([LEAF_Q; 0] - V LEAF_G) U^-1. */
static void rebuild_on_host(struct tree *x, int64_t l)
{
	int64_t k = x->k, w = x->width, rows = x->rows[l], ldv = x->v.ld, ldl = x->leaf[l].ld;
	scalar *old = malloc((size_t)(rows * (k + 1)) * sizeof(*old)), *v = x->v.host + x->first[l], *leaf = x->leaf[l].host;

	for (int64_t j = 0; j < k; j++)
		for (int64_t i = 0; i < rows; i++) {
			old[i + j * rows] = v[i + j * ldv];
			v[i + j * ldv] = i < k ? leaf[i + (LEAF_Q * w + j) * ldl] : 0;
		}
	gemm(NO_TRANS, NO_TRANS, rows, k, k, -1, old, rows, leaf + LEAF_G * w * ldl, ldl, 1, v, ldv);
	trsm(CblasRight, CblasUpper, NO_TRANS, CblasNonUnit, rows, k, x->factor.host + PANEL_U * w * x->factor.ld, x->factor.ld, v, ldv);
	free(old);
}

/* The same on the device, cut in two pieces at `cut`. */
static void rebuild_on_device(struct tree *x, int64_t l, int64_t cut)
{
	scalar *v = (scalar *)x->v.device + x->first[l];
	void *work = device_new(NAME(gpu_rebuild_work)(x->k), "rebuild");

	NAME(gpu_rebuild_begin)(NULL, x->k, x->width, x->factor.device, x->factor.ld, x->leaf[l].device, x->leaf[l].ld, work);
	NAME(gpu_rebuild)(NULL, x->k, 0, cut, v, x->v.ld, work);
	NAME(gpu_rebuild)(NULL, x->k, cut, x->rows[l] - cut, v + cut, x->v.ld, work);
	device_finish();
	device_free(work);
}

static void check_tree(int64_t k, int64_t leaves, int64_t more, enum kind kind)
{
	struct tree x = tree_new(k, leaves, more, kind);
	void *work = device_new(NAME(gpu_panel_top_work)(k, leaves), "top"), *list[40];
	int64_t ld[40], w = x.width, ldf = x.factor.ld;
	char what[100];

	snprintf(what, sizeof(what), "%d leaves of %d columns, %s", (int)leaves, (int)k, kind_names[kind]);
	for (int64_t l = 0; l < leaves; l++) {
		list[l] = x.leaf[l].device;
		ld[l] = x.leaf[l].ld;
	}
	NAME(gpu_panel_top)(NULL, k, w, leaves, (scalar *const *)list, ld, x.factor.device, ldf, x.r.device, x.r.ld, work);
	device_finish();
	both_from(&x.r, what);
	device_from(x.factor.host, x.factor.device, (size_t)(ldf * x.factor.n) * sizeof(scalar));
	for (int64_t l = 0; l < leaves; l++)
		device_from(x.leaf[l].host, x.leaf[l].device, (size_t)(ld[l] * x.leaf[l].n) * sizeof(scalar));
	for (int64_t l = 1; l < leaves; l += 2)
		rebuild_on_device(&x, l, l % 4 == 1 ? k / 2 : x.rows[l] - 1);
	scalar *host = malloc((size_t)(x.v.ld * (k + 1)) * sizeof(*host));
	memcpy(host, x.v.host, (size_t)(x.v.ld * k) * sizeof(*host));
	both_from(&x.v, what);
	for (int64_t l = 0; l < leaves; l += 2) {
		for (int64_t j = 0; j < k; j++)
			memcpy(x.v.host + x.first[l] + j * x.v.ld, host + x.first[l] + j * x.v.ld, (size_t)x.rows[l] * sizeof(*host));
		rebuild_on_host(&x, l);
	}
	struct both t = { .m = k, .n = k, .ld = ldf, .host = x.factor.host + PANEL_T * w * ldf };
	for (int64_t j = 0; j < k; j++)
		for (int64_t i = 0; i < k; i++) {
			x.v.host[i + j * x.v.ld] = x.factor.host[i + (PANEL_V * w + j) * ldf];
			ck_assert(i <= j || x.factor.host[i + (PANEL_U * w + j) * ldf] == (scalar)0);
			ck_assert(i <= j || x.r.host[i + j * x.r.ld] == (scalar)0);
		}
	scalar *q = check_reflectors(&x.v, &t, k, what);
	check_product(&x.a, &x.r, q, k, what);
	free(q);
	free(host);
	tree_free(&x);
	device_free(work);
}

static const struct {
	int64_t k, leaves, more;
	bool quick;
} trees[] = {
	{ 1, 2, 3, true }, { 2, 3, 1, true }, { 8, 5, 20, true }, { 16, 2, 0, true }, { 17, 3, 7, true }, { 31, 2, 1, true },
	{ 32, 4, 0, false }, { 33, 2, 30, true }, { 64, 2, 9, false }, { 3, 35, 2, true }, { 128, 2, 1, false },
};

START_TEST(top_of_the_tree)
{
	if (device_slow() && !trees[_i].quick)
		return;
	device_order(_i % ORDERS, 0);
	check_tree(trees[_i].k, trees[_i].leaves, trees[_i].more, RANDOM);
}
END_TEST

START_TEST(top_of_any_kind)
{
	device_order(_i % ORDERS, 0);
	if (_i != HUGE_NORM) /* the host's leaves are for matrices that were scaled */
		check_tree(18, 3, 5, (enum kind)_i);
}
END_TEST

/* One leaf is the panel. */
START_TEST(panel_of_one_leaf)
{
	int64_t k = trees[_i].k, w = k + 3, ld, ldf;
	struct both leaf = both_random(w, LEAF_BLOCKS * w, 2, "leaf", 1), factor = both_random(w, PANEL_BLOCKS * w, 1, "factor", 2);

	ld = leaf.ld, ldf = factor.ld;
	NAME(gpu_panel_of_leaf)(NULL, k, w, leaf.device, ld, factor.device, ldf);
	device_finish();
	both_from(&factor, "factor");
	for (int64_t j = 0; j < k; j++)
		for (int64_t i = 0; i < k; i++) {
			ck_assert(factor.host[i + (PANEL_V * w + j) * ldf] == (i > j ? leaf.host[i + (LEAF_QR * w + j) * ld] : (scalar)(i == j)));
			ck_assert(factor.host[i + (PANEL_T * w + j) * ldf] == leaf.host[i + (LEAF_T * w + j) * ld]);
		}
	both_free(&leaf);
	both_free(&factor);
}
END_TEST

/* Sizes: rows, columns, inner. */
static const struct {
	int64_t m, n, k;
} sizes[] = {
	{ 0, 4, 4 }, { 1, 1, 1 }, { 5, 3, 2 }, { 31, 16, 16 }, { 32, 17, 15 }, { 33, 8, 33 }, { 100, 64, 40 }, { 70, 65, 64 }, { 40, 128, 128 },
	{ 20, 150, 140 },
};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };
static const double CLOSE = 40;

START_TEST(x_is_finished)
{
	int64_t m = sizes[_i].m, n = sizes[_i].n, k = sizes[_i].k;
	struct both v = both_random(m, k, 1, "v", 1), mid = both_random(k, n, 2, "m", 2), s = both_random(n, n, 1, "s", 3), x = both_random(m, n, 3, "x", 4);
	struct both y = both_random(m, n, 3, "y", 4);

	device_order(_i % ORDERS, 0);
	NAME(gpu_finish_x)(NULL, m, n, k, v.device, v.ld, mid.device, mid.ld, s.device, s.ld, x.device, x.ld);
	device_finish();
	both_from(&x, "finish_x");
	gemm(NO_TRANS, NO_TRANS, m, n, k, -1, v.host, v.ld, mid.host, mid.ld, 1, y.host, y.ld);
	trmm(CblasRight, CblasUpper, NO_TRANS, CblasNonUnit, m, n, s.host, s.ld, y.host, y.ld);
	check_close(m, n, x.host, x.ld, y.host, y.ld, CLOSE, "finish_x");
	both_free(&v);
	both_free(&mid);
	both_free(&s);
	both_free(&x);
	both_free(&y);
}
END_TEST

START_TEST(row_panel_is_brought_up_to_date)
{
	int64_t m = sizes[_i].m, n = sizes[_i].n, k = sizes[_i].k;
	struct both t = both_random(k, k, 1, "t", 1), v = both_random(n, k, 2, "v", 2), w = both_random(m, k, 1, "w", 3), x = both_random(m, n, 3, "x", 4);
	struct both y = both_random(m, n, 3, "y", 4), z = both_random(m, k, 1, "z", 3);

	device_order(_i % ORDERS, 0);
	NAME(gpu_row_panel)(NULL, m, n, k, t.device, t.ld, v.device, v.ld, w.device, w.ld, x.device, x.ld);
	device_finish();
	both_from(&w, "W");
	both_from(&x, "X");
	trmm(CblasRight, CblasUpper, NO_TRANS, CblasNonUnit, m, k, t.host, t.ld, z.host, z.ld);
	gemm(NO_TRANS, ADJOINT, m, n, k, -1, z.host, z.ld, v.host, v.ld, 1, y.host, y.ld);
	check_close(m, k, w.host, w.ld, z.host, z.ld, CLOSE, "W T");
	check_close(m, n, x.host, x.ld, y.host, y.ld, CLOSE, "X - W T V^H");
	both_free(&t);
	both_free(&v);
	both_free(&w);
	both_free(&x);
	both_free(&y);
	both_free(&z);
}
END_TEST

START_TEST(pair_of_factors)
{
	int64_t m = sizes[_i].m, k = sizes[_i].k;
	struct both v = both_random(m, k, 1, "v", 1), y = both_random(m, k, 2, "y", 2), g = both_random(k, k, 1, "g", 3), t = both_random(k, k, 0, "t", 4);
	struct both pair = both_random(m, 3 * k, 1, "pair", 5);
	void *work = device_new(NAME(gpu_rank_pair_work)(k), "work");

	device_order(_i % ORDERS, 0);
	NAME(gpu_rank_pair)(NULL, m, k, v.device, v.ld, y.device, y.ld, g.device, g.ld, t.device, t.ld, pair.device, pair.ld, work);
	device_finish();
	both_from(&pair, "pair");
	trmm(CblasLeft, CblasUpper, ADJOINT, CblasNonUnit, k, k, t.host, t.ld, g.host, g.ld);
	gemm(NO_TRANS, NO_TRANS, m, k, k, (scalar)-0.5, v.host, v.ld, g.host, g.ld, 1, y.host, y.ld);
	trmm(CblasRight, CblasUpper, NO_TRANS, CblasNonUnit, m, k, t.host, t.ld, y.host, y.ld);
	check_close(m, k, pair.host, pair.ld, v.host, v.ld, 0, "V");
	check_close(m, k, pair.host + k * pair.ld, pair.ld, y.host, y.ld, CLOSE, "X");
	check_close(m, k, pair.host + 2 * k * pair.ld, pair.ld, v.host, v.ld, 0, "V again");
	both_free(&v);
	both_free(&y);
	both_free(&g);
	both_free(&t);
	both_free(&pair);
	device_free(work);
}
END_TEST

START_TEST(solve_from_the_right)
{
	int64_t m = sizes[_i].m, k = sizes[_i].k;
	struct both u = both_random(k, k, 1, "u", 1), x = both_random(m, k, 2, "x", 2), y = both_random(m, k, 2, "y", 2);

	for (int64_t j = 0; j < k; j++)
		u.host[j + j * u.ld] += (real)k;
	both_to(&u);
	device_order(_i % ORDERS, 0);
	NAME(gpu_solve_right)(NULL, m, k, u.device, u.ld, x.device, x.ld);
	device_finish();
	both_from(&x, "X");
	trsm(CblasRight, CblasUpper, NO_TRANS, CblasNonUnit, m, k, u.host, u.ld, y.host, y.ld);
	check_close(m, k, x.host, x.ld, y.host, y.ld, CLOSE, "X U^-1");
	both_free(&u);
	both_free(&x);
	both_free(&y);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gpu_panel_parts");
	TCase *tests = tcase_create("gpu_panel_parts");

	tcase_set_timeout(tests, 0);
	tcase_add_loop_test(tests, top_of_the_tree, 0, sizeof(trees) / sizeof(trees[0]));
	tcase_add_loop_test(tests, top_of_any_kind, 0, KINDS);
	tcase_add_loop_test(tests, panel_of_one_leaf, 0, sizeof(trees) / sizeof(trees[0]));
	tcase_add_loop_test(tests, x_is_finished, 0, SIZES);
	tcase_add_loop_test(tests, row_panel_is_brought_up_to_date, 0, SIZES);
	tcase_add_loop_test(tests, pair_of_factors, 0, SIZES);
	tcase_add_loop_test(tests, solve_from_the_right, 0, SIZES);
	suite_add_tcase(suite, tests);
	return run_here(suite);
}

#include "algorithms/reduction.h"

void NAME(left_products)(const struct reduction *r, int parity, int64_t p, int64_t q, int64_t kb)
{
	const struct side *rows = &r->rows, *columns = &r->columns;

	for (int64_t j = q / columns->block; j * columns->block < columns->length; j++)
		for (int64_t i = p / rows->block; i * rows->block < rows->length; i++) {
			bool first = i == p / rows->block;
			struct part w = NAME(side_part)(columns, parity, j, q, 0, kb), v = NAME(side_part)(rows, parity, i, p, 0, kb);
			NAME(thin)(submit_at(r->to, PRODUCTS), w, NAME(view_part)(&r->a, i, j, p, q), !r->a.adjoint, v, first, first);
		}
}

void NAME(update_trailing)(const struct reduction *r, int parity, int64_t p, int64_t q, int64_t inner, int64_t next)
{
	const struct side *rows = &r->rows, *columns = &r->columns;

	for (int64_t j = q / columns->block; j * columns->block < columns->length; j++) {
		int priority = j * columns->block < q + next ? NEXT_PANEL : 0;
		for (int64_t i = p / rows->block; i * rows->block < rows->length; i++) {
			struct part left = NAME(side_part)(rows, parity, i, p, 0, inner);
			struct part right = NAME(side_part)(columns, parity, j, q, 0, inner);
			/* on the adjoint, C^H -= P Q^H is C -= Q P^H */
			NAME(update)(submit_at(r->to, priority), NAME(view_part)(&r->a, i, j, p, q), r->a.adjoint ? right : left,
				     r->a.adjoint ? left : right);
		}
	}
}

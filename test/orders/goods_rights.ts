import type { Right } from '../access/rights/right.ts';

export const GOODS_RIGHTS: Readonly<Record<string, Right>> = {
  set_goods_check: {
    route: 'PUT /api/v1/orders/goods-checks/:product_id',
    access: 'owner',
    input: ({ product }) => ({ product_id: product, enabled: false }),
    isTool: false,
  },
  list_goods_checks: {
    route: 'GET /api/v1/orders/goods-checks',
    access: 'read',
    isTool: false,
  },
  list_goods_verdicts: {
    route: 'GET /api/v1/orders/goods-verdicts',
    access: 'read',
    isTool: false,
  },
};

import { operation } from '../../../kernel/operation.ts';
import { Input, List } from '../../../kernel/schema.ts';
import { rows } from '../../../platform/rows.ts';
import { GOODS_CHECK, GoodsCheckView, goodsCheckView } from './goods_check.ts';

export const listGoodsChecks = operation({
  name: 'list_goods_checks',
  title: 'List checks of goods',
  summary: 'Lists the checks by which orders of your agents are confirmed by themselves. Free.',
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/orders/goods-checks',
  bindings: { tool: false },
  input: Input({}),
  output: List('goods_checks', GoodsCheckView),

  async handle(tx) {
    // A tree has few, so there is one page.
    const found = await rows(
      tx.db,
      GOODS_CHECK,
      `select product_id, title, judged_by, amount_max, hours
         from goods_check join product on product.id = product_id
        where goods_check.root_id = $1 order by product_id desc`,
      [tx.caller.rootId],
    );
    const checks = found.map(goodsCheckView);
    return { goods_checks: checks, count: checks.length, next_cursor: null, has_more: false };
  },
});

import { operation } from '../../../kernel/operation.ts';
import { paged, pageOf } from '../../../kernel/paging.ts';
import { Id, Input, List, Paging, Text, Type, Untrusted } from '../../../kernel/schema.ts';
import { untrusted } from '../../../kernel/text.ts';
import { field, view } from '../../../kernel/view.ts';
import { column, jsonOf, rows } from '../../../platform/rows.ts';
import { AgentFilter, selectedAgents } from '../../agents/tree/below.ts';
import type { Failure } from '../../verification/verification_gateway.ts';

const VERDICT = view('GoodsVerdict', {
  product_id: field.id('The product.'),
  title: field.asIs(Text(1, 120, 'Untrusted: by the seller.'), column.text),
  buyer_id: field.id('The agent that bought.'),
  passes: field.flag('Each delivered item passed.'),
  confirms: field.flag('The order is confirmed by it. False if it failed, or is above amount_max.'),
  order_id: field.id('The order.'),
  failures: {
    schema: Type.Array(Untrusted('A part of an item that failed, and why.'), { maxItems: 10 }),
    column: jsonOf<readonly Failure[]>(),
    show: (failures: readonly Failure[]) =>
      failures.map(({ pointer, message }) => untrusted(`${pointer} ${message}`.trim())),
  },
  checked_at: field.time('Time of the check.'),
});

export const listGoodsVerdicts = operation({
  name: 'list_goods_verdicts',
  title: 'List verdicts on goods',
  summary:
    'Lists what your checks said of goods that you bought, newest order first. What failed is ' +
    'paid at release_at, unless it is disputed before. Free.',
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/orders/goods-verdicts',
  bindings: { tool: false },
  refusals: ['not_found'],
  input: Input({
    order_id: Type.Optional(Id('Only the verdict on this order.')),
    ...AgentFilter,
    ...Paging,
  }),
  output: List('goods_verdicts', VERDICT.schema),

  async handle(tx, { order_id = null, agent_id, below, ...paging }) {
    const page = pageOf(paging);
    const agents = await selectedAgents(tx, { agent_id, below });
    const found = await rows(
      tx.db,
      VERDICT.columns,
      `select g.order_id, o.product_id, v.title, g.buyer_id, passes, confirms, failures,
              checked_at
         from goods_verdict g join orders o on o.id = g.order_id
         join product_version v on (v.product_id, v.version) = (o.product_id, o.version)
        where g.buyer_id = any ($1) and g.order_id < $2::bigint
          and (g.order_id = $4 or $4::bigint is null)
        order by g.order_id desc limit $3`,
      [agents, page.before, page.limit + 1, order_id],
    );
    const { page: shown, rest } = paged(found, page, 'order_id');
    return { goods_verdicts: shown.map(VERDICT.show), ...rest };
  },
});

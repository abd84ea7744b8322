import { operation } from '../../../kernel/operation.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { fromUsd } from '../../../kernel/money.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Id, Input, invalid, Nullable, Output, Text, Type, Usd } from '../../../kernel/schema.ts';
import { column, execute, row, rows } from '../../../platform/rows.ts';
import { JsonSchema } from '../../verification/result_check.ts';
import { VERIFICATION_MS_MAX } from '../../verification/verification_gateway.ts';
import { checkOf, GOODS_CHECK, GoodsCheckView, goodsCheckView, INITIAL } from './goods_check.ts';

const CHECKS_MAX = 100;

export const setGoodsCheck = operation({
  name: 'set_goods_check',
  title: 'Set a check of goods',
  summary:
    'Has orders of a product confirmed by themselves if what was delivered passes your check: it ' +
    'is judged when an agent of yours first opens the vault, and the seller is paid some hours ' +
    'after it passed. Until then it can be disputed. It applies to vaults opened later. Free.',
  access: 'owner',
  mode: 'job',
  queue: 'network',
  gatherMs: VERIFICATION_MS_MAX,
  rest: 'PUT /api/v1/orders/goods-checks/:product_id',
  bindings: { tool: false },
  effects: { idempotent: true },
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({
    product_id: Id('A product on sale, or one that an agent of yours bought.'),
    enabled: Type.Boolean({ description: 'false: the check is deleted.' }),
    json_schema: Type.Optional(JsonSchema),
    pattern: Type.Optional(
      Text(1, 1_000, 'In place of json_schema: an RE2 pattern that is found in each item.'),
    ),
    amount_max: Type.Optional(Usd('Orders up to this amount, with the fee; initially 1.', 0.01)),
    hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 72,
        description: 'Hours between a check that was passed and the payment; initially 0.',
      }),
    ),
  }),
  output: Output('GoodsCheckSet', {
    product_id: Id('The product.'),
    goods_check: Nullable(GoodsCheckView),
  }),

  /** A check that an owner wrote is read in a separate process only. */
  async gather({ verification }, input, { tree }) {
    const check = checkOf(input);
    if (!check) return [];
    const faults = await verification.faultsOf(check, { tree });
    return faults.map(({ pointer, ...fault }) => ({
      ...fault,
      pointer: pointer.replace(/^\/assertions\/0\/value/, '/pattern'),
    }));
  },

  async handle(tx, { product_id, enabled, ...input }, faults) {
    if (faults.length > 0) throw invalid(faults);
    const key = [tx.caller.rootId, product_id];
    if (!enabled) {
      const sql = 'delete from goods_check where root_id = $1 and product_id = $2';
      await execute(tx.db, sql, key);
      return { product_id, goods_check: null };
    }
    if (input.json_schema && input.pattern !== undefined) {
      throw invalid([{ pointer: '/pattern', message: 'must be absent beside json_schema' }]);
    }
    // The second of two calls at once waits here, and counts the check of the first.
    await execute(tx.db, 'select from agent where id = $1 for no key update', [tx.caller.rootId]);
    const { known, count } = await row(
      tx.db,
      { known: column.boolean, count: column.int },
      `select coalesce(bool_or(product_id = $2), false) as known, count(*)::int as count
         from goods_check where root_id = $1`,
      key,
    );
    const check = checkOf(input);
    if (!known) {
      if (!check) {
        throw invalid([{ pointer: '/json_schema', message: 'must be given, or pattern' }]);
      }
      await assertCheckable(tx, product_id);
      if (count >= CHECKS_MAX) {
        throw new Refusal('forbidden', `You have ${CHECKS_MAX} checks of goods. Delete one first.`);
      }
    }
    const set = await row(
      tx.db,
      GOODS_CHECK,
      `with changed as (
         insert into goods_check as known (root_id, product_id, judged_by, amount_max, hours)
         values ($1, $2, coalesce($3::jsonb, '{}'), coalesce($4::bigint, $6),
                 coalesce($5::smallint, $7))
         on conflict (root_id, product_id) do update
           set judged_by = coalesce($3, known.judged_by),
               amount_max = coalesce($4, known.amount_max), hours = coalesce($5, known.hours)
         returning product_id, judged_by, amount_max, hours)
       select changed.*, title from changed join product on product.id = product_id`,
      [
        ...key,
        check ? JSON.stringify(check) : null,
        input.amount_max === undefined ? null : fromUsd(input.amount_max),
        input.hours ?? null,
        INITIAL.amount_max,
        INITIAL.hours,
      ],
    );
    return { product_id, goods_check: goodsCheckView(set) };
  },
});

/** Refuses products that the tree neither sees nor bought, and those of datasets. */
async function assertCheckable({ db, caller }: Tx, productId: number): Promise<void> {
  const [product] = await rows(
    db,
    { is_dataset: column.boolean },
    `select exists (select from dataset where product_id = p.id) as is_dataset
       from product p
      where id = $1 and (status = 'approved' and active
         or exists (select from orders where product_id = p.id and buyer_root = $2))`,
    [productId, caller.rootId],
  );
  if (!product) {
    throw new Refusal('not_found', `There is no product ${productId} that you could buy.`);
  }
  if (!product.is_dataset) return;
  const message =
    'The vault of a dataset holds the way to it, not its rows: a check would judge nothing. ' +
    'set_confirm_rule confirms its orders.';
  throw new Refusal('invalid_transition', message);
}

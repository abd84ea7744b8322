import { fromUsd, toUsd } from '../../../kernel/money.ts';
import {
  Amount,
  Id,
  Nullable,
  Output,
  Text,
  Type,
  Untrusted,
  type Static,
} from '../../../kernel/schema.ts';
import { untrusted } from '../../../kernel/text.ts';
import { column, jsonOf, type Row } from '../../../platform/rows.ts';
import type { ResultCheck } from '../../verification/result_check.ts';

/** A check that the delivered items of a product must pass. */
export const GoodsCheckView = Output('GoodsCheck', {
  product_id: Id('The product.'),
  title: Text(1, 120, 'Untrusted: by the seller.'),
  json_schema: Nullable(Untrusted('The JSON Schema that each item must fit, as JSON.')),
  pattern: Nullable(Untrusted('The pattern that is found in each item.')),
  amount_max: Amount('Orders up to this amount, with the fee.'),
  hours: Type.Integer({ description: 'Hours between a check that was passed and the payment.' }),
});

export const GOODS_CHECK = {
  product_id: column.id,
  title: column.text,
  judged_by: jsonOf<ResultCheck>(),
  amount_max: column.micros,
  hours: column.int,
};

/** Values of a new check for the fields that a call leaves out. */
export const INITIAL = { amount_max: fromUsd(1), hours: 0 };

/** The check as written in the fields of `set_goods_check`; undefined: it has none of them. */
export function checkOf(input: {
  readonly json_schema?: object;
  readonly pattern?: string;
}): ResultCheck | undefined {
  const { json_schema, pattern } = input;
  if (json_schema) return { json_schema };
  return pattern === undefined ? undefined : { assertions: [{ op: 'regex', value: pattern }] };
}

export function goodsCheckView({
  judged_by: check,
  amount_max: max,
  ...row
}: Row<typeof GOODS_CHECK>): Static<typeof GoodsCheckView> {
  const isSchema = 'json_schema' in check;
  return {
    ...row,
    json_schema: isSchema ? untrusted(JSON.stringify(check.json_schema)) : null,
    pattern: isSchema ? null : untrusted(String(check.assertions[0]!.value)),
    amount_max: toUsd(max),
  };
}

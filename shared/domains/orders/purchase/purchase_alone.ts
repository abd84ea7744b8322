import type { Static } from '../../../kernel/schema.ts';
import { Amount, Id, OneOf, Output, Text, Time, Type } from '../../../kernel/schema.ts';
import type { Micros } from '../../../kernel/money.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { jsonOf, nullable, row } from '../../../platform/rows.ts';
import { Quantity } from '../order.ts';

export const PurchaseOutput = Output('Purchase', {
  order_id: Id('The new order.'),
  status: OneOf(['escrow'], 'Paid and delivered.'),
  item_endpoint: Text(1, 40, 'Path of the delivered item.'),
  product_id: Id('The product.'),
  quantity: Quantity,
  total_due: Amount('Taken from the wallet.'),
  release_at: Time('The seller is paid then.'),
  possible_repeat_of: Type.Optional(Id('An equal order of the last minute.')),
  hint: Type.Optional(Type.String({ description: 'A way to undo it.' })),
});
type Answer = Static<typeof PurchaseOutput>;

interface LonePurchase {
  readonly productId: number;
  readonly quantity: number;
  /** The most the caller will pay, fee included; null: any price. */
  readonly maxTotal: Micros | null;
  /** The id of a purchase that had to be approved. */
  readonly orderId?: number | undefined;
  /** A quote of this product and quantity, locked, whose units are out of the stock. */
  readonly quoteId?: number;
}

/** Buys by the SQL of a single call, which buys nothing if it may have to be refused. */
export async function purchaseAlone(
  { db, key, caller }: Tx,
  { productId, quantity, maxTotal, orderId, quoteId }: LonePurchase,
): Promise<Answer | null> {
  const { answer } = await row(
    db,
    { answer: nullable(jsonOf<Answer>()) },
    'select purchase_alone($1, $2, $3, $4, $5, $6, $7) as answer',
    [key, caller.agentId, productId, quantity, maxTotal, orderId ?? null, quoteId ?? 0],
  );
  return answer;
}

import type { Caller } from '../../../kernel/caller.ts';
import { column, rows, type Database } from '../../../platform/rows.ts';

/** Maximum seconds between two equal purchases for the second to look like a retry. */
const RETRY_SECONDS = 60;
/** Maximum newest orders of the buyer that are searched, so that a busy buyer costs no more. */
const ORDERS_MAX = 20;

export interface RepeatHint {
  readonly possible_repeat_of: number;
  readonly hint: string;
}

/**
 * A hint at an earlier order that this one may repeat by mistake: of the same agent, product and
 * quantity, at most a minute old, both bought without an idempotency key. Undefined: there is none.
 */
export async function repeatHint(
  db: Database,
  { agentId }: Caller,
  bought: { readonly order_id: number; readonly product_id: number; readonly quantity: number },
): Promise<RepeatHint | undefined> {
  const [earlier] = await rows(
    db,
    { id: column.id },
    `select o.id
       from (select id, job_id, product_id, quantity, created_at from orders
              where buyer_id = $1 and id < $2 order by id desc limit ${ORDERS_MAX}) o
       join job on job.id = o.job_id and job.key is null
      where o.product_id = $3 and o.quantity = $4
        and o.created_at > now() - interval '${RETRY_SECONDS} seconds'
      order by o.id desc limit 1`,
    [agentId, bought.order_id, bought.product_id, bought.quantity],
  );
  if (!earlier) return undefined;
  return {
    possible_repeat_of: earlier.id,
    hint:
      `Order ${earlier.id} bought the same less than a minute ago, and neither call had an ` +
      `idempotency key. If one purchase was meant, use dispute_order on order ` +
      `${bought.order_id}. Next time send a key, the same in every repeat, to be charged once.`,
  };
}

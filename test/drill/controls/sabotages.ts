import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkoutFolder } from '../../../local/paths.ts';

/** SQL of purchases that is wrong on purpose, and the violation that shows it. */
interface Sabotage {
  readonly what: string;
  readonly wrong: RegExp;
  /** In every function of purchases that has it. */
  readonly from: RegExp;
  readonly to: string;
}

export const SABOTAGES: readonly Sabotage[] = [
  {
    what: 'what an agent spent is not counted',
    wrong: /^not true that what an agent spent on each day/,
    from: /(amount = case when spend.day = (?:d\.|v_)day then spend.amount else 0 end) \+ \S+$/gm,
    to: '$1',
  },
  {
    what: 'a unit is sold again',
    wrong: /is in the vaults of orders|^stock of serial_pool|^vault of order/,
    from: /(from stock where product_id = \S+)\s+and status = 'available'\s+order by id limit/g,
    to: '$1 order by id desc limit',
  },
  {
    what: 'counted stock is not taken',
    wrong: /^stock of counted/,
    from: /set quantity = product\.quantity - (sold\.n|p_quantity)/g,
    to: 'set quantity = product.quantity',
  },
  {
    what: 'the seller is not told of an order',
    wrong: /^events of order/,
    from: /values \((agent|p_agent), (root_id|v_root)\), \([^)]*\)/g,
    to: 'values ($1, $2)',
  },
];

const FUNCTIONS = ['purchase_alone', 'purchase_batch'];

/** The functions of purchases with all of it. */
export function sabotagedPurchases(): string {
  const sources = FUNCTIONS.map((name) =>
    readFileSync(join(checkoutFolder, 'migrations/functions', `${name}.sql`), 'utf8'),
  );
  return SABOTAGES.reduce((texts, { what, from, to }) => {
    const changed = texts.map((text) => text.replaceAll(from, to));
    if (changed.some((text, n) => text === texts[n])) throw new Error(`found nothing for: ${what}`);
    return changed;
  }, sources).join('\n');
}

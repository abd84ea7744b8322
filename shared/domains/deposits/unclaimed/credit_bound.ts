import type { Tx } from '../../../kernel/tx.ts';
import { column, nullable, oneOf, rows, type Row } from '../../../platform/rows.ts';
import { bind } from '../chain/bind.ts';
import { chainOf, type PaidRail } from '../chain/networks.ts';
import { networkPaidOn } from '../chain/recipients.ts';
import { settle } from '../chain/settle.ts';
import type { Deposit } from '../deposit.ts';

/** Maximum payments of one call. */
const PAYMENTS_MAX = 100;

/** Unclaimed payments from one sender, or of one transaction. */
type Named = { readonly sender: string } | { readonly txId: string };

/**
 * Credits unclaimed payments that are bound to an agent by now. Those whose value is not known yet
 * wait for it. Locks the trees of those agents.
 */
export async function creditBound(
  tx: Tx,
  rails: readonly PaidRail[],
  named: Named,
): Promise<readonly Deposit[]> {
  const [field, value] = 'sender' in named ? ['sender', named.sender] : ['tx_id', named.txId];
  const found = await rows(
    tx.db,
    UNCLAIMED,
    `select rail, network, tx_id, tx_index, asset, amount::text, sender, recipient, position,
            paid_at, note
       from deposit where status = 'unclaimed' and network = any ($1) and ${field} = $2
      order by id limit ${PAYMENTS_MAX}`,
    [rails.flatMap((rail) => networkPaidOn(tx.config, rail) ?? []), value],
  );
  const credited: Deposit[] = [];
  for (const rail of rails) {
    const all = found.filter((one) => one.rail === rail);
    if (all.length === 0) continue;
    const { network } = all[0]!;
    const transfers = all.map(transferOf);
    const bindings = await bind(tx.db, { family: chainOf(rail).family, network }, transfers);
    // One that is still bound to nobody stays as it is.
    const bound = transfers.filter((_, n) => bindings[n]);
    const payments = { rail, network, transfers: bound, isFinal: true, prices: new Map() };
    const settled = await settle(tx, payments);
    credited.push(...settled.flatMap(({ deposit }) => deposit ?? []));
  }
  return credited;
}

const UNCLAIMED = {
  rail: oneOf<PaidRail>(),
  network: column.text,
  tx_id: column.text,
  tx_index: column.int,
  asset: column.text,
  amount: column.text,
  sender: column.text,
  recipient: column.text,
  position: column.int,
  paid_at: column.time,
  note: nullable(column.text),
};

const transferOf = (found: Row<typeof UNCLAIMED>) => ({
  txId: found.tx_id,
  index: found.tx_index,
  asset: found.asset,
  amount: BigInt(found.amount),
  from: found.sender,
  to: found.recipient,
  ...(found.note !== null && { reference: found.note }),
  position: found.position,
  at: found.paid_at,
});

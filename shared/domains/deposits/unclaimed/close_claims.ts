import type { Tx } from '../../../kernel/tx.ts';
import { column, oneOf, rows } from '../../../platform/rows.ts';
import { emit, eventsFor } from '../../events/events.ts';

interface Closing {
  /** The tree whose claim was right; absent: none was. */
  readonly acceptedRoot?: number;
  /** Why the others are refused. */
  readonly note: string;
}

/** Closes the open claims on a payment, and tells those whose claim is refused. */
export async function closeClaims(
  tx: Tx,
  depositId: number,
  { acceptedRoot, note }: Closing,
): Promise<void> {
  const closed = await rows(
    tx.db,
    CLOSED,
    `update deposit_claim c
        set status = case when c.root_id = $2 then 'accepted' else 'refused' end,
            note = case when c.root_id = $2 then null else $3 end, closed_at = now()
       from deposit d
      where d.id = c.deposit_id and c.deposit_id = $1 and c.status = 'open'
     returning c.id, c.agent_id, c.root_id, c.status, d.status as deposit_status, d.tx_id`,
    [depositId, acceptedRoot ?? null, note],
  );
  const refused = closed.filter(({ status }) => status === 'refused');
  await emit(
    tx.db,
    refused.flatMap(({ id, agent_id, root_id, deposit_status: status, tx_id }) =>
      eventsFor([agent_id, root_id], {
        type: 'deposit.claim_refused',
        object: { kind: 'deposit', id: depositId, status },
        data: { deposit_id: depositId, claim_id: id, tx_id, reason: note },
      }),
    ),
  );
}

const CLOSED = {
  id: column.id,
  agent_id: column.id,
  root_id: column.id,
  status: oneOf<'accepted' | 'refused'>(),
  deposit_status: column.text,
  tx_id: column.text,
};

import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { column, row } from '../../../platform/rows.ts';
import { findDataset, ON_OFFER, type Dataset } from './dataset.ts';

/** Locks the caller's own dataset. Another agent's is `forbidden` if the caller can see it. */
export async function lockOwnDataset({ db, caller }: Tx, id: number): Promise<Dataset> {
  const dataset = await findDataset(db, id, 'for no key update');
  if (dataset?.seller_id === caller.agentId) return dataset;
  const { visible } = await row(
    db,
    { visible: column.boolean },
    `select exists (select from dataset d left join product p on p.id = d.product_id
                     where d.id = $1 and (d.root_id = $2 or ${ON_OFFER})) as visible`,
    [id, caller.rootId],
  );
  throw visible
    ? new Refusal('forbidden', 'Only the agent that offers this dataset may change it.')
    : new Refusal('not_found', `There is no dataset ${id} on offer or among yours.`);
}

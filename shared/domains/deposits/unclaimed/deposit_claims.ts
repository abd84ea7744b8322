import { List } from '../../../kernel/schema.ts';
import { field, view } from '../../../kernel/view.ts';
import { rows, type Database } from '../../../platform/rows.ts';
import { RAILS } from '../../ledger/ledger.ts';

const STATUSES = ['open', 'accepted', 'refused'] as const;

/** A claim on an unclaimed payment, as the agent that made it sees it. */
const CLAIM = view('DepositClaim', {
  claim_id: field.id('The claim.'),
  deposit_id: field.id('The payment, as in list_deposits once it is yours.'),
  rail: field.oneOf(RAILS, 'Payment method.'),
  tx_id: field.text('Id of the payment on its network.'),
  amount: field.text('Integer, in base units of the asset.'),
  asset: field.text('Asset paid.'),
  usd: field.orNull(field.amount('Its value when it was paid; null: not known yet.')),
  paid_at: field.time('Time of its block.'),
  status: field.oneOf(STATUSES, 'open: operators decide. accepted: it was credited to you.'),
  note: field.orNull(field.text('Why operators refused it.')),
  created_at: field.time('Time of the claim.'),
});

export const ClaimView = CLAIM.schema;
export const ClaimList = List('claims', ClaimView);

/** Claims with this condition and order, as its agent sees them. */
export async function claimsWhere(db: Database, where: string, values: readonly unknown[]) {
  const found = await rows(
    db,
    CLAIM.columns,
    `select c.id as claim_id, c.deposit_id, d.rail, d.tx_id, d.amount::text, d.asset, d.usd,
            d.paid_at, c.status, c.note, c.created_at
       from deposit_claim c join deposit d on d.id = c.deposit_id where ${where}`,
    [...values],
  );
  return found.map(CLAIM.show);
}

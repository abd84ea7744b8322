import { operation } from '../../../kernel/operation.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Input, OneOf, Output, Text, Type } from '../../../kernel/schema.ts';
import { PublicText } from '../../../kernel/text.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { column, nullable, oneOf, row, rows, type Database } from '../../../platform/rows.ts';
import { CHAIN_RAILS, chainOf, CHAINS, type Family, type PaidRail } from '../chain/networks.ts';
import { DepositView, viewOf } from '../deposit.ts';
import { PASTED_CHARS_MAX, paymentIdIn } from '../pasted_id.ts';
import { creditBound } from './credit_bound.ts';
import { claimsWhere, ClaimView } from './deposit_claims.ts';

/** Maximum open claims of a tree, and of its claims on one payment. */
const OPEN_MAX = 5;
const TRIES_MAX = 3;

export const claimDeposit = operation({
  name: 'claim_deposit',
  title: 'Claim an unclaimed payment',
  summary:
    'Claims a payment by chain that was credited to nobody, because it had no reference. It is ' +
    'credited at once if its sender is a wallet that you have linked; otherwise operators decide ' +
    'by what you state. Free.',
  phrasings: `
    I paid without the memo; I forgot the note in my deposit; my payment from an exchange was not
    credited; sent crypto without a reference; recover a deposit without memo; claim a lost
    payment; my transfer from Binance or Coinbase has no tag; deposit_unbound, what now; my money
    is at your address and not in my wallet; missing memo on my USDC transfer; ask support to
    credit a transaction`,
  access: 'buy',
  mode: 'write',
  rest: 'POST /api/v1/wallet/deposits/claims',
  effects: { idempotent: true },
  refusals: ['not_found', 'already_credited', 'deposit_invalid', 'invalid_transition'],
  input: Input({
    rail: OneOf(CHAIN_RAILS, 'Its network.'),
    tx_id: Text(
      52,
      PASTED_CHARS_MAX,
      'Id of the transaction or payment, or the link of an explorer.',
    ),
    statement: PublicText(
      Text(
        20,
        2_000,
        'For operators: from where it was sent, and what shows that it is yours, as the id of the ' +
          'withdrawal at an exchange, its time and amount.',
      ),
    ),
  }),
  output: Output('ClaimedDeposit', {
    deposits: Type.Array(DepositView, { description: 'Payments credited by this call.' }),
    claims: Type.Array(ClaimView, { description: 'Claims on payments that operators decide.' }),
  }),

  async handle(tx, { rail, tx_id, statement }) {
    const txId = paymentIdIn(CHAINS[rail].family, 'tx_id', tx_id);
    // Payments to the address of calls are on Base as well.
    const rails: readonly PaidRail[] = rail === 'base' ? [rail, 'x402'] : [rail];
    const credited = await creditBound(tx, rails, { txId });
    const own = credited.filter(({ root_id }) => root_id === tx.caller.rootId);
    const unclaimed = await findUnclaimed(tx, { rails, txId, isCredited: own.length > 0 });
    for (const { id } of unclaimed) await claim(tx, id, statement);
    return {
      deposits: own.map(viewOf),
      claims: await claimsWhere(
        tx.db,
        `c.deposit_id = any ($1) and c.root_id = $2 and c.status = 'open' order by c.id`,
        [unclaimed.map(({ id }) => id), tx.caller.rootId],
      ),
    };
  },
});

interface Asked {
  readonly rails: readonly PaidRail[];
  readonly txId: string;
  readonly isCredited: boolean;
}

/**
 * The unclaimed payments of a transaction, which nobody credits until this call has ended. Refuses
 * if there is nothing to claim in it.
 */
async function findUnclaimed({ db, caller }: Tx, { rails, txId, isCredited }: Asked) {
  const found = await rows(
    db,
    { id: column.id, status: oneOf<string>(), root_id: nullable(column.id) },
    `select id, status, root_id from deposit where rail = any ($1) and tx_id = $2 order by id for share`,
    [rails, txId],
  );
  const unclaimed = found.filter(({ status }) => status === 'unclaimed');
  if (unclaimed.length > 0 || isCredited) return unclaimed;
  if (found.length === 0) throw await notRecorded(db, rails, txId);
  const own = found.find(({ root_id }) => root_id === caller.rootId);
  if (own) {
    const message = `The payment is yours: list_deposits shows it as ${own.status}.`;
    throw new Refusal('invalid_transition', message, { status: own.status });
  }
  throw new Refusal('already_credited', 'The payment was credited to another, or paid back.');
}

const VERIFIES: { readonly [family in Family]: string } = {
  evm: 'evm_verify',
  solana: 'solana_verify',
  algorand: 'algo_verify_deposit',
  tron: 'tron_verify',
};

/** The refusal of what is not recorded on a rail. It names another rail that has it. */
async function notRecorded(
  db: Database,
  rails: readonly PaidRail[],
  txId: string,
): Promise<Refusal> {
  const elsewhere = await rows(
    db,
    { rail: oneOf<PaidRail>() },
    `select distinct rail from deposit where rail = any ($1) and tx_id = $2 order by rail limit 1`,
    [CHAIN_RAILS, txId],
  );
  const other = elsewhere[0]?.rail;
  const message = other
    ? `This transaction is on ${other}: claim it with that rail.`
    : 'No payment of this transaction is recorded. Verify it: then it is read on its network.';
  const next = other ? 'claim_deposit' : VERIFIES[chainOf(rails[0]!).family];
  return new Refusal('not_found', message, other ? { rail: other } : {}, {}, [next]);
}

async function claim({ db, caller }: Tx, depositId: number, statement: string): Promise<void> {
  const { agentId, rootId } = caller;
  // One at a time for a tree, so that the counts below are exact.
  await rows(db, {}, 'select from agent where id = $1 for no key update', [rootId]);
  const { open, tries, is_open } = await row(
    db,
    { open: column.int, tries: column.int, is_open: column.boolean },
    `select count(*) filter (where status = 'open')::int as open,
            count(*) filter (where deposit_id = $2)::int as tries,
            coalesce(bool_or(status = 'open' and deposit_id = $2), false) as is_open
       from deposit_claim where root_id = $1`,
    [rootId, depositId],
  );
  if (is_open) return;
  if (tries >= TRIES_MAX) {
    throw new Refusal('invalid_transition', `Operators refused this claim ${tries} times.`);
  }
  if (open >= OPEN_MAX) {
    const message = `Your tree has ${open} open claims. Wait until operators have decided one.`;
    const details = { limited_by: 'claims_open', limit: OPEN_MAX, used: open, resets_at: null };
    throw new Refusal('invalid_transition', message, details);
  }
  await rows(
    db,
    {},
    `insert into deposit_claim (deposit_id, agent_id, root_id, statement) values ($1, $2, $3, $4)`,
    [depositId, agentId, rootId, statement],
  );
}

import { Refusal } from '../../kernel/refusal.ts';
import { Amount, Id, Nullable, OneOf, Output, Time, Type } from '../../kernel/schema.ts';
import type { Tx } from '../../kernel/tx.ts';
import { shownName } from '../../kernel/text.ts';
import { invalid } from '../../kernel/schema.ts';
import { fromUsd, toUsd, type Micros } from '../../kernel/money.ts';
import { column, finder, namesOf, nullable, oneOf, row, type Row } from '../../platform/rows.ts';
import type { WithdrawalSettings } from './settings.ts';

export const STATUSES = ['requested', 'processing', 'paid', 'failed', 'cancelled'] as const;
type WithdrawalStatus = (typeof STATUSES)[number];
const REVIEWS = ['pending', 'approved', 'denied'] as const;

/** Product type of withdrawals in policies. */
export const PRODUCT_TYPE = 'withdrawal';

/** Problems of a withdrawal that an operator must resolve. */
const NEEDS = {
  not_mined: 'its transaction is in no block, even for the highest fee that we offer',
  nonce_taken: 'another transaction has its nonce, so its own transactions cannot pay',
  odd_transaction: 'its transaction is final and did not make its payment',
  other_wallet: 'it was begun with a wallet whose key is not the one set now',
} as const;
export type Need = keyof typeof NEEDS;

/** Faults of the wallet that pays, for those who wait. */
const WALLET_FAULTS = {
  unanswered: 'Too few providers of the network answer. Nothing is lost: it is paid when they do.',
  fault: 'The wallet that pays cannot pay now. Operators see why; nothing is lost.',
} as const;

export const NetworkName = OneOf(['base', 'sandbox'], 'sandbox: a chain without value.');
export const Address = Type.String({
  minLength: 42,
  maxLength: 42,
  pattern: '^0x[0-9a-fA-F]{40}$',
  description:
    '0x and 40 hex digits; mixed case is a checksum (EIP-55). Money ' +
    'paid to a wrong address is lost.',
});

const VIEW = {
  withdrawal_id: Id('The withdrawal.'),
  status: OneOf(
    STATUSES,
    'requested: nothing has left yet. processing: its transaction may pay it at any moment. ' +
      'paid: final on the chain. failed, cancelled: the money is back in the wallet.',
  ),
  amount: Amount('Taken from the wallet, and paid in full: there is no fee.'),
  network: NetworkName,
  asset: Type.Literal('USDC'),
  address: Type.String({ description: 'Address it is paid to.' }),
  review: Nullable(OneOf(REVIEWS, 'Review by an operator; null: not needed.')),
  pays_from: Time('Earliest payment: the first payment to an address waits.'),
  tx_id: Nullable(Type.String({ description: 'The transaction that pays it; null: none yet.' })),
  failure: Nullable(Type.String({ description: 'Reason of a failure.' })),
  waits_for: Nullable(Type.String({ description: 'Reason it waits.' })),
  requested_at: Time('Time of the call.'),
  closed_at: Nullable(Time('Time of the payment, or of the return of the money.')),
};

export const WithdrawalView = Output('Withdrawal', {
  ...VIEW,
  available_actions: Type.Array(OneOf(['cancel_withdrawal'], 'An operation.'), {
    maxItems: 1,
    description: 'Calls you can make now.',
  }),
});

/** The fields that operators see. */
export const REVIEW_VIEW = {
  ...VIEW,
  agent_id: Id('The agent that withdraws.'),
  username: Type.String({ description: 'The name of that agent.' }),
  needs: Nullable(Type.String({ description: 'The problem to resolve; null: none.' })),
  nonce: Nullable(Type.Integer({ description: 'Nonce of its transaction; null: none yet.' })),
  approved_by: Nullable(
    Type.String({ description: 'The first operator to approve, if a second has to; else null.' }),
  ),
};

const WITHDRAWAL = {
  id: column.id,
  agent_id: column.id,
  root_id: column.id,
  chain_id: column.id,
  address: column.text,
  amount: column.micros,
  escrow_id: column.id,
  spent_on: column.text,
  status: oneOf<WithdrawalStatus>(),
  review: nullable(oneOf<(typeof REVIEWS)[number]>()),
  not_before: column.time,
  wallet_id: nullable(column.id),
  nonce: nullable(column.int),
  tx_hash: nullable(column.text),
  failure: nullable(column.text),
  needs: nullable(oneOf<Need>()),
  approved_by: nullable(column.text),
  wallet_fault: nullable(oneOf<keyof typeof WALLET_FAULTS>()),
  created_at: column.time,
  closed_at: nullable(column.time),
};
/** The columns of a withdrawal, with the name of its agent. */
const NAMED = { ...WITHDRAWAL, username: column.text };
export type Withdrawal = Row<typeof WITHDRAWAL>;

/** SQL: why the newest wallet pays nothing, while the withdrawal is open. */
const WALLET_FAULT = `
  case when closed_at is null then (
    select case when h.unanswered is not null then 'unanswered'
                when h.fault is not null then 'fault' end
      from hot_wallet h where h.chain_id = withdrawal.chain_id
     order by h.id desc limit 1) end as wallet_fault`;

const SELECTED = namesOf(WITHDRAWAL)
  .replace('spent_on', 'spent_on::text as spent_on')
  .replace('wallet_fault', WALLET_FAULT);

/** Finds withdrawals by a condition and the clauses after it. */
export const findWithdrawals = finder(WITHDRAWAL, `select ${SELECTED} from withdrawal where`);

/** Finds withdrawals with the names of their agents. */
export const findNamed = finder(
  NAMED,
  `select ${SELECTED}, (select username from agent where id = withdrawal.agent_id) as username
     from withdrawal where`,
);

/** Locks a withdrawal. If money is to move, its tree must be locked before. */
export async function lockWithdrawal(db: Tx['db'], id: number): Promise<Withdrawal | undefined> {
  return (await findWithdrawals(db, 'id = $1 for no key update', [id]))[0];
}

const shownOf = (withdrawal: Withdrawal, { withdrawals }: Tx['config']) => ({
  withdrawal_id: withdrawal.id,
  status: withdrawal.status,
  amount: toUsd(withdrawal.amount),
  network: networkOf(withdrawals),
  asset: 'USDC' as const,
  address: withdrawal.address,
  review: withdrawal.review,
  pays_from: withdrawal.not_before.toISOString(),
  tx_id: withdrawal.tx_hash,
  failure: withdrawal.failure,
  waits_for: withdrawal.wallet_fault && WALLET_FAULTS[withdrawal.wallet_fault],
  requested_at: withdrawal.created_at.toISOString(),
  closed_at: withdrawal.closed_at?.toISOString() ?? null,
});

export const viewOf = (withdrawal: Withdrawal, { config }: Pick<Tx, 'config'>) => ({
  ...shownOf(withdrawal, config),
  available_actions:
    withdrawal.status === 'requested' ? (['cancel_withdrawal'] as const).slice() : [],
});

export const reviewViewOf = (withdrawal: Row<typeof NAMED>, { config }: Pick<Tx, 'config'>) => ({
  ...shownOf(withdrawal, config),
  agent_id: withdrawal.agent_id,
  username: shownName(withdrawal.username),
  needs: withdrawal.needs && NEEDS[withdrawal.needs],
  nonce: withdrawal.nonce,
  approved_by: withdrawal.approved_by,
});

export const isOn = ({ base }: WithdrawalSettings): boolean => base.rpcUrls.length > 0;
export const networkOf = ({ base }: WithdrawalSettings) =>
  base.sandbox ? ('sandbox' as const) : ('base' as const);

export function assertOn(settings: WithdrawalSettings): void {
  if (isOn(settings)) return;
  throw new Refusal(
    'rail_unavailable',
    'This marketplace pays nothing out: it has no provider of Base or no wallet that pays. ' +
      'Its operators have to set BASE_RPC_URLS and BASE_KEY_FILE.',
    { rail: 'base', settings: ['BASE_RPC_URLS', 'BASE_KEY_FILE'] },
  );
}

/** Refuses an amount below the minimum or above the maximum of one call. */
export function assertSize({ config }: Tx, amount: Micros): void {
  const { min, max } = config.withdrawals;
  if (amount < fromUsd(min)) {
    throw invalid([{ pointer: '/amount', message: `must be at least ${min}` }]);
  }
  if (amount <= fromUsd(max)) return;
  const message = `At most $${max} can be withdrawn in one call.`;
  throw new Refusal('tx_limit_exceeded', message, { limit: max, asked: toUsd(amount) });
}

/** Sum a tree has withdrawn in 24 hours, failed ones included: they may have cost us gas. */
export async function usedToday(db: Tx['db'], rootId: number): Promise<Micros> {
  const { used } = await row(
    db,
    { used: column.micros },
    `select coalesce(sum(amount), 0)::bigint as used from withdrawal
      where root_id = $1 and status <> 'cancelled'
        and created_at > now() - interval '1 day'`,
    [rootId],
  );
  return used;
}

export const noSuchWithdrawal = (id: number) =>
  new Refusal('not_found', `You have no withdrawal ${id}.`);

import { operation } from '../../../kernel/operation.ts';
import { paged, pageOf } from '../../../kernel/paging.ts';
import {
  Id,
  Input,
  List,
  Moment,
  Nullable,
  OneOf,
  Output,
  Paging,
  Text,
  Time,
  timeOf,
  Type,
  Untrusted,
  Usd,
} from '../../../kernel/schema.ts';
import { fromUsd } from '../../../kernel/money.ts';
import { field, view } from '../../../kernel/view.ts';
import { rows } from '../../../platform/rows.ts';
import { RAILS } from '../../ledger/ledger.ts';
import {
  chainOf,
  FAMILIES,
  PAID_RAILS,
  spellingOf,
  type Family,
  type PaidRail,
} from '../chain/networks.ts';
import { PASTED_CHARS_MAX, txIdsIn } from '../pasted_id.ts';
import { DECISIONS } from './decisions.ts';
import { SUMS, sumsOfUnclaimed, waitsForOperators } from './unclaimed_sums.ts';

const STATUSES = ['unclaimed', 'held', 'returned'] as const;

const PAYMENT = view('UnclaimedPayment', {
  deposit_id: field.id('Pass it to decide_unclaimed_payment.'),
  status: field.oneOf(STATUSES, 'held: its agent is known. returned: it was paid back.'),
  reason: field.text('Reason it is not credited.'),
  rail: field.oneOf(RAILS, 'Payment method.'),
  tx_id: field.text('Id of the payment on its network.'),
  amount: field.text('Integer, in base units of the asset.'),
  asset: field.text('Asset paid.'),
  usd: field.orNull(field.amount('Its value when it was paid; null: not known yet.')),
  sender: field.text('Address that paid.'),
  recipient: field.text('Address that was paid.'),
  note: field.orNull(field.untrusted('Text of the payer in it.')),
  paid_at: field.time('Time of its block.'),
  agent_id: field.orNull(field.id('The agent it is held for; null: nobody is known.')),
  claims: field.json(
    Type.Array(
      Output({
        claim_id: Id('The claim.'),
        agent_id: Id('The agent that says it is its own.'),
        statement: Untrusted('Its reasons.'),
        created_at: Time('Time of the claim.'),
      }),
      { description: 'Open claims on it, oldest first.' },
    ),
  ),
  decision: field.orNull(
    field.json(
      Output({
        decision: OneOf(DECISIONS, 'The decision.'),
        agent_id: Nullable(Id('To whom it is credited.')),
        return_tx_id: Nullable(Text(1, 200, 'Transaction that paid it back.')),
        evidence: Text(1, 2_000, 'Its evidence.'),
        operators: Type.Array(Type.String(), { description: 'Who decided, the first one first.' }),
        is_done: Type.Boolean({ description: 'false: a second operator has to say the same.' }),
      }),
    ),
  ),
});

export const listUnclaimedPayments = operation({
  name: 'list_unclaimed_payments',
  title: 'List unclaimed payments',
  summary:
    'Operators: lists payments by chain that are credited to nobody, newest first, with the ' +
    'claims on them, and what there is by rail and age. Searches by transaction, sender, amount ' +
    'and time.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/unclaimed',
  bindings: { tool: false },
  input: Input({
    status: Type.Optional(OneOf(STATUSES, 'Only this status; unclaimed and held if absent.')),
    rail: Type.Optional(OneOf(PAID_RAILS, 'Only this rail.')),
    tx_id: Type.Optional(
      Text(1, PASTED_CHARS_MAX, 'Only this transaction: its id, or the link of an explorer.'),
    ),
    sender: Type.Optional(Text(1, 200, 'Only from this address.')),
    deposit_id: Type.Optional(Id('Only this payment.')),
    waiting: Type.Optional(
      Type.Boolean({ description: 'true: only those that wait for a decision of operators.' }),
    ),
    min_usd: Type.Optional(Usd('Minimum value.')),
    max_usd: Type.Optional(Usd('Maximum value.')),
    after: Type.Optional(Moment('Paid at or after this time.')),
    before: Type.Optional(Moment('Paid before this time.')),
    ...Paging,
  }),
  output: Output('UnclaimedPayments', {
    ...List('payments', PAYMENT.schema).properties,
    sums: SUMS,
  }),

  async handle({ db, config }, { status, rail, tx_id, sender, ...input }) {
    const page = pageOf(input);
    const found = await rows(db, PAYMENT.columns, sqlOf(status), [
      page.before,
      page.limit + 1,
      rail ?? null,
      tx_id === undefined ? null : txIdsIn('tx_id', tx_id, familiesOf(rail)),
      sender === undefined ? null : spellingsOf(sender.trim(), familiesOf(rail)),
      input.waiting ?? false,
      input.min_usd === undefined ? null : fromUsd(input.min_usd),
      input.max_usd === undefined ? null : fromUsd(input.max_usd),
      timeOf('/after', input.after) ?? null,
      timeOf('/before', input.before) ?? null,
      input.deposit_id ?? null,
      fromUsd(config.deposits.reviewAbove),
    ]);
    const { page: payments, rest } = paged(found, page, 'deposit_id');
    const sums = await sumsOfUnclaimed(db);
    return { payments: payments.map(PAYMENT.show), sums, ...rest };
  },
});

const familiesOf = (rail: PaidRail | undefined) => (rail ? [chainOf(rail).family] : FAMILIES);

const spellingsOf = (address: string, families: readonly Family[]) =>
  families.map((family) => spellingOf(family, address));

/** SQL: one that is worth less than the smallest amount is known to be worth nothing. */
const VALUE = 'coalesce(d.usd, d.suspended)';

/** SQL. The status is no parameter, so that the planner can use a partial index. */
const sqlOf = (status: (typeof STATUSES)[number] | undefined) => `
  select d.id as deposit_id, d.status, d.waits_for as reason, d.rail, d.tx_id, d.amount::text,
         d.asset, ${VALUE} as usd, d.sender, d.recipient, d.note, d.paid_at, d.agent_id,
         (select coalesce(json_agg(json_build_object('claim_id', c.id, 'agent_id', c.agent_id,
                   'statement', json_build_object('untrusted', true, 'content', c.statement),
                   'created_at', to_char(c.created_at at time zone 'UTC',
                     'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by c.id), '[]')
            from deposit_claim c where c.deposit_id = d.id and c.status = 'open') as claims,
         (select json_build_object('decision', v.decision, 'agent_id', v.agent_id,
                   'return_tx_id', v.return_tx_id, 'evidence', v.evidence,
                   'operators', array_remove(array[v.first_operator, v.second_operator], null),
                   'is_done', v.decided_at is not null)
            from deposit_decision v where v.deposit_id = d.id) as decision
    from deposit d
   where d.status in (${status ? `'${status}'` : `'unclaimed', 'held'`}) and d.id < $1::bigint
     and ($3::text is null or d.rail = $3) and ($4::text[] is null or d.tx_id = any ($4))
     and ($5::text[] is null or d.sender = any ($5))
     and (not $6 or ${waitsForOperators('$12')}) and ($11::bigint is null or d.id = $11)
     and ($7::bigint is null or ${VALUE} >= $7)
     and ($8::bigint is null or ${VALUE} <= $8)
     and ($9::timestamptz is null or d.paid_at >= $9)
     and ($10::timestamptz is null or d.paid_at < $10)
   order by d.id desc limit $2`;

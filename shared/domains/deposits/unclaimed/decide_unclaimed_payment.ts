import { operation } from '../../../kernel/operation.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Id, Input, invalid, OneOf, Output, Text, Time, Type } from '../../../kernel/schema.ts';
import { PublicText } from '../../../kernel/text.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { column, nullable, oneOf, rows, type Row } from '../../../platform/rows.ts';
import { asset, insertTransfers, lockTreasuries, unclaimed } from '../../ledger/ledger.ts';
import type { ChainTransaction, ChainTransfer } from '../chain/deposit_chain.ts';
import { chainOf, networkOf, spellingOf, type PaidRail } from '../chain/networks.ts';
import { callsAddresses, paysForCalls, railOf } from '../chain/recipients.ts';
import { creditDeposit, notifyOf } from '../credit.ts';
import { DEPOSIT, DEPOSIT_SQL, DEPOSIT_STATUSES } from '../deposit.ts';
import { PASTED_CHARS_MAX, txIdIn } from '../pasted_id.ts';
import { railUnavailable } from '../rails.ts';
import { paymentOf, STORED_PAYMENT, STORED_PAYMENT_SQL } from '../stored_receipt.ts';
import { closeClaims } from './close_claims.ts';
import { agree, DECISIONS, type Decision } from './decisions.ts';
import { sentFrom } from './sent_from_calls.ts';

export const decideUnclaimedPayment = operation({
  name: 'decide_unclaimed_payment',
  title: 'Decide an unclaimed payment',
  summary:
    'Operators: credits a payment of nobody, or one that is held, to an agent, or records the ' +
    'transaction that paid it back, which is read on its network. A second operator has to say ' +
    'the same. refuse closes the open claims on it.',
  access: 'operator',
  mode: 'job',
  queue: 'network',
  rest: 'POST /api/v1/admin/unclaimed/:deposit_id/decide',
  bindings: { tool: false },
  effects: { actsOn: { kind: 'deposit', field: 'deposit_id' }, destructive: true },
  refusals: [
    'not_found',
    'invalid_transition',
    'deposit_invalid',
    'transaction_unknown',
    'rail_unavailable',
  ],
  input: Input({
    deposit_id: Id('The payment.'),
    decision: OneOf(
      [...DECISIONS, 'refuse'],
      'credit: to agent_id. return: it was paid back by return_tx_id. refuse: the open claims.',
    ),
    agent_id: Type.Optional(Id('credit: the agent.')),
    return_tx_id: Type.Optional(
      Text(52, PASTED_CHARS_MAX, 'return: id of the transaction that paid it back, or its link.'),
    ),
    return_address: Type.Optional(
      Text(20, 100, 'return: address that it was paid back to. Absent: its sender.'),
    ),
    evidence: PublicText(
      Text(1, 2_000, 'Its evidence. Those who claimed it read it if it is refused.'),
    ),
  }),
  output: Output('UnclaimedDecision', {
    deposit_id: Id('The payment.'),
    status: OneOf(['unclaimed', ...DEPOSIT_STATUSES], 'Its status now.'),
    needs_second: Type.Boolean({ description: 'Whether another operator has to say the same.' }),
    decided_at: Time('Time of the decision.'),
  }),

  async prepare(tx, { deposit_id, decision, return_tx_id: text, ...more }) {
    refuseOthers(decision, { ...more, return_tx_id: text });
    const { rail, network } = await find(tx, deposit_id);
    if (decision !== 'return') return undefined;
    if (text === undefined) throw missing('return_tx_id');
    const txId = txIdIn[chainOf(rail).family]('return_tx_id', text);
    if (rail === 'x402') return { txId, rail: undefined };
    const settings = railOf(tx.config, rail);
    if (!settings || networkOf(rail, settings) !== network) throw railUnavailable(rail);
    return { txId, rail };
  },

  async gather({ chains }, _input, _call, asked) {
    const read = asked?.rail && (await chains(asked.rail).read(asked.txId));
    return asked && { txId: asked.txId, read };
  },

  async handle(tx, { deposit_id: id, decision, evidence, ...input }, asked) {
    const agent = decision === 'credit' ? await findAgent(tx, input.agent_id) : undefined;
    if (agent) await lockTreasuries(tx.db, [agent.root_id]);
    const payment = await find(tx, id, 'for no key update');
    const read =
      payment.rail === 'x402' ? asked && (await sentFrom(tx.db, asked.txId)) : asked?.read;
    const answer = { deposit_id: id, decided_at: tx.now.toISOString() };
    if (decision === 'refuse') {
      await closeClaims(tx, id, { note: evidence });
      return { ...answer, status: payment.status, needs_second: false };
    }
    const decided: Decision = {
      depositId: id,
      decision,
      agentId: agent?.id ?? null,
      returned:
        decision === 'return'
          ? returnIn(tx, payment, { read, address: input.return_address })
          : null,
      evidence,
    };
    if (!(await agree(tx, decided))) {
      return { ...answer, status: payment.status, needs_second: true };
    }
    const status = agent ? await credit(tx, payment, agent) : await close(tx, payment, evidence);
    return { ...answer, status, needs_second: false };
  },
});

/** Fields of one decision alone. */
const DECISION_OF = { agent_id: 'credit', return_tx_id: 'return', return_address: 'return' };

/** Refuses fields of another decision: who sends them means something else than would be done. */
function refuseOthers(decision: string, input: { [field in keyof typeof DECISION_OF]?: unknown }) {
  const others = Object.entries(DECISION_OF).filter(
    ([field, of]) => input[field as keyof typeof DECISION_OF] !== undefined && of !== decision,
  );
  if (others.length === 0) return;
  throw invalid(
    others.map(([field, of]) => ({
      pointer: `/${field}`,
      message: `goes with the decision ${of} alone`,
    })),
  );
}

const missing = (field: string) => invalid([{ pointer: `/${field}`, message: 'is required' }]);

const PAYMENT = {
  id: column.id,
  status: oneOf<'unclaimed' | 'held'>(),
  rail: oneOf<PaidRail>(),
  network: column.text,
  asset: column.text,
  amount: column.text,
  sender: column.text,
  position: column.int,
  suspended: nullable(column.micros),
};
type Payment = Row<typeof PAYMENT>;

/** The payment, if it can be decided. */
async function find({ db }: Tx, id: number, lock = ''): Promise<Payment> {
  const [found] = await rows(
    db,
    { ...PAYMENT, status: oneOf<string>() },
    `select id, status, rail, network, asset, amount::text, sender, position, suspended
       from deposit
      where id = $1 and sender is not null ${lock}`,
    [id],
  );
  if (!found) throw new Refusal('not_found', `There is no payment ${id} by chain.`);
  const { status } = found;
  if (status === 'unclaimed' || status === 'held') return { ...found, status };
  throw new Refusal('invalid_transition', `This payment is ${status}.`, { status });
}

async function findAgent({ db }: Tx, id: number | undefined) {
  if (id === undefined) throw missing('agent_id');
  const AGENT = { id: column.id, root_id: column.id };
  const [agent] = await rows(db, AGENT, 'select id, root_id from agent where id = $1', [id]);
  if (agent) return agent;
  throw new Refusal('not_found', `There is no agent ${id}.`);
}

/** The transfer that paid a payment back: later, in its asset, to its sender, and no more. */
function returnIn(
  { config }: Tx,
  { rail, asset: sign, amount, sender, position, network }: Payment,
  { read, address }: { read: ChainTransaction | undefined; address: string | undefined },
) {
  if (!read || read.status === 'unknown' || read.status === 'unfinal') {
    const why = read?.status === 'unfinal' ? 'It is not final yet.' : 'No provider knows it yet.';
    throw new Refusal('transaction_unknown', `${why} Decide it when it is final.`);
  }
  const { family } = chainOf(rail);
  const to = spellingOf(family, address ?? sender);
  // The address of paid calls pays back what came to it. Such a transfer has another index there,
  // so nothing else would keep it from counting twice.
  const calls = rail !== 'x402' && paysForCalls(rail, sign) ? callsAddresses(config, rail) : [];
  const isReturn = (transfer: ChainTransfer) =>
    transfer.asset === sign &&
    !calls.includes(spellingOf(family, transfer.from)) &&
    spellingOf(family, transfer.to) === to &&
    transfer.amount <= BigInt(amount) &&
    transfer.position >= position;
  const found = read.status === 'final' ? read.transfers.find(isReturn) : undefined;
  if (found) return { network, txId: found.txId, index: found.index };
  throw new Refusal(
    'deposit_invalid',
    `The transaction failed, or pays no ${sign} to ${to} after the payment, or more than it was.`,
  );
}

const WORTHLESS = 'It is worth less than $0.000001: there is nothing to credit.';

/** Credits the payment to the agent, whose tree is locked. */
async function credit(tx: Tx, { id, suspended }: Payment, agent: { id: number; root_id: number }) {
  const [payment] = await rows(
    tx.db,
    STORED_PAYMENT,
    `update deposit set status = 'held', agent_id = $2, root_id = $3, bound_by = 'operator'
      where id = $1 and usd is not null returning ${STORED_PAYMENT_SQL}`,
    [id, agent.id, agent.root_id],
  );
  if (!payment) {
    const why =
      suspended === null ? 'Its value is not known yet. Decide it when it is.' : WORTHLESS;
    throw new Refusal('invalid_transition', why);
  }
  const { deposit } = await creditDeposit(tx, paymentOf(payment));
  return deposit.status;
}

/** The payment was paid back. */
async function close(tx: Tx, { id, rail, suspended }: Payment, evidence: string) {
  const [agents] = await rows(
    tx.db,
    { ...DEPOSIT, agent_id: nullable(column.id), root_id: nullable(column.id) },
    `update deposit set status = 'returned', waits_for = 'It was paid back.',
            suspended = coalesce(suspended, 0)
      where id = $1 returning ${DEPOSIT_SQL}`,
    [id],
  );
  const ref = id;
  const [from, to] = [unclaimed(rail), asset(rail)];
  await insertTransfers(tx, [
    { kind: 'unclaimed.release', ref, from, to, credit: 0n, cash: suspended ?? 0n },
  ]);
  const { agent_id, root_id, ...deposit } = agents!;
  if (agent_id !== null && root_id !== null) {
    await notifyOf(tx, { ...deposit, agent_id, root_id }, 'deposit.returned', {
      tx_id: deposit.tx_id,
    });
  }
  await closeClaims(tx, id, { note: evidence });
  return 'returned' as const;
}

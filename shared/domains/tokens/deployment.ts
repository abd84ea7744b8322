import { emit } from '../events/events.ts';
import type { Gateways } from '../../composition/gateways.ts';
import { runAgain } from '../../jobs/timers/timer.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Output, Type } from '../../kernel/schema.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import type { Micros } from '../../kernel/money.ts';
import { crashPoint } from '../../platform/crash_point.ts';
import { column, execute, nullable, oneOf, rows, type Row } from '../../platform/rows.ts';
import { refundCharge } from '../wallet/refund_charge.ts';
import type { Finding } from './rounds/look_up.ts';
import { findRound, type Round } from './rounds/open_tokens.ts';
import { findOut, type Findings } from './rounds/rounds.ts';
import { networkOn, type IssuingRail, type Token } from './token.ts';
import type { TokenState } from './token_gateway.ts';

/**
 * The common part of the operations that issue tokens on a network, to be spread into one. A token
 * is signed and stored in one round and sent in a later one, so that after any crash the id of
 * every transaction that may be on the network is known. The same bytes are sent in each round
 * until they are confirmed. New ones are signed only when the network can no longer accept the old
 * ones and has not, so there is never a second token.
 */
export function deployment(name: string, rail: IssuingRail) {
  const gatewayOf = (gateways: Gateways) =>
    rail === 'solana' ? gateways.collections : gateways.tokens;

  async function handle(tx: Tx, _input: object, found: Findings | undefined) {
    if (!found) return { signed: 0, closed: 0 };
    const roots = found.findings.flatMap(({ token }) => token.root_id ?? []);
    await lockTreasuries(tx.db, [...new Set(roots)]);
    const walletId = await noteWallet(tx, rail, found);
    let [signed, closed] = [0, 0];
    const findings = await mayMint(tx.db, found.findings);
    for (const finding of findings) {
      signed += await store(tx, finding, walletId);
      closed += await conclude(tx, finding);
    }
    const made = found.needsContract ? await addContract(tx, walletId) : 0;
    // The next round starts at once: it sends new bytes, and signs tokens that waited for others.
    if (signed + closed + made > 0) await runAgain(tx, name);
    return { signed, closed };
  }

  return {
    everyMs: 5_000,
    // Also the time after which the round of a killed worker is started again.
    gatherMs: 45_000,
    output: OUTPUT,
    prepare: ({ db, config }: Tx) => findRound(db, config, rail),
    async gather(gateways: Gateways, _input: object, _call: unknown, round: Round) {
      return round.open.length === 0 ? undefined : findOut(gatewayOf(gateways), round);
    },
    handle,
  };
}

const OUTPUT = Output({
  signed: Type.Integer({ description: 'Tokens signed.' }),
  closed: Type.Integer({ description: 'Tokens deployed or failed.' }),
});

/** Records the wallet's balance and fault for operators. Resolves with its id. */
async function noteWallet(
  { db, config }: Tx,
  rail: IssuingRail,
  { issuer, fault }: Findings,
): Promise<number> {
  const [wallet] = await rows(
    db,
    { id: column.id },
    `insert into token_wallet as w
            (rail, network, address, spendable, looked_at, fault, faulted_at)
     values ($5, $1, $2, $3, now(), $4, case when $4::text is not null then now() end)
     on conflict (network, address) do update
        set spendable = excluded.spendable, looked_at = excluded.looked_at,
            fault = excluded.fault,
            faulted_at = case when excluded.fault is not null
                              then coalesce(w.faulted_at, excluded.faulted_at) end
     returning id`,
    [networkOn(config.tokens, rail), issuer.address, issuer.spendable, fault ?? null, rail],
  );
  return wallet!.id;
}

const MINTED = { id: column.id, status: oneOf<Token['status']>(), attempts: column.int };

/**
 * The findings, without a group of NFTs that was signed while another round has stored one, or has
 * signed these again: the numbers of a group follow those of the one before.
 */
async function mayMint(
  db: Tx['db'],
  findings: Findings['findings'],
): Promise<Findings['findings']> {
  const group = findings.filter(({ signed, place }) => signed && place);
  const [first] = group;
  if (!first) return findings;
  const { contractId } = first.place!;
  // Rounds that run at once come one after the other here.
  await execute(db, 'select from token where id = $1 for no key update', [contractId]);
  const ids = group.map(({ token }) => token.id);
  const found = await rows(
    db,
    MINTED,
    `select t.id, t.status,
            (select count(*)::int from token_transaction where token_id = t.id) as attempts
       from token t
      where t.kind = 'nft' and t.closed_at is null
        and (t.id = any ($2) or t.contract_id = $1 and t.status = 'submitted')`,
    [contractId, ids],
  );
  const submitted = found.filter(({ status }) => status === 'submitted');
  const isAsRead = group.every(({ token }) =>
    found.some(({ id, attempts }) => id === token.id && attempts === token.transactions.length),
  );
  const isAlone = found.length === group.length && [0, group.length].includes(submitted.length);
  if (isAsRead && isAlone) return findings;
  return findings.filter((finding) => !group.includes(finding));
}

/** Stores signed bytes, once an attempt: of two rounds at once, the bytes of the first count. */
async function store(
  { db }: Tx,
  { token, signed, place }: Finding,
  walletId: number,
): Promise<number> {
  if (!signed) return 0;
  const stored = await execute(
    db,
    `insert into token_transaction (token_id, attempt, tx_id, bytes, last_valid)
     select id, $2, $3, $4, $5 from token where id = $1 and closed_at is null
     on conflict (token_id, attempt) do nothing returning attempt`,
    [token.id, token.transactions.length + 1, signed.txId, signed.bytes, signed.lastValid],
  );
  if (stored === 0) return 0;
  await execute(
    db,
    `update token set status = 'submitted', wallet_id = $2, contract_id = coalesce($3, contract_id),
            number = coalesce($4, number)
      where id = $1`,
    [token.id, walletId, place?.contractId ?? null, place?.number ?? null],
  );
  return 1;
}

const LOCKED = {
  status: oneOf<Token['status']>(),
  agent_id: nullable(column.id),
  charge_id: nullable(column.id),
  paid: nullable(column.micros),
};

/** Closes a token that is confirmed or has failed. Resolves with the number closed. */
async function conclude(tx: Tx, { token, fate, isGivenUp, refused }: Finding): Promise<number> {
  if (refused !== undefined) {
    tx.log.warn(
      { token_id: token.id, said: refused },
      'the network refused a token; it is sent again',
    );
  }
  const isThere = fate?.status === 'confirmed';
  if (!isThere && !isGivenUp) return 0;
  const [locked] = await rows(
    tx.db,
    LOCKED,
    `select t.status, t.agent_id, t.charge_id, c.credit + c.cash as paid
       from token t left join charge c on c.id = t.charge_id
      where t.id = $1 for no key update of t`,
    [token.id],
  );
  if (locked?.status !== 'submitted') return 0;
  if (isThere) await closeDeployed(tx, token.id, fate);
  else await closeFailed(tx, token.id, locked);
  await tell(tx, { token, locked, txId: isThere ? fate.txId : undefined });
  if (isThere) crashPoint('T3', [String(token.id)]);
  return 1;
}

const closeDeployed = (
  { db }: Tx,
  id: number,
  there: Extract<TokenState, { status: 'confirmed' }>,
) =>
  execute(
    db,
    `update token set status = 'deployed', algo_id = $2, mint = $5, tx_id = $3, round = $4,
            closed_at = now()
      where id = $1`,
    [
      id,
      typeof there.id === 'number' ? there.id : null,
      there.txId,
      there.round,
      typeof there.id === 'string' ? there.id : null,
    ],
  );

/** The next NFT gets the number of one that failed. */
async function closeFailed(tx: Tx, id: number, locked: Row<typeof LOCKED>): Promise<void> {
  await execute(
    tx.db,
    `update token set status = 'failed', closed_at = now(), number = null,
            contract_id = case when kind = 'claim' then contract_id end,
            failure = 'The network did not accept it in time, in any attempt.'
      where id = $1`,
    [id],
  );
  if (locked.charge_id === null) return;
  const amount: Micros = locked.paid!;
  await refundCharge(tx, { chargeId: locked.charge_id, cause: `token:${id}`, amount });
}

async function tell(
  { db }: Tx,
  about: { token: Finding['token']; locked: Row<typeof LOCKED>; txId: string | undefined },
): Promise<void> {
  const { token, locked, txId } = about;
  const { kind, id } = token;
  if (kind === 'contract' || locked.agent_id === null) return;
  if (kind === 'claim') return tellOfClaim(db, locked.agent_id, { token, txId });
  const status = txId === undefined ? 'failed' : 'deployed';
  const data = { token_id: id, ...(txId !== undefined && { tx_id: txId }) };
  const object = { kind, id, status };
  await emit(db, [{ agentId: locked.agent_id, type: `${kind}.${status}`, object, data }]);
}

const tellOfClaim = (
  db: Tx['db'],
  agentId: number,
  { token, txId }: { token: Finding['token']; txId: string | undefined },
) => {
  const { contract_id: id, address } = token;
  const type = txId === undefined ? 'asa.claim_failed' : 'asa.claimed';
  const object = { kind: 'asa', id: id!, status: 'deployed' } as const;
  const data = { token_id: id!, address: address!, ...(txId !== undefined && { tx_id: txId }) };
  return emit(db, [{ agentId, type, object, data }]);
};

/** Adds the contract of a wallet, once even if several rounds find that there is none. */
const addContract = ({ db, config }: Tx, walletId: number): Promise<number> =>
  execute(
    db,
    `insert into token (kind, network, wallet_id) values ('contract', $1, $2)
     on conflict (wallet_id) where kind = 'contract' and status <> 'failed' do nothing
     returning id`,
    [networkOn(config.tokens, 'algorand'), walletId],
  );

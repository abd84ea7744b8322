import type { Config } from '../../../composition/config.ts';
import type { Gateways } from '../../../composition/gateways.ts';
import type { Operation } from '../../../kernel/operation.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Output, Type, type Static, type TObject } from '../../../kernel/schema.ts';
import { rows } from '../../../platform/rows.ts';
import { DEPOSIT, DEPOSIT_SQL, DepositView, isCredited, viewOf, type Deposit } from '../deposit.ts';
import { railUnavailable } from '../rails.ts';
import type { ChainTransaction, ChainTransfer } from './deposit_chain.ts';
import { networkOf, CHAINS, type ChainRail } from './networks.ts';
import { pricesOf, type Prices } from '../prices/deposit_value.ts';
import { paidToUs, railOf } from './recipients.ts';
import { isTooSmall } from '../unclaimed/hold.ts';
import { settle, type SettledPayment } from './settle.ts';
import * as refusals from './verify_refusals.ts';

const VerifiedDeposit = Output('VerifiedDeposit', {
  ...DepositView.properties,
  others: Type.Array(DepositView, { description: 'Further payments to you in the transaction.' }),
});

/** A transaction to verify, and the rails it may be on. */
interface Claim {
  /** Rails to ask, if they are on. */
  readonly rails: readonly ChainRail[];
  /** Id in canonical form. */
  readonly txId: string;
}

interface Prepared {
  readonly claim: Claim;
  /** Deposits credited for it before: then no network is asked. */
  readonly known: readonly Deposit[];
}

/** The transaction as read on a network that knows it. */
interface Reading {
  readonly rail: ChainRail;
  readonly found: Exclude<ChainTransaction, { status: 'unknown' }>;
}
type Facts = Pick<Prepared, 'known'> & {
  readonly readings: readonly Reading[];
  readonly prices: Prices;
};

/**
 * Shared parts of operations that credit a transaction named by a caller: spread it into the
 * operation, with the function that takes the claim from the input.
 */
export const verification = <I extends TObject>(claimOf: (input: Static<I>) => Claim) =>
  ({
    access: 'buy',
    mode: 'job',
    queue: 'network',
    effects: { idempotent: true },
    refusals: [...refusals.CODES_OF_VERIFICATION, 'rail_unavailable'],
    output: VerifiedDeposit,
    prepare: (tx: Tx, input: Static<I>) => prepare(tx, claimOf(input)),
    gather: (gateways: Gateways, _input: Static<I>, _call: unknown, prepared: Prepared) =>
      gather(gateways, prepared),
    handle: (tx: Tx, _input: Static<I>, facts: Facts) => handle(tx, facts),
  }) satisfies Partial<Operation<I, typeof VerifiedDeposit, Prepared, Facts>>;

async function prepare(tx: Tx, claim: Claim): Promise<Prepared> {
  const rails = claim.rails.filter((rail) => railOf(tx.config, rail));
  if (rails.length === 0) throw railUnavailable(claim.rails[0]!);
  const known = await findCredited(tx, { ...claim, rails });
  return { claim: { ...claim, rails }, known };
}

/** Deposits of the transaction credited to the caller's tree. */
const findCredited = ({ db, config, caller }: Tx, { rails, txId }: Claim): Promise<Deposit[]> =>
  rows(
    db,
    DEPOSIT,
    `select ${DEPOSIT_SQL} from deposit
      where network = any ($1) and tx_id = $2 and root_id = $3 and credited_at is not null
      order by tx_index`,
    [rails.map((rail) => networkIn(config, rail)), txId, caller.rootId],
  );

const networkIn = (config: Config, rail: ChainRail): string =>
  networkOf(rail, railOf(config, rail)!);

async function gather(gateways: Gateways, { claim, known }: Prepared): Promise<Facts> {
  if (known.length > 0) return { known, readings: [], prices: new Map() };
  const readings = await readEverywhere(gateways, claim);
  const signs = readings
    .filter(({ found }) => found.status === 'final')
    .flatMap((reading) => transfersOf(reading).map(({ asset }) => asset));
  const prices = signs.length > 0 ? await pricesOf(gateways.prices, signs) : new Map();
  return { known, readings, prices };
}

const transfersOf = ({ found }: Reading): readonly ChainTransfer[] =>
  found.status === 'failed' ? [] : found.transfers;

/** Reads it on each network that knows it. Throws if none does and one did not answer. */
async function readEverywhere(gateways: Gateways, { rails, txId }: Claim): Promise<Reading[]> {
  const asked = await Promise.allSettled(
    rails.map(async (rail): Promise<Reading | []> => {
      const found = await gateways.chains(rail).read(txId);
      return found.status === 'unknown' ? [] : { rail, found };
    }),
  );
  const readings = asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const fault = asked.find((one) => one.status === 'rejected');
  if (readings.length === 0 && fault) throw fault.reason;
  return readings;
}

/** The reading that pays us, else any: several networks may know the same id. */
async function choose(tx: Tx, readings: readonly Reading[]) {
  for (const reading of readings) {
    const transfers = await paidToUs(tx, reading.rail, transfersOf(reading));
    if (transfers.length > 0) return { ...reading, transfers };
  }
  return readings[0] && { ...readings[0], transfers: [] };
}

async function handle(tx: Tx, { known, readings, prices }: Facts) {
  if (known.length > 0) return answerOf(known);
  const chosen = await choose(tx, readings);
  if (!chosen) return refusals.unknown();
  const { rail, found, transfers } = chosen;
  if (found.status === 'failed') return refusals.failed();
  if (transfers.length === 0) return refusals.toOthers(found.notes);
  const network = networkIn(tx.config, rail);
  const isFinal = found.status === 'final';
  const settled = await settle(tx, { rail, network, transfers, isFinal, prices });
  const own = settled.flatMap(({ deposit }) =>
    deposit?.root_id === tx.caller.rootId ? deposit : [],
  );
  const taken = own.filter((deposit) => !isTooSmall(tx.config, deposit));
  // The refusal is returned: thrown, it would undo credits to others.
  return taken.length > 0 ? answerOf(taken) : refuseOf(tx, rail, settled);
}

function answerOf([first, ...others]: readonly Deposit[]): Static<typeof VerifiedDeposit> {
  return { ...viewOf(first!), others: others.map(viewOf) };
}

function refuseOf(tx: Tx, rail: ChainRail, settled: readonly SettledPayment[]): Refusal {
  const { rootId } = tx.caller;
  if (settled.some(({ deposit }) => deposit?.root_id === rootId)) {
    return refusals.tooSmall(tx.config.deposits.chainMin);
  }
  if (settled.some(({ binding }) => binding?.rootId === rootId)) return refusals.returned();
  const isOfAnother = settled.some(({ deposit }) => deposit && isCredited(deposit));
  return isOfAnother ? refusals.credited() : refusals.unbound(CHAINS[rail].family);
}

import type { Config } from '../../composition/config.ts';
import { selectPayable, findDue, type DueWithdrawal, type OpenSum } from './due_withdrawals.ts';
import type {
  PayoutGateway,
  Payment,
  Outcome,
  SignedPayment,
  WalletState,
} from './payout_gateway.ts';
import { crashPoint } from '../../platform/crash_point.ts';
import { column, jsonOf, nullable, rows, type Database, type Row } from '../../platform/rows.ts';
import { isOn } from './withdrawal.ts';

/** Maximum payments of one round, both open and new. */
export const PAYMENTS_MAX = 40;
/** Time in no block after which a transaction is replaced by one with higher fees. */
const REPLACE_MS = 3 * 60_000;
/** Maximum attempts; then an operator has to look. */
const ATTEMPTS_MAX = 6;

interface Transaction {
  readonly attempt: number;
  readonly hash: string;
  readonly bytes: string;
  /** Wei; text, because JSON has no bigint. */
  readonly max_fee: string;
  readonly priority_fee: string;
  readonly age_ms: number;
}

const OPEN_PAYMENT = {
  id: column.id,
  root_id: column.id,
  address: column.text,
  amount: column.micros,
  nonce: column.int,
  wallet: column.text,
  /** The newest block when its nonce was first seen to be used, and by none of its transactions. */
  taken_at: nullable(column.int),
  transactions: jsonOf<Transaction[]>(),
};
/** A withdrawal that is processing, with all its transactions, oldest first. */
export type OpenPayment = Row<typeof OPEN_PAYMENT>;

/** The work of a round. */
interface Round {
  readonly open: readonly OpenPayment[];
  readonly due: readonly DueWithdrawal[];
}

export async function findRound(db: Database, config: Config): Promise<Round> {
  const { withdrawals } = config;
  if (!isOn(withdrawals)) return { open: [], due: [] };
  const { chainId } = withdrawals.base;
  const open = await rows(db, OPEN_PAYMENT, SELECT_OPEN, [chainId, PAYMENTS_MAX]);
  return { open, due: await findDue(db, config) };
}

const SELECT_OPEN = `
  select w.id, w.root_id, w.address, w.amount, w.nonce, h.address as wallet, w.taken_at,
         coalesce(t.transactions, '[]') as transactions
    from withdrawal w join hot_wallet h on h.id = w.wallet_id
   cross join lateral (
     select jsonb_agg(jsonb_build_object(
              'attempt', attempt, 'hash', hash, 'bytes', bytes, 'max_fee', max_fee::text,
              'priority_fee', priority_fee::text,
              'age_ms', (extract(epoch from now() - signed_at) * 1000)::bigint)
              order by attempt) as transactions
       from payout_transaction where withdrawal_id = w.id) t
   where w.closed_at is null and w.status = 'processing' and w.chain_id = $1
   order by w.nonce limit $2`;

/** The result of a round for one payment. */
export interface Finding {
  readonly payment: OpenPayment;
  /** Its state on the chain; absent: not signed yet, or of another wallet. */
  readonly fate?: Outcome;
  /** The new `taken_at` of the payment, if its nonce is taken now. */
  readonly takenAt?: number;
  readonly isOfOtherWallet?: boolean;
  /** New bytes, to be stored before they may be sent. */
  readonly signed?: SignedPayment & Pick<Payment, 'fees'>;
  /** Messages of providers that refused its bytes. */
  readonly refused?: readonly string[];
  /** The fault that kept it from being looked up or signed. It stays as it is. */
  readonly fault?: string;
}

export interface Findings {
  readonly wallet: WalletState;
  readonly findings: readonly Finding[];
  /** Results of trials of the due withdrawals that the wallet can pay. */
  readonly trials: readonly Trial[];
}

export interface Trial extends DueWithdrawal {
  /** The message of the token; absent: it would accept the payment. */
  readonly refusal?: string | undefined;
  /** The fault that stopped the trial. */
  readonly fault?: string | undefined;
}

/**
 * Looks up each open payment, and sends bytes that are in no block: only stored ones. Bytes that
 * the chain does not know or has dropped are sent again unchanged.
 */
export async function findOut(
  payouts: PayoutGateway,
  { open, due }: Round,
  feeMax: bigint,
): Promise<Findings | undefined> {
  if (open.length + due.length === 0) return undefined;
  // The wallet first, so that receipts are younger than its count of used nonces.
  const wallet = await payouts.wallet();
  const findings = await lookUp(payouts, open, { wallet, feeMax });
  const isLost = findings.every(({ fault }) => fault !== undefined);
  if (isLost && due.length === 0) throw new Error(findings[0]!.fault);
  const max = PAYMENTS_MAX - findings.length;
  const plan = selectPayable(due, { state: wallet, open: openSum(findings), feeMax, max });
  return { wallet, findings, trials: await tryEach(payouts, plan.chosen) };
}

/**
 * In the order of their nonces: a chain accepts no other. A lost answer about one payment keeps no
 * other from being paid.
 */
async function lookUp(
  payouts: PayoutGateway,
  open: readonly OpenPayment[],
  limits: WalletLimits,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const payment of open) {
    const found = await look(payouts, payment, limits).catch((error: Error) => ({
      fault: error.message,
    }));
    findings.push({ payment, ...found });
  }
  return findings;
}

async function tryEach(payouts: PayoutGateway, chosen: readonly DueWithdrawal[]): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const one of chosen) {
    const { address: to, amount } = one;
    const said = await payouts.refusalOf({ to, amount }).then(
      (refusal) => ({ refusal }),
      (error: unknown) => ({ fault: String(error) }),
    );
    trials.push({ ...one, ...said });
  }
  return trials;
}

/** Whether its money has left the wallet as of the newest block. */
export const isOnChain = ({ fate }: Finding): boolean =>
  fate !== undefined && fate.status !== 'unknown';

/** The sum of payments that are not on the chain. */
function openSum(findings: readonly Finding[]): OpenSum {
  const open = findings.filter((finding) => !isOnChain(finding));
  return {
    usdc: open.reduce((sum, { payment }) => sum + payment.amount, 0n),
    payments: open.length,
  };
}

interface WalletLimits {
  readonly wallet: WalletState;
  readonly feeMax: bigint;
}

async function look(
  payouts: PayoutGateway,
  payment: OpenPayment,
  { wallet, feeMax }: WalletLimits,
): Promise<Omit<Finding, 'payment'>> {
  const { transactions, address: to, amount, nonce } = payment;
  if (payment.wallet !== wallet.address) return { isOfOtherWallet: true };
  const newest = transactions.at(-1);
  const ids = [String(payment.id)];
  if (!newest) {
    const { fees } = wallet;
    const signed = { ...(await payouts.sign({ to, amount, nonce, fees })), fees };
    crashPoint('P0', ids);
    return { signed };
  }
  const hashes = transactions.map(({ hash }) => hash);
  const fate = await payouts.fateOf({ hashes, to, amount });
  if (fate.status !== 'unknown') return { fate };
  if (wallet.used > nonce) return { fate, takenAt: payment.taken_at ?? wallet.block };

  crashPoint('P1', ids);
  const refused = await payouts.send(newest.bytes);
  crashPoint('P2', ids);
  // Later nonces wait for this one, not for a higher fee.
  const isNext = wallet.used === nonce;
  if (!isNext || newest.age_ms < REPLACE_MS || newest.attempt >= ATTEMPTS_MAX) {
    return { fate, refused };
  }
  const fees = raised(newest, wallet);
  if (fees.max > feeMax) return { fate, refused };
  return { fate, refused, signed: { ...(await payouts.sign({ to, amount, nonce, fees })), fees } };
}

/** The fees of a replacement. Nodes accept one only if both fees are an eighth higher. */
function raised({ max_fee, priority_fee }: Transaction, { fees }: WalletState) {
  const higher = (before: string, now: bigint) => {
    const least = (BigInt(before) * 9n) / 8n + 1n;
    return now > least ? now : least;
  };
  const priority = higher(priority_fee, fees.priority);
  const max = higher(max_fee, fees.max);
  return { max: max > priority ? max : priority, priority };
}

/** Whether its attempts are used up and it is still in no block. */
export const isUsedUp = ({ transactions }: OpenPayment): boolean => {
  const newest = transactions.at(-1);
  return newest !== undefined && newest.attempt >= ATTEMPTS_MAX && newest.age_ms >= REPLACE_MS;
};

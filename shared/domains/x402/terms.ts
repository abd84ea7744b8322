import type { Balance } from '../ledger/ledger.ts';
import type { Micros } from '../../kernel/money.ts';
import type { Cost } from '../../kernel/terms/cost.ts';
import type { X402Rail } from './settings.ts';

/** The least that can be paid: the specification's $0.001. */
export const AMOUNT_MIN: Micros = 1_000n;
/** For how long a payment that answers this may be settled. */
const TIMEOUT_SECONDS = 120;

/** The resource that a payment is for. */
export interface Resource {
  readonly url: string;
  readonly description: string;
}

/** The terms of a payment, of version 2 of the protocol. */
interface Requirements {
  readonly scheme: 'exact';
  readonly network: string;
  /** Base units of the asset, which are micro-dollars: USDC has six decimals. */
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string };
}

/** The answer to a caller that has to pay, in version 2. */
interface PaymentRequired {
  readonly x402Version: 2;
  readonly error: string;
  readonly resource: Resource & { readonly mimeType: string };
  readonly accepts: readonly Requirements[];
}

/** The terms of version 1. */
interface RequirementsV1 extends Omit<Requirements, 'amount'> {
  readonly maxAmountRequired: string;
  /** Its URL. */
  readonly resource: string;
  readonly description: string;
  readonly mimeType: string;
}

/** The payment for something that costs `cost` more than there is. */
export const dueOf = (missing: Micros): Micros => (missing > AMOUNT_MIN ? missing : AMOUNT_MIN);

/** The sum that a wallet lacks. Its debt is paid first. */
export function missingOf(
  { amount, isCashOnly = false }: Cost,
  { credit, cash, owed }: Balance,
): Micros {
  if (owed > 0n) return amount + owed;
  return amount - cash - (isCashOnly ? 0n : credit);
}

export const requirementsOf = (rail: X402Rail, amount: Micros): Requirements => ({
  scheme: 'exact',
  network: rail.network,
  amount: String(amount),
  asset: rail.asset,
  payTo: rail.payTo,
  maxTimeoutSeconds: TIMEOUT_SECONDS,
  extra: { ...rail.domain },
});

const MIME_TYPE = 'application/json';

export const paymentRequired = (
  rail: X402Rail,
  due: { readonly amount: Micros; readonly error: string; readonly resource: Resource },
): PaymentRequired => ({
  x402Version: 2,
  error: due.error,
  resource: { ...described(rail, due.resource), mimeType: MIME_TYPE },
  accepts: [requirementsOf(rail, due.amount)],
});

/** The same terms as fields of a body, where clients of version 1 look for them. */
export const paymentRequiredV1 = (
  rail: X402Rail,
  { amount, resource }: { readonly amount: Micros; readonly resource: Resource },
) => ({ x402Version: 1 as const, accepts: [requirementsV1Of(rail, amount, resource)] });

export function requirementsV1Of(
  rail: X402Rail,
  amount: Micros,
  resource: Resource,
): RequirementsV1 {
  const { amount: maxAmountRequired, ...terms } = requirementsOf(rail, amount);
  const { url, description } = described(rail, resource);
  return {
    ...terms,
    network: rail.networkV1,
    maxAmountRequired,
    resource: url,
    description,
    mimeType: MIME_TYPE,
  };
}

const described = ({ isSandbox }: X402Rail, { url, description }: Resource): Resource => ({
  url,
  description: isSandbox ? `Sandbox, no real money. ${description}` : description,
});

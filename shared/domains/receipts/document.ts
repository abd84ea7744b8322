import { toUsd, type Micros } from '../../kernel/money.ts';
import { column, jsonOf, nullable, oneOf, type Row } from '../../platform/rows.ts';

/** Kinds of deals, by the object whose money was settled. */
export const RECEIPT_KINDS = [
  'order',
  'task',
  'labor_unit',
  'labor_refund',
  'deposit',
  'reversal',
  'withdrawal',
  'charges',
] as const;
export type ReceiptKind = (typeof RECEIPT_KINDS)[number];

interface MovedFunds {
  readonly id: number;
  readonly kind: string;
  readonly credit: number;
  readonly cash: number;
}

/** A settled deal, as migrations/functions/receipts/settled_deals.sql finds it. */
export const DEAL = {
  kind: oneOf<Exclude<ReceiptKind, 'charges'>>(),
  object_id: column.id,
  outcome: column.text,
  payer_id: nullable(column.id),
  payer_root: nullable(column.id),
  payee_id: nullable(column.id),
  payee_root: nullable(column.id),
  opened_at: column.time,
  settled_at: column.time,
  item: jsonOf<Record<string, unknown>>(),
  transfers: jsonOf<readonly MovedFunds[]>(),
};

/** Metered charges of a tree, as migrations/functions/receipts/gathered_charges.sql sums them. */
export const CHARGES = {
  root_id: column.id,
  service: column.text,
  first_id: column.id,
  last_id: column.id,
  count: column.int,
  opened_at: column.time,
  settled_at: column.time,
  charged_credit: column.micros,
  charged_cash: column.micros,
  refunded_credit: column.micros,
  refunded_cash: column.micros,
};

type Deal = Omit<Row<typeof DEAL>, 'kind' | 'transfers'> & { readonly kind: ReceiptKind };

/** Facts of a deal for its receipt, without those about the receipt itself. */
export interface Statement {
  readonly deal: Deal;
  readonly amounts: Readonly<Record<Part, Micros>>;
  readonly transfers: readonly object[];
}

type Part = 'paid' | 'to_payee' | 'fee' | 'refunded';

/** The amounts that a kind of transfer counts to. */
const PARTS: Readonly<Record<string, readonly Part[]>> = {
  'order.hold': ['paid'],
  'order.release': ['to_payee'],
  'order.fee': ['fee'],
  'order.refund': ['refunded'],
  'task.hold': ['paid'],
  'task.release': ['to_payee'],
  'task.refund': ['refunded'],
  'labor.release': ['paid', 'to_payee'],
  'labor.refund': ['refunded'],
  deposit: ['to_payee'],
  'deposit.reversal': ['paid'],
  'deposit.owed': ['paid'],
  'deposit.restoration': ['to_payee'],
  'withdrawal.hold': ['paid'],
  'withdrawal.paid': [],
  'withdrawal.refund': ['refunded'],
};

/** States a deal of its own. `item` is completed with what only its secrets tell. */
export function statementOf({ transfers, ...deal }: Row<typeof DEAL>, more: object): Statement {
  const amounts = { paid: 0n, to_payee: 0n, fee: 0n, refunded: 0n };
  for (const { kind, credit, cash } of transfers) {
    const parts = PARTS[kind];
    if (!parts) throw new Error(`a receipt does not know transfers of the kind ${kind}`);
    for (const part of parts) amounts[part] += BigInt(credit) + BigInt(cash);
  }
  return {
    deal: { ...deal, item: { ...deal.item, ...more } },
    amounts,
    transfers: transfers.map(({ id, kind, credit, cash }) => ({
      id,
      kind,
      credit: toUsd(BigInt(credit)),
      cash: toUsd(BigInt(cash)),
    })),
  };
}

/** States the metered charges of an hour. Their transfers are all of the service in the range. */
export const statementOfCharges = (charges: Row<typeof CHARGES>): Statement => ({
  deal: {
    kind: 'charges',
    object_id: charges.first_id,
    outcome: 'charged',
    payer_id: charges.root_id,
    payer_root: charges.root_id,
    payee_id: null,
    payee_root: null,
    opened_at: charges.opened_at,
    settled_at: charges.settled_at,
    item: {
      service: charges.service,
      first_transfer: charges.first_id,
      last_transfer: charges.last_id,
      transfers: charges.count,
    },
  },
  amounts: {
    paid: charges.charged_credit + charges.charged_cash,
    to_payee: 0n,
    fee: 0n,
    refunded: charges.refunded_credit + charges.refunded_cash,
  },
  transfers: [],
});

interface Issue {
  readonly issuer: string;
  readonly id: number;
  readonly issuedAt: Date;
  /** The hash of the last receipt of a tree, in hex; null: this is its first. */
  previousOf(root: number): string | null;
}

/** The text that is signed. It is stored as it is, so its form may change for later receipts. */
export function documentOf({ deal, amounts, transfers }: Statement, issue: Issue): string {
  const party = (agent: number | null, root: number | null) =>
    agent === null || root === null ? null : { agent_id: agent, previous: issue.previousOf(root) };
  return JSON.stringify({
    version: 1,
    issuer: issue.issuer,
    receipt_id: issue.id,
    issued_at: issue.issuedAt.toISOString(),
    kind: deal.kind,
    object_id: deal.object_id,
    outcome: deal.outcome,
    opened_at: deal.opened_at.toISOString(),
    settled_at: deal.settled_at.toISOString(),
    payer: party(deal.payer_id, deal.payer_root),
    payee: party(deal.payee_id, deal.payee_root),
    item: deal.item,
    amounts: {
      paid: toUsd(amounts.paid),
      to_payee: toUsd(amounts.to_payee),
      fee: toUsd(amounts.fee),
      refunded: toUsd(amounts.refunded),
    },
    transfers,
  });
}

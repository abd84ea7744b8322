import { toUsd } from '../ledger/money.ts';
import { PutOff } from '../kernel/perform.ts';
import type { Gateways } from '../kernel/gateways.ts';
import type { GatherCall } from '../kernel/operation.ts';
import { Amount, invalid, OneOf, Text, Time, Type } from '../kernel/schema.ts';
import { METERED } from '../wallet/charge.ts';
import { isLiteral, parseAddress, type Address } from './address.ts';
import { isAnswer, VERDICTS, verdictOn, type Finding, type Findings } from './findings.ts';
import { MAILBOX, mailboxOf } from './mailbox.ts';

/** One validation, as it is charged for. */
export const ONE = { service: 'email', units: 1 } as const;

/** What a caller asks about. Whether it is an address is part of the answer. */
export const Email = Text(1, 320, 'The address. One that is not well-formed is an answer too.');

const FINDINGS = Object.keys(VERDICTS) as Finding[];

export const RESULT = {
  email: Type.String({ description: 'The address that was asked about.' }),
  valid: Type.Boolean({ description: 'It is well-formed and its domain takes mail.' }),
  deliverable: Type.Boolean({ description: 'Mail to it can be expected to arrive.' }),
  disposable: Type.Boolean({ description: 'Its domain gives addresses away for a short time.' }),
  mx_found: Type.Boolean({ description: 'Its domain names mail servers (MX).' }),
  score: Type.Number({ minimum: 0, maximum: 1, description: '0 (useless) to 1 (certain).' }),
  status: OneOf(
    ['deliverable', 'risky', 'undeliverable', 'unknown'],
    'unknown: we could not find out; free, ask again later with a new idempotency key.',
  ),
  sub_status: OneOf(FINDINGS, 'What decided it.'),
  role: Type.Boolean({ description: 'The mailbox of a function (info, sales), of no person.' }),
  free_mail: Type.Boolean({ description: 'Anybody can have an address at this domain.' }),
  ...MAILBOX,
  checked_at: Time('When.'),
  charged: Amount('What it cost: 0.002, or 0 where the status is unknown.'),
};

/** Without the space around it. Refuses nothing but space: there is no address to validate. */
export function trimmed(email: string, pointer: string): string {
  const text = email.trim();
  if (text) return text;
  throw invalid([{ pointer, message: 'is empty' }]);
}

/**
 * What can be found out about addresses, from the network where that is needed. Puts the job off
 * while a mail server is waited for.
 */
export async function examine(
  { mail }: Gateways,
  emails: readonly string[],
  call: Pick<GatherCall, 'key' | 'tree'>,
): Promise<Findings[]> {
  const addresses = emails.map((email) => parseAddress(email.trim()));
  const asked = addresses.filter((address) => address && !isLiteral(address)) as Address[];
  const found = asked.length > 0 ? await mail.examine(asked, call) : [];
  if ('retryMs' in found) throw new PutOff(found.retryMs);
  const findings = new Map(asked.map((address, n) => [address, found[n]!]));
  return addresses.map((address) => {
    if (!address) return { ...NOTHING, finding: 'bad_syntax' };
    return findings.get(address) ?? { ...NOTHING, finding: 'address_literal' };
  });
}

/** The answer to the caller. */
export function resultOf(email: string, findings: Findings, now: Date) {
  const { valid, deliverable, score, status } = verdictOn(findings);
  const price = isAnswer(findings) ? METERED.email.unitPrice : 0n;
  return {
    email: email.trim(),
    valid,
    deliverable,
    disposable: findings.disposable,
    mx_found: findings.mxFound,
    score,
    status,
    sub_status: findings.finding,
    role: findings.role,
    free_mail: findings.freeMail,
    ...mailboxOf(findings),
    checked_at: now.toISOString(),
    charged: toUsd(price),
  };
}

const NOTHING = { mxFound: false, disposable: false, role: false, freeMail: false };

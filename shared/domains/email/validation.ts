import { toUsd } from '../../kernel/money.ts';
import { isOpen } from '../../platform/egress/addresses.ts';
import { RetryLater } from '../../performing/perform.ts';
import type { Gateways } from '../../composition/gateways.ts';
import type { GatherCall } from '../../kernel/operation.ts';
import { Amount, invalid, Nullable, OneOf, Text, Time, Type } from '../../kernel/schema.ts';
import { METERED } from '../wallet/charge.ts';
import { isLiteral, parseAddress, type Address } from '../../kernel/mail_address.ts';
import { didYouMean } from './did_you_mean.ts';
import { isAnswer, NOTHING, VERDICTS, verdictOn, type Finding, type Findings } from './findings.ts';
import { MAILBOX, mailboxOf } from './mailbox.ts';

/** The charge of one validation. */
export const ONE = { service: 'email', units: 1 } as const;

/** The address to validate. Any text is accepted: bad syntax is a result, not a refusal. */
export const Email = Text(1, 320, 'The address; bad syntax is a result too.');

const FINDINGS = Object.keys(VERDICTS) as Finding[];

/** Traits of an address by lists, its spelling and its mail servers. */
const TRAITS = {
  role: Type.Boolean({ description: 'Same as is_role.' }),
  free_mail: Type.Boolean({ description: 'Same as is_free.' }),
  is_role: Type.Boolean({ description: 'Mailbox of a function (info, sales), not a person.' }),
  is_free: Type.Boolean({ description: 'Free mail provider.' }),
  is_relay: Type.Boolean({
    description: 'Forwards to a person (duck.com, addy.io).',
  }),
  provider: Nullable(Type.String({ description: 'Name of the mail provider. null: not known.' })),
  did_you_mean: Nullable(
    Type.String({ description: 'Address probably meant; null: not misspelt.' }),
  ),
};

export const RESULT = {
  email: Type.String({ description: 'The address.' }),
  valid: Type.Boolean({ description: 'Well-formed, and its domain accepts mail.' }),
  deliverable: Type.Boolean({ description: 'Mail is expected to arrive.' }),
  disposable: Type.Boolean({ description: 'Disposable domain.' }),
  mx_found: Type.Boolean({ description: 'Its domain has mail servers (MX).' }),
  score: Type.Number({ minimum: 0, maximum: 1, description: '0 (useless) to 1 (certain).' }),
  status: OneOf(
    ['deliverable', 'risky', 'undeliverable', 'unknown'],
    'unknown: could not be determined; free, retry later with a new idempotency key.',
  ),
  sub_status: OneOf(FINDINGS, 'Reason for the status.'),
  ...TRAITS,
  ...MAILBOX,
  smtp_banner_seen: Type.Boolean({ description: 'A mail server of the domain greeted us.' }),
  checked_at: Time('Time of the check; if cached, of the earlier one.'),
  cached: Type.Boolean({
    description: 'The mail server was asked for an earlier call.',
  }),
  charged: Amount('0.002, or 0 if the status is unknown.'),
};

/** Trims the address. Refuses an empty one: there is nothing to validate. */
export function trimmed(email: string, pointer: string): string {
  const text = email.trim();
  if (text) return text;
  throw invalid([refusalOfBlank(pointer)]);
}

export const refusalOfBlank = (pointer: string) => ({ pointer, message: 'must not be empty' });

/**
 * Finds the facts about addresses, from the network where needed. Puts the job off while it waits
 * for a mail server.
 */
export async function examine(
  { mail }: Gateways,
  emails: readonly string[],
  call: Pick<GatherCall, 'key' | 'tree'>,
): Promise<Findings[]> {
  const addresses = emails.map((email) => parseAddress(email.trim()));
  const asked = addresses.filter((address) => address && !isLiteral(address)) as Address[];
  const found = asked.length > 0 ? await mail.examine(asked, call) : [];
  if ('retryMs' in found) throw new RetryLater(found.retryMs);
  const findings = new Map(asked.map((address, n) => [address, found[n]!]));
  return addresses.map((address) => {
    if (!address) return { ...NOTHING, finding: 'bad_syntax' };
    return findings.get(address) ?? { ...NOTHING, finding: findingOfLiteral(address) };
  });
}

/** Mail reaches an address of a private network as little as a domain that leads to one. */
function findingOfLiteral({ domain }: Address): Finding {
  const host = domain.replace(/^\[(?:IPv6:)?(.*)\]$/i, '$1');
  return isOpen({ host, port: 25 }, []) ? 'address_literal' : 'no_mail_server';
}

/** The answer to the caller. */
export function resultOf(email: string, findings: Findings, now: Date) {
  const { valid, deliverable, score, status } = verdictOn(findings);
  const { askedAt, isCached } = findings;
  const checkedAt = isCached && askedAt !== null ? new Date(askedAt) : now;
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
    ...traitsOf(email, findings),
    ...mailboxOf(findings),
    smtp_banner_seen: findings.greeted,
    checked_at: checkedAt.toISOString(),
    cached: findings.isCached,
    charged: toUsd(price),
  };
}

/** The traits in the answer. A domain that is known or has the mailbox is not misspelt. */
export function traitsOf(
  email: string,
  findings: Omit<Findings, 'finding'> & { finding?: Finding },
) {
  const { role, freeMail, relay, disposable, provider, finding } = findings;
  const isMeant = freeMail || relay || finding === 'mailbox_accepted';
  return {
    role,
    free_mail: freeMail,
    is_role: role,
    is_free: freeMail,
    is_relay: relay,
    provider,
    did_you_mean: (isMeant ? undefined : didYouMean(email.trim(), disposable)) ?? null,
  };
}

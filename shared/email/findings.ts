import type { Address } from './address.ts';

/** The mail system, as far as it can be asked about an address (workers/gateways/mail/mail.ts). */
export interface MailGateway {
  /** What others do or fail to do is a finding, no rejection. Takes ten seconds at most. */
  examine(address: Address): Promise<Findings>;
}

/** What was learned about an address. */
export interface Findings {
  readonly finding: Finding;
  /** The domain names mail servers (MX records) that may be reached. */
  readonly mxFound: boolean;
  /** The domain is known to give addresses away for a short time. */
  readonly disposable: boolean;
  /** The mailbox is one of a function (info, sales, postmaster), not of a person. */
  readonly role: boolean;
  /** Anybody can have an address there, and many do. */
  readonly freeMail: boolean;
}

export type Finding = keyof typeof VERDICTS;

/**
 * The rule of the score. The finding gives a verdict and points (1.00 = 100), in the order of how
 * well the mailbox is known to exist; then a disposable domain caps the points at 20 and makes what
 * is deliverable risky, and a role mailbox costs 10. "Unknown" is in the middle, because it
 * says nothing; it is our failure, or may be, and costs nothing.
 *
 *                      status            valid  deliverable  points
 */
export const VERDICTS = {
  /** Its mail server takes this mailbox and refuses one that cannot be. */
  mailbox_accepted: ['deliverable', true, true, 100],
  /** The domain has mail servers; the mailbox was not asked for. */
  domain_accepts_mail: ['deliverable', true, true, 80],
  /** Its mail server takes whatever mailbox it is asked for. */
  catch_all: ['risky', true, true, 60],
  /** Its mail server puts strangers off; whoever sends mail tries again. */
  greylisted: ['risky', true, true, 60],
  /** No MX record, but an address, where mail goes then (RFC 5321 §5.1). */
  no_mx: ['risky', true, true, 40],
  /** A machine in brackets instead of a domain: well-formed, and hardly ever accepted. */
  address_literal: ['risky', true, false, 10],
  /** Its mail server does not know the mailbox. */
  mailbox_refused: ['undeliverable', true, false, 0],
  /** The domain says that it takes no mail (RFC 7505). */
  null_mx: ['undeliverable', false, false, 0],
  /** The domain has neither mail server nor address, or none that is public. */
  no_mail_server: ['undeliverable', false, false, 0],
  no_such_domain: ['undeliverable', false, false, 0],
  bad_syntax: ['undeliverable', false, false, 0],
  /** Its mail server could not be reached, or did not want to talk with us. */
  probe_failed: ['unknown', true, false, 50],
  dns_time_out: ['unknown', false, false, 50],
  dns_failure: ['unknown', false, false, 50],
} as const satisfies Record<string, Verdict>;

type Verdict = readonly [
  status: 'deliverable' | 'risky' | 'undeliverable' | 'unknown',
  valid: boolean,
  deliverable: boolean,
  points: number,
];

/** Whether something was found out; it is charged for only then. */
export const isAnswer = ({ finding }: Findings): boolean => VERDICTS[finding][0] !== 'unknown';

/** The verdict on what was found, by the table. */
export function judge({ finding, disposable, role }: Findings) {
  const [status, valid, deliverable, points] = VERDICTS[finding];
  const capped = disposable ? Math.min(points, 20) : points;
  return {
    valid,
    deliverable,
    score: Math.max(0, capped - (role ? 10 : 0)) / 100,
    status: disposable && status === 'deliverable' ? ('risky' as const) : status,
  };
}

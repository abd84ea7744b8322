import type { Address } from './address.ts';

/** The mail system, as it is asked about addresses (workers/gateways/mail/mail.ts). */
export interface MailGateway {
  /**
   * For a tree of agents, which has its share of the look-ups and of the queues for mail servers. A
   * failure of others is a finding, no rejection. Takes fourteen seconds at most, and five more of
   * several addresses. NotYet: a mail server is waited for; ask again, with the same key. That ends
   * within a quarter of an hour.
   */
  examine(
    addresses: readonly Address[],
    call: { readonly key: string; readonly tree: number },
  ): Promise<readonly Findings[] | NotYet>;
}

/** What is asked for is in flight. */
export interface NotYet {
  /** In ms: ask again then. */
  readonly retryMs: number;
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
  /** A provider where everyone can have an address. */
  readonly freeMail: boolean;
}

export type Finding = keyof typeof VERDICTS;

/**
 * The rule of the score. The finding gives a verdict and points (1.00 = 100), in the order of how
 * well the mailbox is known to exist; then a disposable domain caps the points at 20 and turns
 * "deliverable" into "risky", and a role mailbox costs 10. "Unknown" is in the middle, because it
 * says nothing; it is our failure, or may be, and costs nothing.
 *
 *                      status            valid  deliverable  points
 */
export const VERDICTS = {
  /** Its mail server accepts this mailbox and refuses one that cannot exist. */
  mailbox_accepted: ['deliverable', true, true, 100],
  /** The domain has mail servers, and this marketplace asks none for mailboxes. */
  domain_accepts_mail: ['deliverable', true, true, 80],
  /** Its mail server accepts every mailbox. */
  catch_all: ['risky', true, true, 60],
  /** Its mail server defers senders that it does not know; those that send mail retry. */
  greylisted: ['risky', true, true, 60],
  /** No MX record, but an address, where mail goes then (RFC 5321 §5.1). */
  no_mx: ['risky', true, true, 40],
  /** Its mail server knows the mailbox, and it is full. */
  mailbox_full: ['risky', true, false, 20],
  /** A machine in brackets instead of a domain: well-formed, and hardly ever accepted. */
  address_literal: ['risky', true, false, 10],
  /** Its mail server does not know the mailbox. */
  mailbox_refused: ['undeliverable', true, false, 0],
  /** Its mail server knows the mailbox, and takes no mail for it. */
  mailbox_disabled: ['undeliverable', true, false, 0],
  /** The domain says that it accepts no mail (RFC 7505). */
  null_mx: ['undeliverable', false, false, 0],
  /** The domain has neither mail server nor address, or none that is public. */
  no_mail_server: ['undeliverable', false, false, 0],
  no_such_domain: ['undeliverable', false, false, 0],
  bad_syntax: ['undeliverable', false, false, 0],
  /** Its mail server could not be reached, or turned us away. */
  probe_failed: ['unknown', true, false, 50],
  /** Its mail server is left alone for now: it was asked a moment ago, or has turned us away. */
  mailbox_not_asked: ['unknown', true, false, 50],
  dns_time_out: ['unknown', false, false, 50],
  dns_failure: ['unknown', false, false, 50],
} as const satisfies Record<string, Verdict>;

type Verdict = readonly [
  status: 'deliverable' | 'risky' | 'undeliverable' | 'unknown',
  valid: boolean,
  deliverable: boolean,
  points: number,
];

/** Whether something was found out: nothing else is charged for. */
export const isAnswer = ({ finding }: Findings): boolean => VERDICTS[finding][0] !== 'unknown';

/** The verdict on these findings, by the table. */
export function verdictOn({ finding, disposable, role }: Findings) {
  const [status, valid, deliverable, points] = VERDICTS[finding];
  const capped = disposable ? Math.min(points, 20) : points;
  return {
    valid,
    deliverable,
    score: Math.max(0, capped - (role ? 10 : 0)) / 100,
    status: disposable && status === 'deliverable' ? ('risky' as const) : status,
  };
}

import type { Address } from '../../kernel/mail_address.ts';

/** Examines addresses by DNS and mail servers (workers/gateways/mail/mail.ts). */
export interface MailGateway {
  /**
   * Examines addresses for a tree of agents, which has its share of the lookups and of the queues
   * for mail servers. A failure of another system is a finding, not a rejection. Takes at most 14
   * s, 20 s for several addresses. PendingExamination: it still waits for a mail server or for the
   * turn of an address; ask again with the same key. That ends within 15 minutes, and the delay of
   * a server that defers unknown senders.
   */
  examine(
    addresses: readonly Address[],
    call: { readonly key: string; readonly tree: number },
  ): Promise<readonly Findings[] | PendingExamination>;
}

/** The answer while a mail server, or the turn of an address, is being waited for. */
export interface PendingExamination {
  /** Time in ms after which to ask again. */
  readonly retryMs: number;
}

/** Facts found about an address. */
export interface Findings {
  readonly finding: Finding;
  /** The domain has MX records with public mail servers. */
  readonly mxFound: boolean;
  /** The domain is known for disposable addresses. */
  readonly disposable: boolean;
  /** The mailbox belongs to a function (info, sales, postmaster), not to a person. */
  readonly role: boolean;
  /** The domain belongs to a provider where anybody can get an address. */
  readonly freeMail: boolean;
  /** The domain forwards to the mailbox of a person, as duck.com does. */
  readonly relay: boolean;
  /** Name of the provider of the domain's mail; null: not known. */
  readonly provider: string | null;
  /** A mail server of the domain greeted us. */
  readonly greeted: boolean;
  /** Time of the mail server's answer in ms, by the platform's clock; null: none answered. */
  readonly askedAt: number | null;
  /** The mail server was asked for an earlier call. */
  readonly isCached: boolean;
  /**
   * The machine that answered about the mailbox (an IPv4 address, or 64 bits of an IPv6 one); null:
   * none did.
   */
  readonly machine: string | null;
  /** Whether it accepted postmaster, after it had refused the mailbox; null: it was not asked. */
  readonly postmaster: boolean | null;
}

/** Findings about an address before any list or server is asked. */
export const NOTHING: Omit<Findings, 'finding'> = {
  mxFound: false,
  disposable: false,
  role: false,
  freeMail: false,
  relay: false,
  provider: null,
  greeted: false,
  askedAt: null,
  isCached: false,
  machine: null,
  postmaster: null,
};

export type Finding = keyof typeof VERDICTS;

/**
 * The verdict and points (100 = score 1.00) of each finding, ordered by how certain it is that the
 * mailbox exists. A disposable domain caps the points at 20 and turns "deliverable" into "risky"; a
 * role mailbox costs 10 points. "unknown" gives 50, because it tells nothing. It may be our fault,
 * and is free.
 *
 *                      status            valid  deliverable  points
 */
export const VERDICTS = {
  /** Its mail server accepts this mailbox and refuses one that cannot exist. */
  mailbox_accepted: ['deliverable', true, true, 100],
  /** The domain has mail servers, and this platform does not ask them for mailboxes. */
  domain_accepts_mail: ['deliverable', true, true, 80],
  /** Its mail server accepts every mailbox. */
  catch_all: ['risky', true, true, 60],
  /** Its provider accepts every mailbox when it is asked, and refuses messages later. */
  provider_not_askable: ['risky', true, true, 60],
  /** Its mail server defers unknown senders; real senders retry. */
  greylisted: ['risky', true, true, 60],
  /** No MX record, but an A or AAAA record, to which mail is then sent (RFC 5321 §5.1). */
  no_mx: ['risky', true, true, 40],
  /** Its mail server knows the mailbox, and it is full. */
  mailbox_full: ['risky', true, false, 20],
  /** An IP address in brackets in place of a domain: well-formed, but rarely accepted. */
  address_literal: ['risky', true, false, 10],
  /** Its mail server does not know the mailbox, or takes no international addresses. */
  mailbox_refused: ['undeliverable', true, false, 0],
  /** Its mail server knows the mailbox, and accepts no mail for it. */
  mailbox_disabled: ['undeliverable', true, false, 0],
  /** The domain says that it accepts no mail (RFC 7505). */
  null_mx: ['undeliverable', false, false, 0],
  /** The domain has no public mail server and no public address. */
  no_mail_server: ['undeliverable', false, false, 0],
  no_such_domain: ['undeliverable', false, false, 0],
  bad_syntax: ['undeliverable', false, false, 0],
  /** Its mail server could not be reached or refused our connection. */
  probe_failed: ['unknown', true, false, 50],
  /** Its mail server is in a pause: it was asked a moment ago, or refused our connection. */
  mailbox_not_asked: ['unknown', true, false, 50],
  /** Its mail server refuses every mailbox, and postmaster too, so it may mean us. */
  host_in_doubt: ['unknown', true, false, 50],
  /** The name servers of the domain do not answer, or fail. */
  dns_time_out: ['unknown', false, false, 50],
  dns_failure: ['unknown', false, false, 50],
  /** Our own name servers do. */
  no_dns: ['unknown', false, false, 50],
} as const satisfies Record<string, Verdict>;

type Verdict = readonly [
  status: 'deliverable' | 'risky' | 'undeliverable' | 'unknown',
  valid: boolean,
  deliverable: boolean,
  points: number,
];

/** Whether the status is known: only then is it charged. */
export const isAnswer = ({ finding }: Findings): boolean => VERDICTS[finding][0] !== 'unknown';

/** Whether any domain could be looked up: if not, a repeat may know more. */
export const isLookedUp = ({ finding }: Findings): boolean => finding !== 'no_dns';

/** The verdict on these findings, by the table. */
export function verdictOn({
  finding,
  disposable,
  role,
}: Pick<Findings, 'finding' | 'disposable' | 'role'>) {
  const [status, valid, deliverable, points] = VERDICTS[finding];
  const capped = disposable ? Math.min(points, 20) : points;
  return {
    valid,
    deliverable,
    score: Math.max(0, capped - (role ? 10 : 0)) / 100,
    status: disposable && status === 'deliverable' ? ('risky' as const) : status,
  };
}

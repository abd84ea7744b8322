import { Nullable, OneOf, Type } from '../../kernel/schema.ts';
import { VERDICTS, type Finding, type Findings } from './findings.ts';

/** Answers of the mail server about a mailbox: the fields of Reacher (check-if-email-exists). */
export const MAILBOX = {
  mailbox_asked: Type.Boolean({
    description: 'The mail server answered about the mailbox.',
  }),
  is_catch_all: Nullable(
    Type.Boolean({ description: 'Its mail server accepts every mailbox. null: unknown.' }),
  ),
  has_full_inbox: Nullable(
    Type.Boolean({ description: 'The mailbox is full, so mail may bounce. null: unknown.' }),
  ),
  is_disabled: Nullable(
    Type.Boolean({ description: 'The mailbox exists and accepts no mail. null: unknown.' }),
  ),
  reachable: OneOf(
    ['safe', 'risky', 'invalid', 'unknown'],
    'safe: its mail server accepts this mailbox, but not every one. unknown: not asked, or no ' +
      'clear answer.',
  ),
};

interface Mailbox {
  readonly mailbox_asked: boolean;
  readonly is_catch_all: boolean | null;
  readonly has_full_inbox: boolean | null;
  readonly is_disabled: boolean | null;
  readonly reachable: 'safe' | 'risky' | 'invalid' | 'unknown';
}

/** The answers about a mailbox if no mail server was asked. */
export const NOT_ASKED: Mailbox = {
  mailbox_asked: false,
  is_catch_all: null,
  has_full_inbox: null,
  is_disabled: null,
  reachable: 'unknown',
};

/**
 * Answers of mail servers by finding. is_catch_all is known only if another mailbox was asked for
 * too, or if this one is refused.
 *                     is_catch_all  has_full_inbox  is_disabled
 */
const SAID: Partial<Record<Finding, readonly (boolean | null)[]>> = {
  mailbox_accepted: [false, false, false],
  catch_all: [true, false, false],
  // It accepted this mailbox and an impossible one, which tells nothing of either.
  provider_not_askable: [null, null, null],
  mailbox_full: [null, true, false],
  mailbox_disabled: [null, false, true],
  mailbox_refused: [false, false, false],
  greylisted: [null, null, null],
};

export function mailboxOf({ finding, disposable, role, machine }: Findings): Mailbox {
  const said = machine === null ? undefined : SAID[finding];
  const reachable = reachableBy(finding);
  return {
    mailbox_asked: said !== undefined,
    is_catch_all: said?.[0] ?? null,
    has_full_inbox: said?.[1] ?? null,
    is_disabled: said?.[2] ?? null,
    // Risky, because somebody else may read the mail.
    reachable: reachable === 'safe' && (disposable || role) ? 'risky' : reachable,
  };
}

function reachableBy(finding: Finding): Mailbox['reachable'] {
  if (finding === 'mailbox_accepted') return 'safe';
  if (finding === 'provider_not_askable') return 'unknown';
  if (finding === 'catch_all' || finding === 'mailbox_full') return 'risky';
  return VERDICTS[finding][0] === 'undeliverable' ? 'invalid' : 'unknown';
}

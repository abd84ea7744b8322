/** A check of a process by itself. `/admin` shows all of it, `/readyz` all but the message. */
export interface SelfCheck {
  readonly name: SelfCheckName;
  /** failed: the process must not start, or should get no calls. */
  readonly status: 'ok' | 'warning' | 'failed';
  /** The findings, and what to do about them. Holds no secret. */
  readonly message: string;
}

/** All checks in the order shown, with the message if nothing was found. */
const SELF_CHECKS = Object.freeze({
  secrets: 'Tokens, passwords and keys are neither examples nor easy to guess.',
  public_url: 'Links lead to an https address, or to this machine.',
  money: 'Real money and test money are not mixed.',
  mail: 'Mails are sent, or shown to the developer of this machine.',
  setting_names: 'Every setting has a known name.',
  database_role: 'The role of DATABASE_URL does not own the tables.',
  master_keys: 'The master keys open this database.',
});

export type SelfCheckName = keyof typeof SELF_CHECKS;

export const SELF_CHECK_NAMES = Object.keys(SELF_CHECKS) as readonly SelfCheckName[];

export const selfCheckOf = (
  name: SelfCheckName,
  found: readonly string[],
  status: 'warning' | 'failed',
): SelfCheck =>
  found.length === 0
    ? { name, status: 'ok', message: SELF_CHECKS[name] }
    : { name, status, message: found.join('\n') };

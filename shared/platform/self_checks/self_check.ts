/** A look of a process at itself, as `/admin` shows all of it and `/readyz` without the message. */
export interface SelfCheck {
  readonly name: SelfCheckName;
  /** failed: no process starts so, or this one should get no calls. */
  readonly status: 'ok' | 'warning' | 'failed';
  /** All that was found, and what to do about it. Holds no secret. */
  readonly message: string;
}

/** Every check, in the order in which they are shown, and its message where nothing was found. */
export const SELF_CHECKS = Object.freeze({
  secrets: 'Tokens, passwords and keys are neither examples nor easy to guess.',
  public_url: 'Links lead to an https address.',
  money: 'Real money and play money do not meet.',
  setting_names: 'Every setting is one that is read.',
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

import type { SettingReader } from '../../platform/config/environment.ts';
import { flag, list, orOff, secret, whole } from '../../platform/config/setting_values.ts';
import { weakSecret } from '../../platform/self_checks/unsafe_secrets.ts';

/** OWASP's minimum for Argon2id with two passes and one thread: 19 MiB. */
export const PASSWORD_MEMORY_KIB_MIN = 19_456;

/** A person who runs the platform, proven by a bearer token. */
interface Operator {
  readonly name: string;
  readonly token: string;
}

export function agentSettings({ production, read, optional, check }: SettingReader) {
  const inProduction = (limit: string) => (production ? limit : 'off');
  const isNamed = optional('OPERATOR_TOKENS', String) !== undefined;
  const token = isNamed
    ? optional('OPERATOR_TOKEN', secret)
    : read('OPERATOR_TOKEN', undefined, secret);
  const unnamed = token === undefined ? [] : [{ name: 'operator', token }];
  const named = optional('OPERATOR_TOKENS', (text) => operatorsOf(text, unnamed));
  check('secrets', [
    ...unnamed.flatMap((operator) => weakSecret('OPERATOR_TOKEN', operator.token)),
    ...(named ?? []).flatMap((operator) =>
      weakSecret(`OPERATOR_TOKENS: the token of ${operator.name}`, operator.token),
    ),
  ]);
  return Object.freeze({
    /** At least one; each name and each token once. */
    operators: [...unnamed, ...(named ?? [])] as readonly Operator[],
    /** Wrong tokens from one address before it has to wait, longer each time. null: any number. */
    wrongTokens: read('OPERATOR_WRONG_TOKENS', inProduction('10'), orOff(whole(1, 1_000))),
    /** The link by which `npm start` signs its operator in, once. Never in production. */
    startLink: production ? undefined : optional('START_LINK', startLinkOf),
    /** Memory of a password hash. Less than OWASP's minimum only outside production. */
    passwordMemoryKib: read(
      'PASSWORD_MEMORY_KIB',
      String(PASSWORD_MEMORY_KIB_MIN),
      whole(production ? PASSWORD_MEMORY_KIB_MIN : 8, 1_048_576),
    ),
    registrations: Object.freeze({
      /** Maximum from one address (IPv6: one /64) in any hour. null: not limited. */
      perAddress: read('REGISTRATIONS_PER_ADDRESS', inProduction('60'), orOff(whole(0, 1e6))),
      /** Maximum with email addresses of one domain in any hour. null: not limited. */
      perEmailDomain: read(
        'REGISTRATIONS_PER_EMAIL_DOMAIN',
        inProduction('600'),
        orOff(whole(0, 1e6)),
      ),
    }),
    /** Whether addresses that differ by a tag, or at Gmail by dots, share one welcome credit. */
    oneWelcomeCreditPerMailbox: read(
      'ONE_WELCOME_CREDIT_PER_MAILBOX',
      production ? 'true' : 'false',
      flag,
    ),
    /** Whole dollars for all agents together on one UTC day. null: not limited. */
    welcomeCreditPerDay: read('WELCOME_CREDIT_PER_DAY', inProduction('100'), orOff(whole(0, 1e6))),
  });
}

/** Time for which the link of `npm start` works, in ms. */
const START_LINK_MS = 86_400_000;

/** `<time of its making in ms>.<secret>`. No message shows it. */
function startLinkOf(text: string): { readonly code: string; readonly endsAt: Date } {
  const [, at] = /^(\d{13})\.[\w-]{32,}$/.exec(text) ?? [];
  if (!at) throw new Error('is made by npm start: leave it out');
  return { code: text, endsAt: new Date(Number(at) + START_LINK_MS) };
}

export type AgentSettings = ReturnType<typeof agentSettings>;

/** Reads `name:token,…`. No message shows a token or any part of one. */
function operatorsOf(text: string, before: readonly Operator[]): readonly Operator[] {
  const operators = list(text).map((item) => {
    const [, name, token] = /^([a-z][a-z0-9_-]{0,31}):(.{24,})$/.exec(item) ?? [];
    if (!name || !token) {
      throw new Error(
        'must be a list of <name>:<token>, separated by commas: names of a-z, 0-9, _ and -, ' +
          'tokens of at least 24 characters',
      );
    }
    return { name, token };
  });
  if (operators.length === 0) throw new Error('names no operator');
  const all = [...before, ...operators];
  const isUnique = (values: string[]) => new Set(values).size === values.length;
  if (!isUnique(all.map(({ name }) => name))) {
    throw new Error('repeats a name (that of OPERATOR_TOKEN is operator)');
  }
  if (!isUnique(all.map((operator) => operator.token))) {
    throw new Error('gives one token to two operators');
  }
  return operators;
}

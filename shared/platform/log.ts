import { pino, type Logger, type LoggerOptions } from 'pino';

export type Log = Logger;

/** Forms of secrets in any text: in an error, a URL, a header. */
const FORMS = [
  /vnxp?_[\w-]+/, // a key of an agent
  /(?<=:\/\/[^\s:@/]*:)[^\s@/]+(?=@)/, // the password of a URL
  /(?<=password=)[^\s&]+/,
  /(?<=\b(?:[Bb]earer|Basic) )\S+/,
  /\b(?:[rs]k_(?:live|test)|whsec)_\w+/, // a key of Stripe
  /(?<=\b\w{1,16}:)[\w-]{43}(?![\w-])/, // a master key
];
const SECRETS = new RegExp(FORMS.map(({ source }) => source).join('|'), 'g');

/** The text without anything that looks like a secret, for the log and for operators. */
export const scrub = (text: string): string => text.replace(SECRETS, '[redacted]');

/**
 * A log of one JSON line per entry, on stdout. Secrets are removed from fields by name, and from
 * texts by form. `idsOfTrace` gives the ids of the trace that a line is about.
 */
export function openLog(
  level: string,
  process: string,
  idsOfTrace?: () => object | undefined,
): Log {
  const options = {
    level,
    base: { process },
    // Without a collector no function runs for it.
    ...(idsOfTrace && { mixin: () => idsOfTrace() ?? {} }),
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: ['authorization', 'password', 'api_key', 'key', '*.authorization', '*.password'],
      censor: '[redacted]',
    },
    serializers: { err: (error: unknown) => described(error) },
    hooks: {
      logMethod(args, method) {
        method.apply(
          this,
          args.map((arg) => (typeof arg === 'string' ? scrub(arg) : arg)) as never,
        );
      },
    },
  } satisfies LoggerOptions;
  // A flush is a system call even if nothing was logged.
  if (level === 'silent') return pino(options, { write: () => undefined });
  // Lines are written together, ten times a second and when the process ends: one system call per
  // line would cost as much as reading the request.
  const destination = { sync: false, minLength: 12_288, periodicFlush: 100 };
  return pino(options, pino.destination(destination));
}

function described(error: unknown): object {
  if (!(error instanceof Error)) return { message: scrub(String(error)) };
  const { code } = error as { code?: unknown };
  return {
    type: error.constructor.name,
    ...(code !== undefined && { code }),
    message: scrub(error.message),
    stack: scrub(error.stack ?? ''),
  };
}

/** At most one line a second for each message: a failure in a loop must not flood the log. */
export function throttled(log: Log): (message: string, error: unknown) => void {
  const lastAt = new Map<string, number>();
  return (message, error) => {
    const now = Date.now();
    if (now - (lastAt.get(message) ?? 0) < 1_000) return;
    lastAt.set(message, now);
    log.warn({ err: error }, message);
  };
}

/** The options in a client's user name: SOCKS5 has no other field for them. */
export interface Preferences {
  /** In capitals. Absent: any country, from the hot pool. */
  readonly country?: string;
  /** English name of the city, in small letters, with `-` between its words. */
  readonly city?: string;
  /** Number of the autonomous system. */
  readonly asn?: number;
  /** Connections with the same session name leave by one proxy. */
  readonly session?: string;
  /** Seconds that the session keeps its proxy after its last connection. */
  readonly ttlS?: number;
}

/** A user name that is not understood. The message says which part, and what it may be. */
export class BadUserName extends Error {}

interface Form {
  /** The value as text: words of letters and digits, with `-` between them. */
  readonly pattern: RegExp;
  readonly charsMax: number;
  /** The end of the sentence "-option takes …". */
  readonly takes: string;
}

const FORMS = {
  country: {
    pattern: /^[a-z]{2}$/i,
    charsMax: 2,
    takes: 'a code of two letters, as in -country-us',
  },
  city: {
    pattern: /^[\p{L}\d.'’_]+(-[\p{L}\d.'’_]+)*$/u,
    charsMax: 100,
    takes: 'an English name of at most 100 letters, with - or _ for blanks, as in -city-new-york',
  },
  asn: {
    pattern: /^[1-9]\d{0,9}$/,
    charsMax: 10,
    takes: 'the number of a network, 4294967295 at most, as in -asn-3320',
  },
  session: {
    pattern: /^\w+(-\w+)*$/,
    charsMax: 64,
    takes: 'a name of at most 64 letters, digits, _ and single -, as in -session-job-7',
  },
  ttl: {
    pattern: /^[1-9]\d{0,4}[smh]$/i,
    charsMax: 6,
    takes: 'a time from 10s to 24h, as in -ttl-30m',
  },
} as const satisfies Record<string, Form>;
type Option = keyof typeof FORMS;

const ASN_MAX = 2 ** 32 - 1;
const TTL_S = { min: 10, max: 24 * 60 * 60 } as const;
const SECONDS = { s: 1, m: 60, h: 3_600 } as const;
const ALL =
  'Behind agent come -country-us, -city-new-york, -asn-3320, -session-<name> or -ttl-30m, ' +
  'each once.';

/**
 * Reads `agent`, and behind it any of the options `-country-us`, `-city-new-york`, `-asn-3320`,
 * `-session-job-7` and `-ttl-30m`, each once and in any order. A value ends where the name of an
 * option begins, so `-` may be within a value, and no value may have such a name as a whole word
 * after its first. Throws BadUserName for anything else, because an option that is not understood
 * must not lead to just any proxy.
 */
export function preferencesOf(name: string): Preferences {
  const [first, ...words] = name.split('-');
  if (first!.toLowerCase() !== 'agent') {
    throw new BadUserName(`A user name begins with agent. ${ALL}`);
  }
  return checkedOptions(valuesIn(words));
}

function valuesIn(words: readonly string[]): Map<Option, string> {
  const values = new Map<Option, string[]>();
  let value: string[] | undefined;
  for (const word of words) {
    const option = word.toLowerCase();
    if (isOption(option) && (value === undefined || value.length > 0)) {
      if (values.has(option)) throw new BadUserName(`-${option} is given twice.`);
      values.set(option, (value = []));
    } else if (value) value.push(word);
    else throw new BadUserName(`${shown(word)} is no option of a user name. ${ALL}`);
  }
  return new Map([...values].map(([option, parts]) => [option, parts.join('-')]));
}

const isOption = (word: string): word is Option => Object.hasOwn(FORMS, word);

/** A word of a client, if a message can show it. */
const shown = (word: string) => (/^\w{1,40}$/.test(word) ? `-${word}` : 'The text behind agent');

function checkedOptions(values: ReadonlyMap<Option, string>): Preferences {
  for (const [option, value] of values) {
    const { pattern, charsMax } = FORMS[option];
    if (value.length > charsMax || !pattern.test(value)) throw badValue(option);
  }
  const { country, city, asn, session, ttl } = Object.fromEntries(values) as Partial<
    Record<Option, string>
  >;
  if (Number(asn ?? 0) > ASN_MAX) throw badValue('asn');
  const ttlS = ttl === undefined ? undefined : secondsOf(ttl);
  if (ttlS !== undefined && (ttlS < TTL_S.min || ttlS > TTL_S.max)) throw badValue('ttl');
  if (ttlS !== undefined && session === undefined) {
    throw new BadUserName('-ttl is the time of a session: send it as in -session-job-7-ttl-30m.');
  }
  return {
    ...(country && { country: country.toUpperCase() }),
    ...(city && { city: city.toLowerCase().replaceAll('_', '-') }),
    ...(asn && { asn: Number(asn) }),
    ...(session && { session }),
    ...(ttlS && { ttlS }),
  };
}

const badValue = (option: Option) => new BadUserName(`-${option} takes ${FORMS[option].takes}.`);

const secondsOf = (ttl: string): number =>
  Number(ttl.slice(0, -1)) * SECONDS[ttl.slice(-1).toLowerCase() as keyof typeof SECONDS];

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

/** The value of each option as text: words of letters and digits, with `-` between them. */
const VALUES = {
  country: /^[a-z]{2}$/i,
  city: /^[\p{L}\d.'’_]+(-[\p{L}\d.'’_]+)*$/u,
  asn: /^[1-9]\d{0,9}$/,
  session: /^\w+(-\w+)*$/,
  ttl: /^[1-9]\d{0,4}[smh]$/i,
} as const;
type Option = keyof typeof VALUES;

const SESSION_CHARS_MAX = 64;
const CITY_CHARS_MAX = 100;
const ASN_MAX = 2 ** 32 - 1;
const TTL_S = { min: 10, max: 24 * 60 * 60 } as const;
const SECONDS = { s: 1, m: 60, h: 3_600 } as const;

/**
 * Reads `agent`, and behind it any of the options `-country-us`, `-city-new-york`, `-asn-3320`,
 * `-session-job-7` and `-ttl-30m`, each once and in any order. A value ends where the name of an
 * option begins, so `-` may be within a value, and no value may have such a name as a whole word
 * after its first. Undefined: anything else, because an option that is not understood must not
 * lead to just any proxy.
 */
export function preferencesOf(name: string): Preferences | undefined {
  const [first, ...words] = name.split('-');
  if (first!.toLowerCase() !== 'agent') return undefined;
  const values = valuesIn(words);
  return values && checkedOptions(values);
}

function valuesIn(words: readonly string[]): Map<Option, string> | undefined {
  const values = new Map<Option, string[]>();
  let value: string[] | undefined;
  for (const word of words) {
    const option = word.toLowerCase();
    if (isOption(option) && (value === undefined || value.length > 0)) {
      if (values.has(option)) return undefined;
      values.set(option, (value = []));
    } else if (value) value.push(word);
    else return undefined;
  }
  return new Map([...values].map(([option, parts]) => [option, parts.join('-')]));
}

const isOption = (word: string): word is Option => Object.hasOwn(VALUES, word);

function checkedOptions(values: ReadonlyMap<Option, string>): Preferences | undefined {
  for (const [option, value] of values) if (!VALUES[option].test(value)) return undefined;
  const { country, city, asn, session, ttl } = Object.fromEntries(values) as Partial<
    Record<Option, string>
  >;
  const ttlS = ttl === undefined ? undefined : secondsOf(ttl);
  const isOutOfBounds =
    (session ?? '').length > SESSION_CHARS_MAX ||
    (city ?? '').length > CITY_CHARS_MAX ||
    Number(asn ?? 0) > ASN_MAX ||
    (ttlS !== undefined && (ttlS < TTL_S.min || ttlS > TTL_S.max || session === undefined));
  if (isOutOfBounds) return undefined;
  return {
    ...(country && { country: country.toUpperCase() }),
    ...(city && { city: city.toLowerCase().replaceAll('_', '-') }),
    ...(asn && { asn: Number(asn) }),
    ...(session && { session }),
    ...(ttlS && { ttlS }),
  };
}

const secondsOf = (ttl: string): number =>
  Number(ttl.slice(0, -1)) * SECONDS[ttl.slice(-1).toLowerCase() as keyof typeof SECONDS];

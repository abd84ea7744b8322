import { distance } from 'fastest-levenshtein';

/**
 * Settings that no code reads, each with the nearest known name. The environment holds many names
 * of other programs, so only these count: a name that is nearly one of ours, and one with a prefix
 * that only our names have. Of `written`, names from a .env file, every one counts.
 */
export function unreadSettings(
  set: readonly string[],
  known: readonly string[],
  written: readonly string[] = [],
): string[] {
  const prefixes = ownPrefixes(known);
  return set
    .filter((name) => written.includes(name) || isOurForm(name, known))
    .filter((name) => !known.includes(name))
    .filter((name) => !OF_OTHERS.test(name))
    .filter(
      (name) =>
        written.includes(name) ||
        REPLACED.has(name) ||
        (name.includes('_') && prefixes.has(prefixOf(name))) ||
        known.some((one) => isNearly(name.toUpperCase(), one)),
    )
    .toSorted()
    .map((name) => {
      const network = REPLACED.get(name);
      if (network) {
        const list = `SANDBOX names the networks of play money, ${network} among them if it is one`;
        return `${name} is read by nothing: leave it out. ${list}`;
      }
      const nearest = nearestTo(name, known);
      return `${name} is read by nothing: ${nearest ? `did you mean ${nearest}?` : 'leave it out'}`;
    });
}

/** Whether a name has the form of ours: in capitals, unlike http_proxy. */
const isOurForm = (name: string, known: readonly string[]) =>
  /^[A-Z][A-Z0-9_]*$/.test(name) || (name.includes('_') && known.includes(name.toUpperCase()));

/**
 * Settings of earlier releases that no code reads any more, with the networks that they called play
 * money or not. Without them one of play money would run as one of real money.
 */
const REPLACED: ReadonlyMap<string, string> = new Map([
  ['BASE_SANDBOX', 'base'],
  ['ARBITRUM_SANDBOX', 'arbitrum'],
  ['ETHEREUM_SANDBOX', 'ethereum'],
  ['SOLANA_SANDBOX', 'solana'],
  ['TRON_SANDBOX', 'tron'],
  ['ALGO_SANDBOX', 'algorand'],
  ['X402_SANDBOX', 'x402'],
]);

/** Names that npm, Node, platforms, containers and our own compose file set. */
const OF_OTHERS = new RegExp(
  '^(npm|NODE|HEROKU|COMPOSE|DOCKER|BUILDKIT|KUBERNETES|POSTGRES|TEST|TSX|AWS|GOOGLE)_' +
    // Kubernetes gives each pod the addresses of all services under such names.
    '|_SERVICE_(HOST|PORT)(_|$)|_PORT(_\\d+_(TCP|UDP)(_\\w+)?)?$' +
    '|^(OWNER|APP)_PASSWORD$|^(HOME|HOSTNAME|PATH|PWD|TMPDIR|TZ)$',
);

/** First words of our names that other programs use too. */
const COMMON = [
  'BASE',
  'CLIENT',
  'DATA',
  'DATABASE',
  'DEMO',
  'OTEL',
  'PROXY',
  'REDIS',
  'SMTP',
  'TOKEN',
  'WORKER',
];

const prefixOf = (name: string) => name.split('_')[0]!;

function ownPrefixes(known: readonly string[]): ReadonlySet<string> {
  const longer = known.filter((name) => name.includes('_')).map(prefixOf);
  const shared = longer.filter((prefix) => longer.filter((one) => one === prefix).length > 1);
  return new Set(shared.filter((prefix) => !COMMON.includes(prefix)));
}

/** Maximum differing letters by length: short names are near to others, as HOST to HOME. */
const NEAR = [
  { lengthMin: 9, distanceMax: 2 },
  { lengthMin: 6, distanceMax: 1 },
];

function isNearly(name: string, known: string): boolean {
  const { distanceMax = 0 } = NEAR.find(({ lengthMin }) => known.length >= lengthMin) ?? {};
  return (
    name === `${known}_FILE` ||
    wordsOf(name) === wordsOf(known) ||
    distance(name, known) <= distanceMax
  );
}

const wordsOf = (name: string) => name.split('_').toSorted().join('_');

/** The known name that is nearly the same, else one with the same beginning. */
function nearestTo(name: string, known: readonly string[]): string | undefined {
  const capitals = name.toUpperCase();
  const near = known.filter((one) => isNearly(capitals, one));
  const longer = known.filter((one) => one.startsWith(`${capitals}_`));
  const alike = known.filter(
    (one) => prefixOf(one) === prefixOf(capitals) && distance(capitals, one) < one.length / 2,
  );
  const [nearest] =
    [near, longer, alike]
      .find((some) => some.length > 0)
      ?.toSorted((a, b) => distance(capitals, a) - distance(capitals, b)) ?? [];
  return nearest;
}

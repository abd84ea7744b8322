import { OneOf, Type, type Static } from '../../../kernel/schema.ts';
import { column, rows, type Database } from '../../../platform/rows.ts';
import { ANONYMITIES } from '../checks/forwarding.ts';
import { ON_SALE } from '../checks/states.ts';

const Rate = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

/** Filters of buyers beside the country. An unknown value of a proxy matches no filter. */
export const FILTERS = {
  anonymity: Type.Optional(OneOf(ANONYMITIES, 'Only proxies of this class.')),
  city: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'English name of the city.' }),
  ),
  asn: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2 ** 32 - 1, description: 'Autonomous system number.' }),
  ),
  https: Type.Optional(
    Type.Boolean({ description: 'true: only proxies through which TLS passes unchanged.' }),
  ),
  min_success_rate: Type.Optional(Rate('Minimum share of checks passed in a day.')),
  min_uptime: Type.Optional(Rate('Minimum share of a day it was up.')),
};

const Filters = Type.Object(FILTERS);
export type ProxyFilters = Static<typeof Filters>;

/**
 * Maximum proxies searched: with rates that hardly any proxy has, the answer may hold fewer than
 * there are.
 */
const CANDIDATES_MAX = 10_000;

export const isFiltered = (filters: ProxyFilters): boolean =>
  Object.keys(FILTERS).some((name) => filters[name as keyof ProxyFilters] !== undefined);

interface Page {
  readonly from: number;
  readonly count: number;
  /** One proxy of each exit. */
  readonly isDistinct?: boolean;
}

/** Matching proxies read for each one that is wanted, where each is to have another exit. */
const READ_FOR_ONE = 4;

/**
 * Finds the ids of matching proxies on sale, from a position of the pool onwards. Network and city
 * have an index each; other filters are applied to the first candidates.
 */
export async function findMatching(
  db: Database,
  filters: ProxyFilters & { readonly country: string | undefined },
  { from, count, isDistinct = false }: Page,
): Promise<number[]> {
  const {
    country,
    city,
    asn,
    anonymity,
    https,
    min_success_rate: rate,
    min_uptime: uptime,
  } = filters;
  const parameters: unknown[] = [];
  const when = (value: unknown, sql: (name: string) => string): string[] =>
    value === undefined ? [] : [sql(`$${parameters.push(value)}`)];

  const indexed = [
    ...(country === undefined ? [`state = 'hot'`] : []),
    ...when(country, (name) => `country_code = ${name}`),
    ...when(city, (name) => `lower(city) = lower(${name})`),
    ...when(asn, (name) => `asn = ${name}`),
  ];
  const others = [
    'true',
    ...when(anonymity, (name) => `anonymity = ${name}`),
    ...when(https, (name) => `https = ${name}`),
    ...when(rate, (name) => `success_rate >= ${name}::float8 - 0.0005`),
    ...when(uptime, (name) => `uptime >= ${name}::float8 - 0.0005`),
  ];
  const place = `$${parameters.push(from)}`;
  const read = (side: '>=' | '<', most: number) =>
    rows(
      db,
      { id: column.id, exit_key: column.int },
      `select id, coalesce(exit_key, -id) as exit_key from (
         select id, position, exit_key, https, anonymity, success_rate, uptime from proxy
          where ${[ON_SALE, ...indexed].join(' and ')} and position ${side} ${place}
          order by position limit ${CANDIDATES_MAX}) candidate
        where ${others.join(' and ')} order by position limit ${most}`,
      parameters,
    );
  const exits = new Set<number>();
  const page = async (side: '>=' | '<', wanted: number): Promise<number[]> => {
    if (!isDistinct) return (await read(side, wanted)).map(({ id }) => id);
    // A page must not depend on how much was read, or pages would overlap.
    for (let most = wanted * READ_FOR_ONE; ; most *= READ_FOR_ONE) {
      const limit = Math.min(most, CANDIDATES_MAX);
      const found = await read(side, limit);
      const first = firstOfExits(found, exits);
      if (first.length < wanted && found.length === limit && limit < CANDIDATES_MAX) continue;
      for (const { exit_key: exit } of first.slice(0, wanted)) exits.add(exit);
      return first.slice(0, wanted).map(({ id }) => id);
    }
  };
  const most = Math.min(count, CANDIDATES_MAX);
  const above = await page('>=', most);
  return above.length < most ? [...above, ...(await page('<', most - above.length))] : above;
}

interface Candidate {
  readonly id: number;
  readonly exit_key: number;
}

/** The first proxy of each exit that is not among these. */
function firstOfExits(
  found: readonly Candidate[],
  except: ReadonlySet<number>,
): readonly Candidate[] {
  const first = new Map<number, Candidate>();
  for (const candidate of found) {
    const { exit_key: exit } = candidate;
    if (!except.has(exit) && !first.has(exit)) first.set(exit, candidate);
  }
  return [...first.values()];
}

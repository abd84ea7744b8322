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
  const { country, city, asn, anonymity, min_success_rate: rate, min_uptime: uptime } = filters;
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
    ...when(rate, (name) => `success_rate >= ${name}::float8 - 0.0005`),
    ...when(uptime, (name) => `uptime >= ${name}::float8 - 0.0005`),
  ];
  const place = `$${parameters.push(from)}`;
  const exits = new Set<number>();
  const page = async (side: '>=' | '<', wanted: number): Promise<number[]> => {
    const most = isDistinct ? Math.min(wanted * READ_FOR_ONE, CANDIDATES_MAX) : wanted;
    const found = await rows(
      db,
      { id: column.id, exit_key: column.int },
      `select id, coalesce(exit_key, -id) as exit_key from (
         select id, position, exit_key, anonymity, success_rate, uptime from proxy
          where ${[ON_SALE, ...indexed].join(' and ')} and position ${side} ${place}
          order by position limit ${CANDIDATES_MAX}) candidate
        where ${others.join(' and ')} order by position limit ${most}`,
      parameters,
    );
    if (!isDistinct) return found.map(({ id }) => id);
    const first = found.filter(({ exit_key: exit }) => !exits.has(exit) && exits.add(exit));
    return first.slice(0, wanted).map(({ id }) => id);
  };
  const most = Math.min(count, CANDIDATES_MAX);
  const above = await page('>=', most);
  return above.length < most ? [...above, ...(await page('<', most - above.length))] : above;
}

/** The query of a page's address. */
export type Query = Readonly<Record<string, string | undefined>>;

/** The named fields of a query, without those that have no value. */
export const given = (
  query: Query,
  ...names: readonly string[]
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = query[name];
      return value ? [[name, value]] : [];
    }),
  );

/** A path with those fields of a query that have a value. */
export function pathWith(
  path: string,
  fields: Readonly<Record<string, string | number | undefined>>,
): string {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)]));
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}

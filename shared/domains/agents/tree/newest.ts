import { SORTED_MAX } from '../../../kernel/paging.ts';

export interface Newest {
  readonly table: string;
  /** The column that holds the agent. */
  readonly column: string;
  /**
   * A further condition, as `status = 'escrow'`. Its values are written out, not parameters, so
   * that the planner can use a partial index.
   */
  readonly where?: string | undefined;
  /** Parameters for the agents, the id that all rows are below, and the number of rows. */
  readonly agents?: string;
  readonly before?: string;
  readonly limit?: string;
}

/**
 * SQL: the ids of a page of the rows of these agents, newest first. An index has the rows of each
 * agent in this order. It reads the newest row of each agent, and then a page of rows only of as
 * many agents as a page is long, those with the newest rows: no other agent can be on the page.
 */
export const newestOf = (newest: Newest): string => {
  const { table, column, where, agents = '$1', before = '$2', limit = '$3' } = newest;
  const of = (agent: string, most: string) =>
    `(select id from ${table} where ${column} = ${agent} and id < ${before}::bigint
       ${where === undefined ? '' : `and ${where}`} order by id desc limit ${most})`;
  return `
    select newest.id
      from (select asked.id from unnest(${agents}::bigint[]) as asked(id)
             cross join lateral ${of('asked.id', '1')} latest
             order by latest.id desc limit ${limit}) active
     cross join lateral ${of('active.id', limit)} newest
     order by newest.id desc limit ${limit}`;
};

/** SQL and its parameters: the ids of the newest rows of these agents, at most `SORTED_MAX`. */
export function newestMany(
  agents: readonly number[],
  { table, column, where }: Pick<Newest, 'table' | 'column' | 'where'>,
): { sql: string; parameters: readonly unknown[] } {
  const of = (agent: string, condition: string, most: string | number) =>
    `(select id from ${table} where ${column} = ${agent} and ${condition}
       ${where === undefined ? '' : `and ${where}`} order by id desc limit ${most})`;
  // Some rows of each agent show below which id none can be among the newest. Only agents that may
  // have more above it are read on: fewer than SORTED_MAX / each, each no further than SORTED_MAX.
  const each = Math.ceil(SORTED_MAX / Math.sqrt(Math.max(agents.length, 1)));
  const sql = `
    with first_rows as materialized (
      select asked.id as agent, newest.id
        from unnest($1::bigint[]) as asked(id)
       cross join lateral ${of('asked.id', 'true', '$2')} newest),
    lowest as materialized (
      select coalesce((select id from first_rows order by id desc offset $3 - 1 limit 1), 0) as id),
    deep as materialized (
      select agent from first_rows group by agent
      having count(*) = $2 and min(id) > (select id from lowest))
    select id from (
      select id from first_rows
      union
      select newest.id from deep
       cross join lateral ${of('deep.agent', 'id > (select id from lowest)', '$3')} newest) found
     order by id desc limit $3`;
  return { sql, parameters: [agents, each, SORTED_MAX] };
}

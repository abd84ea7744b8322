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

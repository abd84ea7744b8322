export interface Newest {
  readonly table: string;
  /** The column that holds the agent. */
  readonly column: string;
  /**
   * What else must be so, as `status = 'escrow'`: a value stands in it as itself, so that the index
   * of the few rows that have it is known to do.
   */
  readonly where?: string | undefined;
  /** SQL: the agents, below which id, and how many. */
  readonly agents?: string;
  readonly before?: string;
  readonly limit?: string;
}

/**
 * SQL: the ids of a page of the rows of these agents, newest first. An index has those of each
 * agent in this order. As a page can only hold rows of those agents whose newest row is newest, it
 * reads one row of each agent, and a page of as many agents as it is long.
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

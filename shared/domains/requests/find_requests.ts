import { column, rows, type Database } from '../../platform/rows.ts';
import { TAKEN_BY_JOB, type takingFields } from './ended_jobs.ts';
import { RequestView } from './request_view.ts';

/** A place in the list: rows of a page begin behind it. */
export interface Position {
  /** In ms since 1970. */
  readonly at: number;
  readonly id: string;
}

interface Search {
  /** Operations that take money, and the fields of their answers that say how much. */
  readonly taking: ReturnType<typeof takingFields>;
  readonly rootId: number;
  /** The agents whose calls are listed; undefined: the whole tree. */
  readonly agents: readonly number[] | undefined;
  readonly operation: string | undefined;
  /** Lowest status, included, and highest, excluded. */
  readonly statuses: readonly [number, number] | undefined;
  readonly since: Date;
  readonly after: Position | undefined;
  /** Maximum rows. */
  readonly count: number;
}

const COLUMNS = { ...RequestView.columns, id: column.id };

/** Finds requests, newest first. Each search is a look into the index of its tree or agents. */
export function findRequests(db: Database, search: Search) {
  const { rootId, agents, operation, statuses, since, after, count, taking } = search;
  const parameters: unknown[] = [rootId, since];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const conditions = [`r.root_id = $1`, `r.at >= $2`];
  if (after) {
    const [at, id] = [parameter(new Date(after.at)), parameter(after.id)];
    conditions.push(`(r.at, r.id) < (${at}::timestamptz, ${id}::bigint)`);
  }
  if (operation !== undefined) conditions.push(`r.operation = ${parameter(operation)}`);
  if (statuses) {
    // Written out, so that the planner can use the indexes of errors.
    conditions.push(`r.status >= ${statuses[0]} and r.status < ${statuses[1]}`);
  }
  const where = conditions.join(' and ');
  const limit = parameter(count);
  const newest = 'order by r.at desc, r.id desc limit';
  // The newest row of each agent says which of them can be on the page: no more than it is long.
  const from = agents
    ? `(select r.* from
         (select asked.id from unnest(${parameter(agents)}::bigint[]) as asked(id)
           cross join lateral (select r.at, r.id from request r
                                where r.agent_id = asked.id and ${where} ${newest} 1) latest
           order by latest.at desc, latest.id desc limit ${limit}) active
         cross join lateral (select r.* from request r
                              where r.agent_id = active.id and ${where} ${newest} ${limit}) r
        ${newest} ${limit})`
    : `(select r.* from request r where ${where} ${newest} ${limit})`;
  return rows(
    db,
    COLUMNS,
    `select r.id, r.request_id, r.at, r.agent_id, a.username as agent_name, r.interface, r.operation,
            r.status, r.code as error, round(r.ms)::int as ms,
            coalesce(r.cost, case when r.status = 202 then ${TAKEN_BY_JOB} end) as cost,
            r.calls, r.job_id, r.answer
       from ${from} r join agent a on a.id = r.agent_id
       left join job j on j.id = r.job_id and r.status = 202 and r.cost is null
       left join unnest(${parameter(taking[0])}::text[], ${parameter(taking[1])}::text[])
              as t(name, field) on t.name = r.operation
      order by r.at desc, r.id desc`,
    parameters,
  );
}

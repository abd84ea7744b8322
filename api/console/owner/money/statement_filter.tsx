import type { AnswerOf } from '../../answers.ts';
import { invalidFilter } from '../../match.ts';
import { Missing } from '../../parts/card.tsx';
import { Filter, FilterChoice, FilterText } from '../../parts/lists/filter.tsx';
import type { Query } from '../../parts/lists/query.ts';
import { AgentField } from '../agents/names.tsx';

export const STATEMENT_CSV = '/console/money/statement.csv';

const DAY_MS = 86_400_000;
const KINDS = {
  'order.*': 'Orders',
  'task.*': 'Tasks',
  'labor.*': 'Labor',
  'deposit.*': 'Deposits',
  'withdrawal.*': 'Withdrawals',
  'proxy.*': 'Proxies',
  'email.*': 'Email validation',
  'token.*': 'Tokens',
} as const;

/** Filters of a statement, from the query. Days are UTC, and the last one is included. */
export function filterOf(query: Query): Readonly<Record<string, unknown>> {
  const { kind } = query;
  const from = dayOf(query, 'from');
  const to = dayOf(query, 'to');
  if (kind && !Object.hasOwn(KINDS, kind)) throw invalidFilter('kind');
  return {
    ...(from && { from: from.toISOString() }),
    ...(to && { to: new Date(to.getTime() + DAY_MS).toISOString() }),
    ...(query.agent && { agent_id: query.agent }),
    ...(kind && { kind }),
  };
}

function dayOf(query: Query, name: string): Date | undefined {
  const text = query[name];
  if (!text) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  // A day that a month does not have would be one of the next.
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
  if (/^\d{4}-\d\d-\d\d$/.test(text) && isDay) return day;
  throw invalidFilter(name, 'must be a time');
}

/** The filter form of the statement, and a link to the same entries as a file. */
export function StatementFilter({ path, query, names }: FilterProps) {
  const kept = Object.entries(query).filter(([name, value]) => value && name !== 'cursor');
  const search = new URLSearchParams(kept as [string, string][]).toString();
  return (
    <Filter path={path} after={<CsvLink search={search} />}>
      <FilterText name="from" label="From" type="date" value={query.from} />
      <FilterText name="to" label="To the end of" type="date" value={query.to} />
      <FilterChoice
        name="kind"
        label="Type"
        value={query.kind}
        choices={{ '': 'everything', ...KINDS }}
      />
      {names ? <AgentField names={names} chosen={query.agent} none="all agents" /> : <Missing />}
    </Filter>
  );
}

const CsvLink = ({ search }: { search: string }) => (
  <a class="link small" href={search ? `${STATEMENT_CSV}?${search}` : STATEMENT_CSV} download>
    As a file (CSV)
  </a>
);

interface FilterProps {
  path: string;
  query: Query;
  names: AnswerOf<'agent_names'> | null;
}

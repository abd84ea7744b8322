import type { AnswerOf } from '../../answers.ts';
import { Missing } from '../../parts/card.tsx';

export const STATEMENT_CSV = '/console/money/statement.csv';

type Query = Readonly<Record<string, string | undefined>>;

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

/** What a statement is asked for by the query of a page. Days are UTC, and the last one counts. */
export function filterOf(query: Query): Readonly<Record<string, unknown>> {
  const from = dayOf(query.from);
  const to = dayOf(query.to);
  const agent = /^\d{1,9}$/.test(query.agent ?? '') ? Number(query.agent) : 0;
  return {
    ...(from && { from: from.toISOString() }),
    ...(to && { to: new Date(to.getTime() + DAY_MS).toISOString() }),
    ...(agent > 0 && { agent_id: agent }),
    ...(query.kind && query.kind in KINDS && { kind: query.kind }),
  };
}

function dayOf(text: string | undefined): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text ?? '')) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? undefined : day;
}

/** The filters of the statement, as a form whose address can be kept, and the same as a file. */
export function StatementFilter({ path, query, agents }: FilterProps) {
  const kept = Object.entries(query).filter(([name, value]) => value && name !== 'cursor');
  const search = new URLSearchParams(kept as [string, string][]).toString();
  return (
    <form class="filters" method="get" action={path}>
      <p class="field">
        <label for="from">From</label>
        <input id="from" name="from" type="date" value={query.from ?? ''} />
      </p>
      <p class="field">
        <label for="to">To the end of</label>
        <input id="to" name="to" type="date" value={query.to ?? ''} />
      </p>
      <p class="field">
        <label for="kind">What for</label>
        <select id="kind" name="kind">
          <option value="">everything</option>
          {Object.entries(KINDS).map(([kind, words]) => (
            <option value={kind} selected={query.kind === kind}>
              {words}
            </option>
          ))}
        </select>
      </p>
      {agents ? (
        <p class="field">
          <label for="agent">By whom</label>
          <select id="agent" name="agent">
            <option value="">all agents</option>
            {agents.children.map(({ agent_id, agent_name }) => (
              <option value={String(agent_id)} selected={query.agent === String(agent_id)}>
                {agent_name}
              </option>
            ))}
          </select>
        </p>
      ) : (
        <Missing />
      )}
      <p class="buttons">
        <button class="button">Show</button>
        <a class="link small" href={search ? `${STATEMENT_CSV}?${search}` : STATEMENT_CSV} download>
          As a file (CSV)
        </a>
      </p>
    </form>
  );
}

interface FilterProps {
  path: string;
  query: Query;
  agents: AnswerOf<'list_children'> | null;
}

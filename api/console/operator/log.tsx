import type { AnswerOf } from '../answers.ts';
import { page, type PageQuery } from '../page.ts';
import { Card, Empty, Lead, Pages, Table } from '../parts/card.tsx';
import { Badge, When, Words, wordsOf } from '../parts/text.tsx';
import { given } from '../parts/lists/query.ts';

const TYPED = ['operator', 'operation', 'object_kind', 'object_id'] as const;
const FILTERS = [...TYPED, 'outcome'] as const;
const OUTCOMES = { '': 'any', done: 'done', refused: 'refused' };

/** The log of operators: who did what, when and why. */
export const log = page({
  path: '/admin/log',
  title: 'Log',
  access: 'operator',
  nav: { group: '', icon: 'log', key: 'l' },
  live: ['audit'],
  reads: {
    log: ['list_audit_log', ({ query }: PageQuery) => ({ ...given(query, ...FILTERS, 'cursor') })],
  },
  view: ({ log: found }, { query }) => (
    <>
      <Lead title="Log">
        <p>All actions of operators, including refused ones. Entries are never removed.</p>
      </Lead>
      <Card id="filter" title="Filter">
        <form method="get" action="/admin/log" class="form">
          {TYPED.map((name) => (
            <p class="field">
              <label for={`log-${name}`}>{wordsOf(name)}</label>
              <input id={`log-${name}`} name={name} value={query[name] ?? ''} maxLength={64} />
            </p>
          ))}
          <p class="field">
            <label for="log-outcome">Outcome</label>
            <select id="log-outcome" name="outcome">
              {Object.entries(OUTCOMES).map(([value, label]) => (
                <option value={value} selected={value === (query.outcome ?? '')}>
                  {label}
                </option>
              ))}
            </select>
          </p>
          <p class="buttons">
            <button class="button">Show</button>
          </p>
        </form>
      </Card>
      <Card id="entries" title="Entries">
        {found && <LogTable entries={found.entries} />}
        {found && <Pages path="/admin/log" of={found} query={query} />}
      </Card>
    </>
  ),
});

type Entry = AnswerOf<'list_audit_log'>['entries'][number];

export function LogTable({ entries }: { entries: readonly Entry[] }) {
  if (entries.length === 0) return <Empty>No operator has done anything of this kind yet.</Empty>;
  return (
    <Table
      label="Operator actions"
      rows={entries}
      columns={[
        { head: 'When', cell: ({ created_at }) => <When at={created_at} /> },
        { head: 'Operator', cell: ({ operator }) => <Words>{operator}</Words> },
        { head: 'Action', cell: ({ operation }) => wordsOf(operation) },
        { head: 'Object', cell: ({ object }) => <About {...object} /> },
        { head: 'Reason', wide: true, cell: ({ input }) => <Words>{noteOf(input)}</Words> },
        {
          head: 'Outcome',
          cell: ({ outcome, error }) => (
            <Badge state={error ?? outcome} kind={error ? 'owed' : ''} />
          ),
        },
      ]}
    />
  );
}

const About = ({ kind, id, username }: Entry['object']) =>
  id === null ? (
    <>{wordsOf(kind)}</>
  ) : (
    <a href={`/admin/find?query=${encodeURIComponent(id)}`}>
      {kind.replaceAll('_', ' ')} {username === null ? id : <Words>{username}</Words>}
    </a>
  );

function noteOf(input: unknown): string {
  const { note } = (input ?? {}) as { note?: unknown };
  return typeof note === 'string' ? note : '';
}

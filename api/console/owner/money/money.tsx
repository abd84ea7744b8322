import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Lead, Missing, Pages, Table } from '../../parts/card.tsx';
import { DayChart } from '../../parts/chart.tsx';
import { MoneyMoving, Places } from '../../parts/money.tsx';
import { Usd, When } from '../../parts/text.tsx';
import { given } from '../../parts/lists/query.ts';
import { TREE } from '../agents/names.tsx';
import { filterOf, StatementFilter } from './statement_filter.tsx';

const PATH = '/console/money';

export const money = page({
  path: PATH,
  title: 'Balance and statement',
  access: 'owner',
  nav: { group: 'Money', icon: 'wallet', tab: 'Money', key: 'm' },
  live: ['wallet', 'order', 'task', 'labor', 'deposit', 'withdrawal'],
  reads: {
    wallet: ['get_wallet', { details: true }],
    statement: [
      'wallet_statement',
      ({ query }: PageQuery) => ({
        limit: 20,
        ...filterOf(query),
        ...given(query, 'cursor'),
      }),
    ],
  },
  cards: {
    names: TREE,
    earned: ['sales_report', { days: 30, by: 'product' }],
    spent: ['spend_report', { days: 30, by: 'category' }],
  },
  view: ({ wallet, statement, names, earned, spent }, { query }) => (
    <>
      <Lead title="Balance and statement" />
      <Card id="balance" title="Where the money is">
        <Places wallet={wallet} />
      </Card>
      <Card id="held" title="Held, by release date">
        {wallet.held ? <MoneyMoving moving={wallet.held} label="Held" /> : <Missing />}
      </Card>
      <Card id="coming" title="On its way to you, if nobody objects">
        {wallet.incoming ? (
          <MoneyMoving moving={wallet.incoming} label="On its way to you" />
        ) : (
          <Missing />
        )}
      </Card>
      <Card id="statement" title="Statement">
        <StatementFilter path={PATH} query={query} names={names} />
        <Movements entries={statement.entries} />
        <Pages path={PATH} of={statement} query={query} />
      </Card>
      <div class="halves">
        <Card id="spent" title="Spent in 30 days, by category">
          {spent ? <DayChart report={spent} label="Spent a day" /> : <Missing />}
        </Card>
        <Card id="earned" title="Earned in 30 days, by product">
          {earned ? <DayChart report={earned} label="Earned a day" /> : <Missing />}
        </Card>
      </div>
    </>
  ),
});

type Entry = AnswerOf<'wallet_statement'>['entries'][number];

/** Paths of the objects of movements. */
const PATHS: Readonly<Record<string, string>> = { order: '/console/orders', task: '/console/work' };

function What({ entry: { description, ref } }: { entry: Entry }) {
  const path = PATHS[ref.kind];
  return path ? <a href={`${path}/${ref.id}`}>{description}</a> : <>{description}</>;
}

export function Movements({ entries }: { entries: readonly Entry[] }) {
  if (entries.length === 0) return <Empty>There are no entries.</Empty>;
  return (
    <Table
      label="Movements of money"
      rows={entries}
      columns={[
        { head: 'When', wide: true, cell: (entry) => <When at={entry.created_at} /> },
        {
          head: 'Description',
          cell: (entry) => (
            <>
              <What entry={entry} />
              <span class="note narrow-only">
                <When at={entry.created_at} />
              </span>
            </>
          ),
        },
        {
          head: 'Amount',
          right: true,
          cell: (entry) => (
            <>
              <Usd amount={entry.amount} signed />
              <span class="note narrow-only">
                left <Usd amount={entry.balance_after} />
              </span>
            </>
          ),
        },
        {
          head: 'Balance',
          right: true,
          wide: true,
          cell: (entry) => <Usd amount={entry.balance_after} />,
        },
      ]}
    />
  );
}

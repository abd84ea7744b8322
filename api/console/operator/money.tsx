import { page } from '../page.ts';
import { Card, Lead, Table } from '../parts/card.tsx';
import { Do } from '../parts/do.tsx';
import { AgentLink } from './agent_link.tsx';
import { Badge, Usd, usdOf, When, wordsOf } from '../parts/text.tsx';

/** The money board: whether the books balance. */
export const money = page({
  path: '/admin/money',
  title: 'Money board',
  access: 'operator',
  nav: { group: '', icon: 'board', tab: 'Money', key: 'm' },
  live: ['clock'],
  reads: { board: 'money_board' },
  does: ['run_audit'],
  view: ({ board }) => (
    <>
      <Lead title="Money board">
        <p>
          One snapshot, <When at={board.as_of} />: <Balanced {...board} />
        </p>
      </Lead>
      <Card id="accounts" title="All accounts">
        <Table
          label="Accounts"
          rows={board.accounts}
          columns={[
            { head: 'Account', cell: ({ account }) => wordsOf(account) },
            { head: 'Cash', right: true, cell: ({ cash }) => <Usd amount={cash} /> },
            { head: 'Credit', right: true, cell: ({ credit }) => <Usd amount={credit} /> },
            { head: 'Owners', right: true, wide: true, cell: ({ count }) => count ?? '' },
          ]}
        />
        <p class="small dim">
          Below zero: money that came in through the account, or was given away.
        </p>
      </Card>
      <Card id="escrows" title="Escrows by object">
        <Table
          label="Escrows"
          rows={board.escrows}
          columns={[
            { head: 'For', cell: ({ kind }) => wordsOf(kind) },
            { head: 'Open', right: true, cell: ({ count }) => count },
            { head: 'Hold', right: true, cell: ({ amount }) => <Usd amount={amount} /> },
            {
              head: 'Oldest',
              wide: true,
              cell: ({ oldest_at }) => (oldest_at ? <When at={oldest_at} /> : ''),
            },
            {
              head: 'Overdue',
              right: true,
              cell: ({ overdue }) =>
                overdue > 0 ? <Badge state={`${overdue} overdue`} kind="owed" /> : 0,
            },
          ]}
        />
        {board.unexplained !== 0 && (
          <p>
            <Badge state="unexplained" kind="owed" /> {usdOf(board.unexplained)} of the escrows are
            for none of these. Run the audit.
          </p>
        )}
      </Card>
      {board.closed_accounts.length > 0 && (
        <Card id="closed" title="Money of closed accounts">
          <p>It came after their owners had closed them, and reaches nobody.</p>
          <Table
            label="Closed accounts"
            rows={board.closed_accounts}
            columns={[
              {
                head: 'Account',
                cell: ({ agent_id: id }) => <AgentLink id={id} username={`#${id}`} />,
              },
              { head: 'Closed', cell: ({ closed_at }) => <When at={closed_at} /> },
              { head: 'Cash', right: true, cell: ({ cash }) => <Usd amount={cash} /> },
            ]}
          />
        </Card>
      )}
      <Card id="audit" title="Audit">
        <p>Checks the books in one snapshot, and lists the rows that are wrong.</p>
        <Do op="run_audit" label="Run the audit" main />
      </Card>
    </>
  ),
});

const Balanced = ({ balanced, difference }: { balanced: boolean; difference: number }) =>
  balanced ? (
    <Badge state="balanced" kind="yours" />
  ) : (
    <>
      <Badge state="not balanced" kind="owed" /> {usdOf(difference)} too much
    </>
  );

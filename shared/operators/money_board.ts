import { findBooks, type AccountBalance } from '../ledger/platform_accounts.ts';
import { toUsd } from '../ledger/money.ts';
import { operation } from '../kernel/operation.ts';
import { Amount, Input, Nullable, Output, Time, Type } from '../kernel/schema.ts';
import { column, nullable, rows } from '../platform/rows.ts';

/** Timers run each minute: what is later than this was forgotten. */
const OVERDUE = `interval '5 minutes'`;

export const moneyBoard = operation({
  name: 'money_board',
  title: 'Show where all money is',
  summary:
    'Operators: shows in one snapshot what every sort of account holds, that it is nothing in ' +
    'all, and what the escrows are held for, with what is overdue.',
  access: 'operator',
  mode: 'read',
  costly: true,
  domain: 'operators',
  rest: 'GET /api/v1/admin/money',
  tool: false,
  input: Input({}),
  output: Output('MoneyBoard', {
    as_of: Time('The moment of the snapshot.'),
    balanced: Type.Boolean({ description: 'All accounts hold nothing in all, of both funds.' }),
    difference: Amount('What they hold in all: 0, or the books are wrong.'),
    accounts: Type.Array(
      Output({
        account: Type.String({ description: 'As treasuries, escrow, revenue: fees.' }),
        credit: Amount('Credit in it.'),
        cash: Amount('Cash in it; below 0: what came in through it.'),
        count: Nullable(
          Type.Integer({ description: 'How many trees hold it; null: one account.' }),
        ),
      }),
      { maxItems: 100, description: 'Where money is.' },
    ),
    escrows: Type.Array(
      Output({
        kind: Type.String({ description: 'What they are held for.' }),
        count: Type.Integer({ description: 'How many are open.' }),
        amount: Amount('What they hold.'),
        oldest_at: Nullable(Time('When the oldest was made; null: there is none.')),
        overdue: Type.Integer({ description: 'Whose time is over for five minutes and more.' }),
      }),
      { maxItems: 10, description: 'What the escrows are held for.' },
    ),
    unexplained: Amount('What the escrows hold that none of these is about: 0.'),
  }),

  async handle({ db }) {
    // The first statement takes the snapshot of all that follow.
    const objects = await rows(db, OBJECT, OBJECTS);
    const { treasuries, escrow, receivable, accounts } = await findBooks(db);
    const own = [
      { name: 'treasuries', ...treasuries },
      { name: 'escrow', ...escrow },
      { name: 'receivable', credit: 0n, ...receivable },
    ];
    const all: (AccountBalance & { count?: number })[] = [...own, ...accounts];
    const credit = all.reduce((sum, one) => sum + one.credit, 0n);
    const cash = all.reduce((sum, one) => sum + one.cash, 0n);
    const explained = objects.reduce((sum, { amount }) => sum + amount, 0n);
    return {
      as_of: objects[0]!.as_of.toISOString(),
      balanced: credit === 0n && cash === 0n,
      difference: toUsd(credit + cash),
      accounts: all.map((one) => ({
        account: one.name,
        credit: toUsd(one.credit),
        cash: toUsd(one.cash),
        count: one.count ?? null,
      })),
      escrows: objects.map(({ kind, count, amount, oldest_at, overdue }) => ({
        kind,
        count,
        amount: toUsd(amount),
        oldest_at: oldest_at?.toISOString() ?? null,
        overdue,
      })),
      unexplained: toUsd(escrow.credit + escrow.cash - explained),
    };
  },
});

const OBJECT = {
  kind: column.text,
  count: column.int,
  amount: column.micros,
  oldest_at: nullable(column.time),
  overdue: column.int,
  as_of: column.time,
};

/** Each reads an index of what is open. */
const OBJECTS = `
  select kind, count::int, coalesce(amount, 0)::bigint as amount, oldest_at, overdue::int,
         now() as as_of
    from (
      select 1 as place, 'orders' as kind, count(*) as count, sum(subtotal + fee) as amount,
             min(created_at) as oldest_at,
             count(*) filter (where release_at < now() - ${OVERDUE}) as overdue
        from orders where status = 'escrow'
      union all
      select 2, 'disputed orders', count(*), sum(o.subtotal + o.fee), min(d.opened_at),
             count(*) filter (where d.responded_at is null and d.respond_by < now() - ${OVERDUE})
        from dispute d join orders o on o.id = d.order_id where d.closed_at is null
      union all
      select 3, 'tasks', count(*), sum(budget), min(created_at),
             count(*) filter (where deadline < now() - ${OVERDUE})
        from task where status in ('open', 'assigned', 'submitted', 'revision_requested',
                                   'rejected', 'disputed')
      union all
      select 4, 'labor', count(*), sum(held.amount), min(t.created_at),
             count(*) filter (where t.status in ('open', 'paused')
                                and t.due_at < now() - ${OVERDUE})
        from labor_task t cross join lateral (
          select sum(credit + cash - paid) as amount from labor_escrow where task_id = t.id) held
       where t.closed_at is null
      union all
      select 5, 'withdrawals', count(*), sum(amount), min(created_at), 0
        from withdrawal where closed_at is null) objects
   order by place`;

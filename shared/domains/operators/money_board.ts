import { ClosedTreasury, findClosedTreasuries } from '../ledger/closed_treasuries.ts';
import { findBooks, type AccountBalance } from '../ledger/platform_accounts.ts';
import { fromUsd, toUsd } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import { Amount, Input, Nullable, Output, Time, Type } from '../../kernel/schema.ts';
import { field, view } from '../../kernel/view.ts';
import { column, rows } from '../../platform/rows.ts';

/** Timers run each minute, so an object overdue for longer than this was forgotten. */
const OVERDUE = `interval '5 minutes'`;

const CLOSED_MAX = 50;

const ESCROWS = view({
  kind: field.text('Kind of object they are held for.'),
  count: field.whole('Open objects.'),
  amount: field.amount('Money in their escrows.'),
  oldest_at: field.orNull(field.time('Creation of the oldest; null: there is none.')),
  overdue: field.whole('Objects overdue for five minutes or more.'),
});

export const moneyBoard = operation({
  name: 'money_board',
  title: 'Show all money by account',
  summary:
    'Operators: shows in one snapshot the balances of all accounts, whether their sum is zero, ' +
    'what the escrows are held for, with what is overdue, and what came for closed accounts.',
  access: 'operator',
  mode: 'read',
  reads: { costly: true },
  rest: 'GET /api/v1/admin/money',
  bindings: { tool: false },
  input: Input({}),
  output: Output('MoneyBoard', {
    as_of: Time('The moment of the snapshot.'),
    balanced: Type.Boolean({ description: 'Whether the sum of all accounts is 0, in both funds.' }),
    difference: Amount('Sum of all accounts: 0, or the books are wrong.'),
    accounts: Type.Array(
      Output({
        account: Type.String({ description: 'As treasuries, escrow, revenue: fees.' }),
        credit: Amount('Credit in it.'),
        cash: Amount('Cash in it; below 0: money received through it.'),
        count: Nullable(Type.Integer({ description: 'Trees that hold it; null: one account.' })),
      }),
      { maxItems: 100, description: 'All accounts.' },
    ),
    escrows: Type.Array(ESCROWS.schema, {
      maxItems: 10,
      description: 'Escrows by the kind of object they are held for.',
    }),
    unexplained: Amount('Money in escrows of none of these kinds: 0, or the books are wrong.'),
    closed_accounts: Type.Array(ClosedTreasury.schema, {
      maxItems: CLOSED_MAX,
      description:
        'Closed accounts that hold as much cash as can be withdrawn, the most first: it came ' +
        'after their closing.',
    }),
  }),

  async handle({ db, config }) {
    // The first statement takes the snapshot of all that follow.
    const objects = await rows(db, { ...ESCROWS.columns, as_of: column.time }, OBJECTS);
    const { treasuries, escrow, receivable, accounts } = await findBooks(db);
    const own = [
      { name: 'treasuries', ...treasuries },
      { name: 'escrow', ...escrow },
      { name: 'receivable', credit: 0n, ...receivable },
    ];
    const all: (AccountBalance & { count?: number })[] = [...own, ...accounts];
    const credit = all.reduce((sum, one) => sum + one.credit, 0n);
    const cash = all.reduce((sum, one) => sum + one.cash, 0n);
    const cashMin = fromUsd(config.withdrawals.min);
    const late = await findClosedTreasuries(db, { cashMin, max: CLOSED_MAX });
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
      escrows: objects.map(ESCROWS.show),
      unexplained: toUsd(escrow.credit + escrow.cash - explained),
      closed_accounts: late.map(ClosedTreasury.show),
    };
  },
});

/** SQL: each part reads an index of the open objects. */
const OBJECTS = `
  select kind, count::int, coalesce(amount, 0)::bigint as amount, oldest_at, overdue::int,
         now() as as_of
    from (
      select 1 as place, 'orders' as kind, count(*) as count, sum(subtotal + fee) as amount,
             min(created_at) as oldest_at,
             count(*) filter (where coalesce(a.access_by, release_at) < now() - ${OVERDUE})
               as overdue
        from orders o left join order_access a on a.order_id = o.id where status = 'escrow'
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

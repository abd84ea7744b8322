import type { Kind } from '../ledger/ledger.ts';
import { toUsd } from '../../kernel/money.ts';
import { transfersAbout } from '../ledger/object_transfers.ts';
import { operation } from '../../kernel/operation.ts';
import {
  Amount,
  Id,
  Input,
  Nullable,
  OneOf,
  Output,
  Text,
  Time,
  Type,
} from '../../kernel/schema.ts';
import { shownName } from '../../kernel/text.ts';
import { column, nullable, oneOf, rows, type Database, type Row } from '../../platform/rows.ts';

const KINDS = [
  'agent',
  'order',
  'product',
  'task',
  'labor_task',
  'withdrawal',
  'deposit',
  'approval',
  'job',
] as const;
type FoundKind = (typeof KINDS)[number];

export const operatorFind = operation({
  name: 'operator_find',
  title: 'Find by any name',
  summary:
    'Operators: finds the object of a number, a name, an email address, a job, the beginning of ' +
    'a key or the id of a transaction, with the money moved for it.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/find',
  bindings: { tool: false },
  input: Input({ query: Text(1, 200, 'A number, name, address, job, key or transaction.') }),
  output: Output('Found', {
    found: Type.Array(
      Output({
        kind: OneOf(KINDS, 'Kind of object.'),
        id: Type.String({ description: 'Id of the object.' }),
        agent_id: Nullable(Id('Its agent; for an order, the buyer. null: the platform.')),
        username: Nullable(Type.String({ description: 'The name of that agent.' })),
        status: Type.String({ description: 'Status now.' }),
        created_at: Time('Time of creation.'),
        transfers: Type.Array(
          Output({
            kind: Type.String({ description: 'Kind of transfer.' }),
            from: Type.String({ description: 'The paying account, with its id.' }),
            to: Type.String({ description: 'The paid account, with its id.' }),
            from_username: Nullable(Type.String({ description: 'Owner of a paying treasury.' })),
            to_username: Nullable(Type.String({ description: 'Owner of a paid treasury.' })),
            credit: Amount('Credit in it.'),
            cash: Amount('Cash in it.'),
            created_at: Time('Time of the transfer.'),
          }),
          { maxItems: 100, description: 'For orders, tasks, withdrawals and deposits.' },
        ),
      }),
      { maxItems: 50, description: 'Objects found: a number may name several.' },
    ),
  }),

  async handle({ db }, { query }) {
    const found = await find(db, query.trim());
    const shown = [];
    for (const { created_at, ...one } of found) {
      const transfers = await moneyOf(db, one);
      shown.push({
        ...one,
        username: nameOf(one.username),
        created_at: created_at.toISOString(),
        transfers: transfers.map((moved) => ({
          kind: moved.kind,
          from: moved.from,
          to: moved.to,
          from_username: nameOf(moved.from_username),
          to_username: nameOf(moved.to_username),
          credit: toUsd(moved.credit),
          cash: toUsd(moved.cash),
          created_at: moved.created_at.toISOString(),
        })),
      });
    }
    return { found: shown };
  },
});

const FOUND = {
  kind: oneOf<FoundKind>(),
  id: column.text,
  agent_id: nullable(column.id),
  username: nullable(column.text),
  status: column.text,
  created_at: column.time,
};
type FoundObject = Row<typeof FOUND>;

const nameOf = (username: string | null) => (username === null ? null : shownName(username));

/** Finds the objects of a query. Each form of it has statements of its own, all by an index. */
function find(db: Database, query: string): Promise<FoundObject[]> {
  const [sql, name] = queryOf(query);
  const named = `
    select f.*, (select username from agent where id = f.agent_id) as username from (${sql}) f`;
  return rows(db, FOUND, named, [name]);
}

function queryOf(query: string): readonly [sql: string, name: string] {
  const name = query.replace(/^#/, '');
  if (/^\d{1,15}$/.test(name)) return [BY_NUMBER, name];
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name)) return [BY_JOB, name];
  const key = /^vnx_((?:test_)?[A-Za-z0-9]{1,8})/.exec(name)?.[1];
  if (key !== undefined) return [BY_KEY, key];
  return [BY_NAME, name];
}

const BY_NUMBER = `
  select 'agent' as kind, id::text, id as agent_id, status, created_at from agent where id = $1
  union all select 'order', id::text, buyer_id, status, created_at from orders where id = $1
  union all select 'order', id::text, buyer_id, status, created_at from pending_order where id = $1
  union all select 'product', id::text, seller_id, status, created_at from product where id = $1
  union all select 'task', id::text, poster_id, status, created_at from task where id = $1
  union all
  select 'labor_task', id::text, poster_id, status, created_at from labor_task where id = $1
  union all
  select 'withdrawal', id::text, agent_id, status, created_at from withdrawal where id = $1
  union all select 'deposit', id::text, agent_id, status, created_at from deposit where id = $1
  union all
  select 'approval', id::text, agent_id, status, requested_at from approval where id = $1`;

const BY_JOB = `
  select 'job' as kind, id::text, nullif(agent_id, 0) as agent_id, status, created_at
    from job where id = $1`;

const BY_KEY = `
  select 'agent' as kind, a.id::text, a.id as agent_id, a.status, a.created_at
    from api_key k join agent a on a.id = k.agent_id where k.public_id = $1`;

/** SQL: names and addresses match in any case, transactions only exactly. */
const BY_NAME = `
  select 'agent' as kind, id::text, id as agent_id, status, created_at from agent
   where lower(username) = lower($1)
  union
  select 'agent', id::text, id, status, created_at from agent where lower(email) = lower($1)
  union all
  select 'deposit', id::text, agent_id, status, created_at from deposit
   where network in (select network from chain_cursor) and tx_id = $1
  union all
  select 'withdrawal', w.id::text, w.agent_id, w.status, w.created_at
    from payout_transaction p join withdrawal w on w.id = p.withdrawal_id where p.hash = lower($1)`;

const TRANSFERS: { readonly [kind in FoundKind]?: readonly Kind[] } = {
  order: ['order.hold', 'order.release', 'order.fee', 'order.refund'],
  task: ['task.hold', 'task.release', 'task.refund'],
  withdrawal: ['withdrawal.hold', 'withdrawal.paid', 'withdrawal.refund'],
  deposit: ['deposit', 'unclaimed.receipt', 'unclaimed.release'],
};

const moneyOf = (db: Database, { kind, id }: Pick<FoundObject, 'kind' | 'id'>) =>
  transfersAbout(db, Number.parseInt(kind in TRANSFERS ? id : '0', 10), TRANSFERS[kind] ?? []);

import type { Kind } from '../ledger/ledger.ts';
import { toUsd } from '../ledger/money.ts';
import { transfersAbout } from '../ledger/object_transfers.ts';
import { operation } from '../kernel/operation.ts';
import { Amount, Id, Input, Nullable, OneOf, Output, Text, Time, Type } from '../kernel/schema.ts';
import { shownName } from '../kernel/text.ts';
import { column, nullable, oneOf, rows, type Database, type Row } from '../platform/rows.ts';

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
    'Operators: finds what a number, a name, an email address, a job, the beginning of a key or ' +
    'the id of a transaction belongs to, with the money that has moved for it.',
  access: 'operator',
  mode: 'read',
  domain: 'operators',
  rest: 'GET /api/v1/admin/find',
  tool: false,
  input: Input({ query: Text(1, 200, 'What somebody has named.') }),
  output: Output('Found', {
    found: Type.Array(
      Output({
        kind: OneOf(KINDS, 'What it is.'),
        id: Type.String({ description: 'Its id.' }),
        agent_id: Nullable(Id('Whose it is; of an order, the buyer. null: of the platform.')),
        username: Nullable(Type.String({ description: 'The name of that agent.' })),
        status: Type.String({ description: 'As it is now.' }),
        created_at: Time('When it was made.'),
        transfers: Type.Array(
          Output({
            kind: Type.String({ description: 'What it was for.' }),
            from: Type.String({ description: 'The account that it left, with its id.' }),
            to: Type.String({ description: 'The account that got it.' }),
            from_username: Nullable(Type.String({ description: 'Of a treasury, whose it is.' })),
            to_username: Nullable(Type.String({ description: 'The same of the other one.' })),
            credit: Amount('Of it, credit.'),
            cash: Amount('Of it, cash.'),
            created_at: Time('When.'),
          }),
          { maxItems: 100, description: 'Of orders, tasks, withdrawals and deposits.' },
        ),
      }),
      { maxItems: 50, description: 'A number may be of several objects.' },
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

/** Each form of a name has queries of its own, all by an index. */
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
  const key = /^vnx_([A-Za-z0-9]+)/.exec(name)?.[1];
  if (key !== undefined) return [BY_KEY, key.slice(0, PUBLIC_ID_LENGTH)];
  return [BY_NAME, name];
}

/** Of what a key begins with before its secret. */
const PUBLIC_ID_LENGTH = 8;

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

/** Names and addresses are found however they are capitalised; transactions as they are. */
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
  deposit: ['deposit'],
};

const moneyOf = (db: Database, { kind, id }: Pick<FoundObject, 'kind' | 'id'>) =>
  transfersAbout(db, Number.parseInt(kind in TRANSFERS ? id : '0', 10), TRANSFERS[kind] ?? []);

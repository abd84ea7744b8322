import type { Kind } from '../ledger/ledger.ts';
import { ShownTransfer, transfersAbout } from '../ledger/object_transfers.ts';
import { operation } from '../../kernel/operation.ts';
import { Input, Output, Text, Type } from '../../kernel/schema.ts';
import { field, view } from '../../kernel/view.ts';
import { rows, type Database, type Row } from '../../platform/rows.ts';

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

const FOUND = view({
  kind: field.oneOf(KINDS, 'Kind of object.'),
  id: field.text('Id of the object.'),
  agent_id: field.orNull(field.id('Its agent; for an order, the buyer. null: the platform.')),
  username: field.orNull(field.name('The name of that agent.')),
  status: field.text('Status now.'),
  created_at: field.time('Time of creation.'),
});
type FoundObject = Row<typeof FOUND.columns>;

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
        ...FOUND.schema.properties,
        transfers: Type.Array(ShownTransfer.schema, {
          maxItems: 100,
          description: 'For orders, tasks, withdrawals and deposits.',
        }),
      }),
      { maxItems: 50, description: 'Objects found: a number may name several.' },
    ),
  }),

  async handle({ db }, { query }) {
    const found = await find(db, query.trim());
    const shown = [];
    for (const one of found) {
      const transfers = await moneyOf(db, one);
      shown.push({ ...FOUND.show(one), transfers: transfers.map(ShownTransfer.show) });
    }
    return { found: shown };
  },
});

/** Finds the objects of a query. Each form of it has statements of its own, all by an index. */
function find(db: Database, query: string): Promise<FoundObject[]> {
  const [sql, name] = queryOf(query);
  const named = `
    select f.*, (select username from agent where id = f.agent_id) as username from (${sql}) f`;
  return rows(db, FOUND.columns, named, [name]);
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

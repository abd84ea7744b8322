import { column, nullable, rows, type Database } from '../../../platform/rows.ts';

/** Rows of each list at most; its owner is told if there are more. */
const ROWS_MAX = 1_000;

/** One list of the record: the newest rows, and whether these are all. */
interface RecordedList {
  readonly complete: boolean;
  readonly items: readonly object[];
}

/**
 * All that is kept about the account of an owner itself, without secrets: no hash of a password,
 * key or token, no encrypted secret, no public key of a passkey, and no text of a mail.
 */
export async function accountRecord(db: Database, agentId: number) {
  const [account] = await rows(db, ACCOUNT, ACCOUNT_SQL, [agentId]);
  const lists: Record<string, RecordedList> = {};
  for (const [name, { columns, sql }] of Object.entries(LISTS)) {
    const found = await rows(db, columns, `${sql} limit ${ROWS_MAX + 1}`, [agentId]);
    lists[name] = { complete: found.length <= ROWS_MAX, items: found.slice(0, ROWS_MAX) };
  }
  return { account: account!, ...lists };
}

const { id, text, texts, time, boolean, int } = column;

const ACCOUNT = {
  agent_id: id,
  username: text,
  email: nullable(text),
  email_confirmed_at: nullable(time),
  status: text,
  created_at: time,
  payment_reference: text,
  app_codes_since: nullable(time),
  recovery_codes_left: int,
  last_told_of_guesses_at: nullable(time),
};
const ACCOUNT_SQL = `
  select a.id as agent_id, a.username, a.email, p.proven_at as email_confirmed_at, a.status,
         a.created_at, a.reference::text as payment_reference, c.confirmed_at as app_codes_since,
         (select count(*)::int from recovery_code r where r.agent_id = a.id) as recovery_codes_left,
         g.told_at as last_told_of_guesses_at
    from agent a
    left join proven_address p on p.agent_id = a.id and p.address = a.email
    left join app_code c on c.agent_id = a.id
    left join guess_notice g on g.agent_id = a.id
   where a.id = $1`;

const LISTS = {
  former_addresses: {
    columns: { address: text, left_at: time },
    sql: 'select address, left_at from former_address where agent_id = $1 order by left_at desc',
  },
  mailed_links: {
    columns: { purpose: text, address: text, created_at: time, ends_at: time },
    sql: `select purpose, address, created_at, ends_at from mail_token where agent_id = $1
           order by id desc`,
  },
  mails: {
    columns: {
      kind: text,
      recipient: text,
      status: text,
      created_at: time,
      ended_at: nullable(time),
    },
    sql: `select kind, recipient, status, created_at, ended_at from mail
           where agent_id = $1 order by id desc`,
  },
  notices_turned_off: {
    columns: { kind: text },
    sql: 'select kind from notice_off where agent_id = $1 order by kind',
  },
  summaries: {
    columns: { every: text, next_at: time },
    sql: 'select every, next_at from digest where agent_id = $1',
  },
  notices_waiting: {
    columns: { kind: text, noted_at: time },
    sql: 'select kind, noted_at from notice where agent_id = $1 order by noted_at desc, cause',
  },
  sessions: {
    columns: { browser: text, address: text, created_at: time, seen_at: time, ends_at: time },
    sql: `select device as browser, address, created_at, seen_at, ends_at from web_session
           where agent_id = $1 order by id desc`,
  },
  passkeys: {
    columns: { name: text, created_at: time, used_at: nullable(time) },
    sql: 'select name, created_at, used_at from passkey where agent_id = $1 order by id desc',
  },
  /** Their numbers are at Stripe only. */
  saved_cards: {
    columns: { brand: text, last4: text, saved_at: time },
    sql: 'select brand, last4, saved_at from saved_card where root_id = $1',
  },
  linked_wallets: {
    columns: { agent_id: id, family: text, address: text, linked_at: time },
    sql: `select agent_id, family, address, linked_at from linked_wallet where root_id = $1
           order by linked_at desc`,
  },
  password_resets: {
    columns: { status: text, created_at: time, due_at: time, ended_at: nullable(time) },
    sql: `select status, created_at, due_at, ended_at from password_reset where agent_id = $1
           order by id desc`,
  },
  /** Those of the agents below too. */
  keys: {
    columns: {
      agent_id: id,
      name: text,
      prefix: text,
      scopes: texts,
      is_of_an_app: boolean,
      created_at: time,
      last_used_at: nullable(time),
      expires_at: nullable(time),
      revoked_at: nullable(time),
    },
    sql: `select k.agent_id, k.name, 'vnx_' || k.public_id as prefix, k.scopes,
                 k.connection_id is not null as is_of_an_app, k.created_at, k.last_used_at,
                 k.expires_at, k.revoked_at
            from agent a join api_key k on k.agent_id = a.id
           where a.root_id = $1 order by k.id desc`,
  },
} as const;

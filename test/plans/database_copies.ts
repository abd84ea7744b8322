import type { TestPlatform } from '../harness.ts';
import { withoutTriggers } from './superuser.ts';

/** Distance between the ids of two copies: more than a scene draws. */
const APART = 1_000_000;
/** SQL: what is added to an id. `copy` counts from 1. */
const SHIFT = `${APART} * copy`;

/** Tables of the platform itself, which is not copied. */
const PLATFORM_TABLES = [
  'account_sum',
  'asset_price',
  'chain_balance',
  'chain_balance_page',
  'chain_cursor',
  'chain_provider_day',
  'database_timeline',
  'dispatch_watermark',
  'event_watermark',
  'fingerprint_key',
  'goodwill_day',
  'limit_window',
  'master_key_canary',
  'migration_hash',
  'migrations',
  'money_watermark',
  'notice_watermark',
  'proxy',
  'proxy_check_slot',
  'proxy_source',
  'receipt',
  'receipt_day',
  'receipt_head',
  'receipt_key',
  'receipt_watermark',
  'record_watermark',
  'route',
  'search_word',
  'stripe_cursor',
  'welcome_credit',
  'x402_cursor',
  'x402_facilitator',
];
/** Tables that count for a limit what all agents were given. */
const GRANTED = ['goodwill_day', 'welcome_credit'];

/** Names of columns that hold ids. */
const IDS = new RegExp(
  '^(id|ref|index|position|types_from|set_by|sent_by|written_by|decided_by|policy_of|reserved_for)$|' +
    '_(id|root)$',
);
const NOT_IDS = new Set(['chain_id', 'account_id', 'proxy_id']);
/** Names of columns with unique texts and hashes, and of columns that repeat them. */
const UNIQUE_TEXTS = new RegExp(
  '^(username|email|public_id|(tx_|session_|payment_)?id|(tx_)?hash|address|payer|sender|' +
    'recipient|nonce|reference|key|mint|mailbox)$',
);
/** SQL for other columns, by table and name. */
const OTHERS: Readonly<Record<string, string>> = {
  // The accounts of the platform itself have no root.
  'ledger.transfer.from_id': `t.from_id + case when t.from_root is null then 0 else ${SHIFT} end`,
  'ledger.transfer.to_id': `t.to_id + case when t.to_root is null then 0 else ${SHIFT} end`,
  'job.cause': `t.cause || '~' || copy`,
  'job.deferral': `case when t.deferral ->> 'approval_id' is null then t.deferral
    else json_build_object('approval_id', (t.deferral ->> 'approval_id')::bigint + ${SHIFT}) end`,
  'audit_log.input': `case when t.input ->> 'reference' is null then t.input
    else jsonb_set(t.input, '{reference}', to_jsonb((t.input ->> 'reference') || '~' || copy))
    end`,
  'audit_log.object_id': `case when t.object_id ~ '^[0-9]+$'
    then (t.object_id::bigint + ${SHIFT})::text else t.object_id || '~' || copy end`,
};

interface Column {
  readonly name: string;
  readonly type: string;
}

/**
 * Adds copies of all agents and of all that they have. The rows of a copy refer to each other as
 * the first ones do, so what is true of every row stays true.
 */
export async function addCopies(platform: TestPlatform, count: number): Promise<void> {
  const tables: { name: string; columns: Column[] }[] = await platform.query(
    `select c.oid::regclass::text as name, jsonb_agg(jsonb_build_object(
              'name', a.attname, 'type', format_type(a.atttypid, null))) as columns
       from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace::regnamespace::text in ('public', 'ledger') and c.relkind = 'r'
        and not c.relispartition and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        and c.relname <> all ($1)
      group by c.oid`,
    [PLATFORM_TABLES],
  );
  const checks: { sql: string }[] = await platform.query(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as sql
       from pg_constraint where contype = 'c' and conrelid <> 0 and coninhcount = 0
        and connamespace::regnamespace::text in ('public', 'ledger')`,
  );
  const inserts = tables.map(({ name, columns }) => {
    const into = columns.map((column) => `"${column.name}"`).join(', ');
    const values = columns.map((column) => valueOf(name, column)).join(', ');
    return `insert into ${name} (${into}) overriding system value
            select ${values} from ${name} t, generate_series(1, ${count}) copy`;
  });
  const sql = [
    // Triggers that are on for a superuser's copies, too.
    'alter table ledger.transfer disable trigger user',
    'alter table ledger.treasury disable trigger user',
    'alter table stock disable trigger user',
    // A copied text is longer than its check allows. No plan depends on a check.
    ...checks.map((check) => check.sql),
    ...inserts,
    // The copies of what was paid by x402 are paid to the same address.
    `update x402_cursor set held = base_held + (
       select coalesce(sum(amount), 0) from x402_transfer
        where block_number > base_block and block_number <= held_block) - (
       select coalesce(sum(amount), 0) from x402_sent
        where block_number > base_block and block_number <= held_block)`,
    ...GRANTED.map((table) => `update ${table} set granted = granted * (1 + ${count})`),
    'analyze',
  ];
  await withoutTriggers(platform, sql.join(';\n'));
}

/** SQL: the value of this column in a copy of row t. */
function valueOf(table: string, { name, type }: Column): string {
  const other = OTHERS[`${table}.${name}`];
  if (other !== undefined) return other;
  const value = `t."${name}"`;
  if (type === 'bigint' && IDS.test(name) && !NOT_IDS.has(name)) {
    return `case when ${value} = 0 then 0 else ${value} + ${SHIFT} end`; // 0 is the platform
  }
  if (type === 'bigint[]') return `array(select id + ${SHIFT} from unnest(${value}) id)`;
  if (type === 'uuid') return `md5(${value}::text || copy)::uuid`;
  if (type === 'bytea' && UNIQUE_TEXTS.test(name)) return `sha256(${value} || copy::text::bytea)`;
  if (type === 'text' && UNIQUE_TEXTS.test(name)) return `${value} || '~' || copy`;
  return value;
}

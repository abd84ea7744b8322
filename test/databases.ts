import type { Socket } from 'node:net';

import pg from 'pg';
import { migrateAt } from '../migrations/owner.ts';

/** A name is given where a run finds a template of the run before it (test/mutations). */
const { TEST_POSTGRES_URL, TEST_TEMPLATE } = process.env;
const TEMPLATE = TEST_TEMPLATE ?? `template_${process.pid}`;

/** Migrated once a server; every platform then copies the result, which takes milliseconds. */
const templates = new Map<string, Promise<void>>();
export async function copyTemplate(postgres: string, name: string): Promise<void> {
  let template = templates.get(postgres);
  const isMade = TEST_TEMPLATE !== undefined && postgres === TEST_POSTGRES_URL;
  if (!template) templates.set(postgres, (template = isMade ? done : makeTemplate(postgres)));
  await template;
  await admin(
    postgres,
    `create database ${name} template ${TEMPLATE} owner market_owner
     strategy file_copy`,
  );
}

const done = Promise.resolve();

export async function makeTemplate(postgres: string): Promise<void> {
  await admin(postgres, `create database ${TEMPLATE} owner market_owner`);
  await migrateAt({
    owner: urlAs(postgres, TEMPLATE, 'market_owner'),
    application: urlAs(postgres, TEMPLATE, 'market_app'),
  });
}

export function urlAs(
  postgres: string,
  database: string,
  role: 'market_owner' | 'market_app',
): string {
  const url = new URL(postgres);
  url.pathname = `/${database}`;
  url.username = role;
  url.password =
    process.env[role === 'market_owner' ? 'TEST_OWNER_PASSWORD' : 'TEST_APP_PASSWORD']!;
  return url.href;
}

/** One statement of the superuser. The connection is kept: one costs more than most statements. */
export async function admin(postgres: string, sql: string): Promise<void> {
  const client = await adminOf(postgres);
  client.ref();
  try {
    await client.query(sql);
  } finally {
    client.unref();
  }
}

/** The types leave two methods out. */
type Admin = pg.Client & Pick<Socket, 'ref' | 'unref'>;
const admins = new Map<string, Promise<Admin>>();

function adminOf(postgres: string): Promise<Admin> {
  const kept = admins.get(postgres);
  if (kept) return kept;
  const client = new pg.Client({ connectionString: postgres }) as Admin;
  const forget = () => admins.delete(postgres);
  // The connection ends with its server, which a test may stop.
  client.on('error', forget).on('end', forget);
  const connected = client.connect().then(() => client);
  connected.catch(forget);
  admins.set(postgres, connected);
  return connected;
}

import { hash, timingSafeEqual } from 'node:crypto';

import type { Context } from '../../../composition/context.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { transact } from '../../../platform/database.ts';
import { column, rows } from '../../../platform/rows.ts';
import { startSession, type Browser } from './sessions.ts';

const digestOf = (text: string) => hash('sha256', text, 'buffer');

/**
 * Signs in the operator of `npm start` by the link that it printed. A link works once, for a day,
 * and not in production, where there is none. That it was used is in the database: a process that
 * is started again knows it too. Returns the token of the session.
 */
export async function signInByLink(
  { database, config, clock }: Pick<Context, 'database' | 'config' | 'clock'>,
  code: string,
  browser: Browser,
): Promise<string> {
  const { startLink: link, operators } = config.agents;
  if (!link || !timingSafeEqual(digestOf(code), digestOf(link.code))) throw over();
  if (clock.now() > link.endsAt) throw over();
  return transact(database, async (db) => {
    const used = await rows(
      db,
      { id: column.id },
      'insert into start_link (hash) values ($1) on conflict do nothing returning id',
      [digestOf(code)],
    );
    if (used.length === 0) throw over();
    return startSession(db, { operator: operators[0]!.name }, browser);
  });
}

/** Whether somebody has signed in by this code before. */
export async function isUsed({ database }: Pick<Context, 'database'>, code: string) {
  const sql = 'select id from start_link where hash = $1';
  return (await rows(database, { id: column.id }, sql, [digestOf(code)])).length > 0;
}

const over = () =>
  new Refusal(
    'invalid_key',
    'This link was used before, or is over. Start npm start again: it prints another one.',
  );

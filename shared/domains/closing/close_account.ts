import { randomUUID } from 'node:crypto';

import { endConnection } from '../connections/end_connection.ts';
import { findSavedCard } from '../deposits/card/saved_card.ts';
import { forgetCards } from '../deposits/card/forget_cards.ts';
import { setStatus } from '../policies/suspension.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, execute, rows } from '../../platform/rows.ts';
import { obstaclesOf } from './obstacles.ts';

/**
 * Closes the account of the caller, a root, for good: nobody acts for its tree any more, nothing of
 * it is on sale, and what names the person is gone. The books stay. Refuses while money or work is
 * open; then nothing is changed.
 */
export async function closeAccount(tx: Tx): Promise<void> {
  const { db, config } = tx;
  const { rootId } = tx.caller;
  // Takes the lock of the tree: a purchase or a payment comes before, and is seen below, or after,
  // and finds a suspended tree. What comes in after all stays in the books of this account.
  await setStatus(tx, rootId, 'suspended', { note: 'Its owner has closed the account.' });
  // A key or an agent that is being made is made before, and ended below, or finds its maker's end.
  await execute(db, 'select from agent where root_id = $1 order by id for no key update', [rootId]);
  await execute(db, 'select from product where root_id = $1 order by id for no key update', [
    rootId,
  ]);
  await execute(
    db,
    `update product set active = false, status = 'archived', review_note = null
      where root_id = $1 and (active or status <> 'archived')`,
    [rootId],
  );
  // Last, so that it sees what ended while this waited for its locks.
  const obstacles = await obstaclesOf(db, config, rootId);
  if (obstacles.length > 0) throw new Refusal('invalid_transition', STILL_OPEN, { obstacles });
  await endAccess(tx, rootId);
  await erase(tx, rootId);
}

const STILL_OPEN = 'Nothing was changed. The account can be closed when what is listed has ended.';

/** Ends all by which anybody acts for the tree. */
async function endAccess(tx: Tx, rootId: number): Promise<void> {
  const { db } = tx;
  const connections = await rows(
    db,
    { id: column.id, agent_id: column.id },
    'select id, agent_id from connection where root_id = $1 and revoked_at is null order by id',
    [rootId],
  );
  for (const { id, agent_id: agentId } of connections) await endConnection(db, { id, agentId });
  const saved = await findSavedCard(db, rootId);
  if (saved && tx.config.deposits.card) {
    await tx.enqueue(forgetCards, { customer_id: saved.customerId }, { cause: 'forget_cards' });
  }
  for (const sql of [
    // Not now(), which may be old: other processes look only 30 s back for revocations.
    `update api_key set revoked_at = clock_timestamp()
      where agent_id in (select id from agent where root_id = $1) and revoked_at is null`,
    'delete from proxy_key where agent_id in (select id from agent where root_id = $1)',
    'delete from web_session where root_id = $1',
    'delete from passkey where agent_id = $1',
    'delete from app_code where agent_id = $1',
    'delete from recovery_code where agent_id = $1',
    'delete from password_reset where agent_id = $1',
    'delete from webhook where root_id = $1',
    'update auto_recharge set enabled = false where root_id = $1',
    'delete from saved_card where root_id = $1',
  ]) {
    await execute(db, sql, [rootId]);
  }
}

/** Erases what names the person or says how to reach them. Names become numbers. */
async function erase({ db }: Tx, rootId: number): Promise<void> {
  for (const sql of [
    'delete from mail where agent_id = $1',
    'delete from mail_token where agent_id = $1',
    'delete from notice where agent_id = $1',
    'delete from notice_off where agent_id = $1',
    'delete from digest where agent_id = $1',
    'delete from proven_address where agent_id = $1',
    'delete from former_address where agent_id = $1',
    'delete from owner_setting where agent_id = $1',
    'delete from guess_notice where agent_id = $1',
    // It had its welcome credit: only that is remembered.
    `update welcome_mailbox set mailbox = welcome_digest(mailbox) where agent_id = $1`,
    // It is searched by its seller's name.
    `update product set seller_name = '' where root_id = $1 and seller_name <> ''`,
    // No name of an account begins so: see the pattern of register_agent.
    `update agent set username = '~closed-' || $1::bigint || '/agent-' || id
      where root_id = $1 and id <> $1`,
  ]) {
    await execute(db, sql, [rootId]);
  }
  await execute(
    db,
    `update agent set username = '~closed-' || $1::bigint, email = $2, password_hash = '',
                      closed_at = clock_timestamp()
      where id = $1`,
    // An address that nobody can have, and nobody can take before.
    [rootId, `${randomUUID()}@closed.invalid`],
  );
}

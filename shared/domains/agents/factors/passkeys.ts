import { createHash } from 'node:crypto';

import { Refusal } from '../../../kernel/refusal.ts';
import {
  column,
  execute,
  namesOf,
  nullable,
  rows,
  type Database,
  type Row,
} from '../../../platform/rows.ts';
import { holdOpenAccount } from '../account/open_account.ts';

const PASSKEYS_MAX = 20;

const COLUMNS = {
  id: column.id,
  agent_id: column.id,
  credential_id: column.text,
  public_key: column.bytes,
  counter: column.int,
  transports: column.texts,
  name: column.text,
  created_at: column.time,
  used_at: nullable(column.time),
};

/** A public key whose private key is on a device of an owner (WebAuthn). */
export type Passkey = Row<typeof COLUMNS>;

/** The passkeys of an owner, oldest first. */
export const listPasskeys = (db: Database, agentId: number): Promise<Passkey[]> =>
  rows(
    db,
    COLUMNS,
    `select ${namesOf(COLUMNS)} from passkey where agent_id = $1 order by id limit ${PASSKEYS_MAX}`,
    [agentId],
  );

/** Finds a passkey by the id that its device gave it. */
export async function findPasskey(
  db: Database,
  credentialId: string,
): Promise<Passkey | undefined> {
  const sql = `select ${namesOf(COLUMNS)} from passkey where credential_id = $1`;
  return (await rows(db, COLUMNS, sql, [credentialId]))[0];
}

type NewPasskey = Pick<
  Passkey,
  'agent_id' | 'credential_id' | 'public_key' | 'counter' | 'transports' | 'name'
>;

/** Adds a passkey. Refuses one that any owner has already, and more than twenty. */
export async function addPasskey(db: Database, passkey: NewPasskey): Promise<void> {
  const { agent_id: agentId, ...rest } = passkey;
  await execute(db, 'select from agent where id = $1 for no key update', [agentId]);
  await holdOpenAccount(db, agentId);
  if ((await listPasskeys(db, agentId)).length >= PASSKEYS_MAX) {
    throw new Refusal('forbidden', `An owner has at most ${PASSKEYS_MAX} passkeys.`);
  }
  const made = await rows(
    db,
    { id: column.id },
    `insert into passkey (agent_id, credential_id, public_key, counter, transports, name)
     values ($1, $2, $3, $4, $5, $6) on conflict (credential_id) do nothing returning id`,
    [agentId, rest.credential_id, rest.public_key, rest.counter, rest.transports, rest.name],
  );
  if (made.length === 0)
    throw new Refusal('invalid_transition', 'This passkey is already registered.');
}

/** Renames a passkey of this owner. */
export async function renamePasskey(
  db: Database,
  { id, agent_id: agentId, name }: Pick<Passkey, 'id' | 'agent_id' | 'name'>,
): Promise<void> {
  const sql = 'update passkey set name = $3 where id = $1 and agent_id = $2';
  if ((await execute(db, sql, [id, agentId, name])) === 0) throw notYours();
}

/** Deletes a passkey of this owner. */
export async function removePasskey(
  db: Database,
  { id, agent_id: agentId }: Pick<Passkey, 'id' | 'agent_id'>,
): Promise<void> {
  const sql = 'delete from passkey where id = $1 and agent_id = $2';
  if ((await execute(db, sql, [id, agentId])) === 0) throw notYours();
}

const notYours = () => new Refusal('not_found', 'You have no such passkey.');

/**
 * Records a use and the counter of the device. False: the counter is not higher than before, so the
 * passkey was cloned. A device without a counter sends 0 each time. A passkey that is synced is on
 * several devices, which count for themselves.
 */
export async function usePasskey(
  db: Database,
  { id }: Pick<Passkey, 'id'>,
  { counter, isSynced }: { readonly counter: number; readonly isSynced: boolean },
): Promise<boolean> {
  const used = await execute(
    db,
    `update passkey set counter = greatest(counter, $2), used_at = now()
      where id = $1 and (counter < $2 or (counter = 0 and $2 = 0) or $3)`,
    [id, counter, isSynced],
  );
  return used === 1;
}

/** Records that a challenge was answered. False: it was answered before. */
export async function takeAnswer(db: Database, challenge: string, endsAt: Date): Promise<boolean> {
  await execute(db, FORGET);
  const taken = await rows(
    db,
    { hash: column.bytes },
    `insert into answered_challenge (hash, ends_at) values ($1, $2)
     on conflict (hash) do nothing returning hash`,
    [createHash('sha256').update(challenge).digest(), endsAt],
  );
  return taken.length === 1;
}

const FORGET = `
  delete from answered_challenge where hash in (
    select hash from answered_challenge where ends_at < now() - interval '1 minute'
     order by ends_at limit 10 for update skip locked)`;

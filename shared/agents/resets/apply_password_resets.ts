import { operation } from '../../kernel/operation.ts';
import { Input, Output, Type } from '../../kernel/schema.ts';
import { column, rows, type Database } from '../../platform/rows.ts';
import { KEY_WORKS } from '../agents.ts';
import { applyReset, lockDueResets, stopReset } from './password_reset.ts';

const RESETS_MAX = 100;

export const applyPasswordResets = operation({
  name: 'apply_password_resets',
  title: 'Apply password resets',
  summary: 'Internal: gives owners the passwords whose 24 hours are over.',
  access: 'operator',
  mode: 'job',
  domain: 'agents',
  queue: 'timers',
  everyMs: 60_000,
  input: Input({}),
  output: Output({
    applied: Type.Integer({ description: 'How many took effect.' }),
    stopped: Type.Integer({ description: 'How many did not, because their key had ended.' }),
  }),

  async handle(tx) {
    const due = await lockDueResets(tx.db, RESETS_MAX);
    let applied = 0;
    for (const reset of due) {
      // Who revokes a stolen key has stopped what was asked for with it.
      if (await works(tx.db, reset.key_id)) {
        await applyReset(tx.db, reset);
        applied += 1;
      } else {
        await stopReset(tx.db, reset.agent_id);
      }
    }
    return { applied, stopped: due.length - applied };
  },
});

async function works(db: Database, keyId: number): Promise<boolean> {
  const sql = `select k.id from api_key k where k.id = $1 and ${KEY_WORKS}`;
  return (await rows(db, { id: column.id }, sql, [keyId])).length > 0;
}

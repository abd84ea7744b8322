import { timer } from '../../../jobs/timers/timer.ts';
import { Output, Type } from '../../../kernel/schema.ts';
import { column, rows, type Database } from '../../../platform/rows.ts';
import { KEY_WORKS } from '../agents.ts';
import { applyReset, lockDueResets, stopReset } from './password_reset.ts';

const RESETS_MAX = 100;

export const applyPasswordResets = timer({
  name: 'apply_password_resets',
  title: 'Apply password resets',
  summary: 'Internal: applies password resets that have waited 24 hours.',
  everyMs: 60_000,
  output: Output({
    applied: Type.Integer({ description: 'Number of resets applied.' }),
    stopped: Type.Integer({ description: 'Number of resets stopped because their key had ended.' }),
  }),

  async handle(tx) {
    const due = await lockDueResets(tx.db, RESETS_MAX);
    let applied = 0;
    for (const reset of due) {
      // Revoking a stolen key also stops the resets that were requested with it.
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

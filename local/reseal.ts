import { findKeyNeeds, reseal, type KeyNeed } from '../shared/composition/master_keys/reseal.ts';
import { BadSettings } from '../shared/platform/config/environment.ts';
import { databaseOf } from '../shared/platform/database.ts';
import { openSecrets } from '../shared/platform/secrets.ts';
import { findKeyFaults } from '../shared/platform/self_checks/key_canaries.ts';
import { KEPT_HOURS } from '../shared/jobs/jobs.ts';
import { findDatabaseUrl, findMasterKeys } from './found_settings.ts';

/**
 * `npm run reseal`: reseals everything under older keys of MASTER_KEYS with the first key, and says
 * which of the others may go. Exits with 1 if something does not open, with 2 if it failed.
 */
async function main(): Promise<number> {
  const keys = findMasterKeys();
  const secrets = openSecrets(keys);
  const database = await databaseOf(findDatabaseUrl(), 2).initialize();
  const resealed = new Map<string, number>();
  let damaged = 0;
  try {
    // With another key of the same name, every value would look damaged.
    const { others } = await findKeyFaults(database, secrets);
    if (others.length > 0) throw new BadSettings(others.join('\n'));
    await reseal(database, secrets, {
      onBatch({ table, column }, done) {
        const name = `${table}.${column}`;
        resealed.set(name, (resealed.get(name) ?? 0) + done);
      },
      onDamage({ table, column }, row) {
        damaged += 1;
        console.log(`DAMAGED ${table}.${column} of ${row} does not open; it is left as it is`);
      },
    });
    for (const [name, count] of resealed) console.log(`sealed again: ${count} of ${name}`);
    const needs = new Map((await findKeyNeeds(database)).map((need) => [need.keyId, need]));
    const [current, ...older] = keys.map(({ id }) => id);
    console.log(`key ${current} seals; ${needs.get(current!)?.sealed ?? 0} values are under it`);
    for (const id of older) console.log(verdictOn(id, needs.get(id)));
    const unknown = [...needs.values()].filter(({ keyId }) => !keys.some(({ id }) => id === keyId));
    for (const { keyId, sealed, apiKeys } of unknown) {
      console.log(`key ${keyId} is not in MASTER_KEYS: ${sealed} values and ${apiKeys} API keys`);
    }
    return damaged > 0 || unknown.some(({ sealed }) => sealed > 0) ? 1 : 0;
  } finally {
    await database.destroy();
  }
}

function verdictOn(id: string, need: KeyNeed | undefined): string {
  if (need && need.sealed > 0) {
    return `key ${id} must stay: ${need.sealed} values are under it. Run this again.`;
  }
  const when = `${KEPT_HOURS} hours after the last process that had it first has stopped`;
  if (!need) return `key ${id} may go, ${when}`;
  const used = need.lastUsed?.toISOString().slice(0, 10) ?? 'never';
  return (
    `key ${id} may go, ${when}, but then ${need.apiKeys} API keys end that nobody has used since ` +
    `(the last use was ${used}). A key that is used is moved by that.`
  );
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof BadSettings ? error.message : String(error));
  process.exitCode = 2;
}

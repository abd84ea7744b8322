import type { DataSource } from 'typeorm';

import { findKeyNeeds, reseal } from '../../../../shared/composition/master_keys/reseal.ts';
import { masterKeys } from '../../../../shared/platform/config/setting_values.ts';
import { databaseOf } from '../../../../shared/platform/database.ts';
import { openSecrets } from '../../../../shared/platform/secrets.ts';
import { countsOf } from '../../calls/history.ts';
import { outliveServer } from '../../servers.ts';
import type { Domain } from '../domain.ts';

/**
 * While everything breaks and is sold, an operator changes the master key: what is sealed is sealed
 * again under the other key that the processes know. One that breaks off is begun again later.
 */
export const reseals: Domain = {
  by: 'sellers',
  open({ history, wrong }, { deployment }) {
    const [old, next] = masterKeys(deployment.masterKeys) as [MasterKey, MasterKey];
    const secrets = openSecrets([next, old]);
    const onDamage = ({ table, column }: { table: string; column: string }, row: string) =>
      wrong(`${table}.${column} of ${row} does not open`);

    async function sealAgain(): Promise<void> {
      const counts = countsOf(history, 'reseal');
      counts.calls += 1;
      counts.answered += 1;
      let database: DataSource | undefined;
      try {
        database = await databaseOf(deployment.databaseUrl, 1).initialize();
        outliveServer(database);
        await reseal(database, secrets, { onDamage });
        counts.performed += 1;
      } catch {
        // PostgreSQL is down, or was.
      } finally {
        await database?.destroy().catch(() => undefined);
      }
    }

    return {
      steps: [{ weight: 1, run: sealAgain }],
      async compare({ database, same }) {
        await reseal(database, secrets, { onDamage });
        const needs = await findKeyNeeds(database);
        const left = needs.find(({ keyId }) => keyId === old.id)?.sealed ?? 0;
        same('master keys', 'what is under the old key', { found: left, told: 0 });
      },
    };
  },
};

type MasterKey = ReturnType<typeof masterKeys>[number];

import { runAudit } from '../../shared/composition/audit.ts';
import { databaseOf } from '../../shared/platform/database.ts';

/** Seconds that an audit takes, as the application's role. */
export async function measureAudit(url: string): Promise<number> {
  const database = await databaseOf(url, 1).initialize();
  try {
    const from = performance.now();
    await runAudit(database);
    return (performance.now() - from) / 1_000;
  } finally {
    await database.destroy();
  }
}

import { databaseOf } from '../shared/platform/database.ts';
import { audit, auditSize } from '../shared/composition/audit.ts';
import { findDatabaseUrl } from './database_url.ts';

/**
 * `npm run audit`: runs the proofs over the database of DATABASE_URL, or else of the servers that
 * `npm start` runs in this checkout. Exits with 1 if there is a difference, with 2 if it failed.
 */
async function main(): Promise<number> {
  const database = await databaseOf(findDatabaseUrl(), 1).initialize();
  try {
    const differences = await audit(database);
    for (const { proof, row } of differences) {
      console.log(`DIFFERENCE not true that ${proof}: ${JSON.stringify(row)}`);
    }
    const { proofs, transfers, orders } = await auditSize(database);
    const verdict = differences.length === 0 ? 'clean' : `${differences.length} differences`;
    console.log(`audit ${verdict}: ${proofs} proofs, ${transfers} transfers, ${orders} orders`);
    return differences.length === 0 ? 0 : 1;
  } finally {
    await database.destroy();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(String(error));
  process.exitCode = 2;
}

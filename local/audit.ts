import { BadSettings } from '../shared/platform/config/environment.ts';
import { runAudit } from '../shared/composition/audit.ts';
import { findDatabaseUrl } from './found_settings.ts';

/**
 * `npm run audit`: runs the proofs over the database of DATABASE_URL, or else over that of
 * `npm start` in this checkout. Exits with 1 if there is a difference, with 2 if it failed.
 */
async function main(): Promise<number> {
  const { differences, proofs, transfers, orders, at } = await runAudit(findDatabaseUrl());
  for (const { proof, row } of differences) {
    console.log(`DIFFERENCE not true that ${proof}: ${JSON.stringify(row)}`);
  }
  const verdict = differences.length === 0 ? 'clean' : `${differences.length} differences`;
  console.log(
    `audit ${verdict}: ${proofs} proofs, ${transfers} transfers, ${orders} orders, ` +
      `all as they were at ${at.toISOString()} (one snapshot)`,
  );
  return differences.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof BadSettings ? error.message : String(error));
  process.exitCode = 2;
}

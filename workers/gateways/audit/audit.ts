import { runAudit } from '../../../shared/composition/audit.ts';
import type { Config } from '../../../shared/composition/config.ts';
import type { AuditGateway, AuditReport } from '../../../shared/domains/operators/audit_gateway.ts';
import { caughtUp } from '../../../shared/platform/connections/standby.ts';
import { databaseOf } from '../../../shared/platform/database.ts';
import type { Log } from '../../../shared/platform/log.ts';

/** Maximum time for the standby to catch up: the audit has nine minutes in all. */
const CATCH_UP_MS_MAX = 30_000;

/** An audit is answered by the standby for reads, if there is one that can. */
export const openAudit = (config: Config, log: Log): AuditGateway => ({
  async run() {
    const { databaseUrl, databaseReadUrl, databaseReadLagMs } = config;
    if (databaseReadUrl !== undefined) {
      try {
        const msMax = Math.min(databaseReadLagMs, CATCH_UP_MS_MAX);
        return await auditStandby(databaseUrl, databaseReadUrl, msMax);
      } catch (error) {
        log.warn({ err: error }, 'the standby cannot answer an audit: the primary does');
      }
    }
    return { ...(await runAudit(databaseUrl)), server: 'primary' };
  },
});

/**
 * Audits the standby when it has all that was committed before it was asked for: so the audit says
 * the same of that moment as one of the primary. A query that keeps the standby from going on is
 * ended there (40001), and would be ended again.
 */
async function auditStandby(primaryUrl: string, url: string, msMax: number): Promise<AuditReport> {
  const [primary, standby] = [databaseOf(primaryUrl, 1), databaseOf(url, 1)];
  try {
    await Promise.all([primary.initialize(), standby.initialize()]);
    const at = await caughtUp({ primary, standby }, msMax);
    return { ...(await runAudit(url, { attemptsMax: 1 })), at, server: 'standby' };
  } finally {
    for (const one of [primary, standby]) if (one.isInitialized) await one.destroy();
  }
}

import type { AuditGateway } from '../../../shared/domains/operators/audit_gateway.ts';
import { runAudit } from '../../../shared/composition/audit.ts';
import type { Config } from '../../../shared/composition/config.ts';
import { databaseOf } from '../../../shared/platform/database.ts';

/** One connection for each run: an audit may take longer than jobs may wait for one. */
export const openAudit = ({ databaseUrl }: Config): AuditGateway => ({
  async run() {
    const database = await databaseOf(databaseUrl, 1).initialize();
    try {
      return await runAudit(database);
    } finally {
      await database.destroy();
    }
  },
});

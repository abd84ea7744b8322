import type { AuditGateway } from '../../../shared/domains/operators/audit_gateway.ts';
import { runAudit } from '../../../shared/composition/audit.ts';
import type { Config } from '../../../shared/composition/config.ts';

export const openAudit = ({ databaseUrl }: Config): AuditGateway => ({
  run: () => runAudit(databaseUrl),
});

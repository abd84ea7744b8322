import { runAudit } from '../../shared/composition/audit.ts';

/** Seconds that an audit takes, as the application's role. */
export async function measureAudit(url: string): Promise<number> {
  const from = performance.now();
  await runAudit(url);
  return (performance.now() - from) / 1_000;
}

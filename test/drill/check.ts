import { audit } from '../../shared/composition/audit.ts';
import { catalog } from '../../shared/composition/catalog.ts';
import type { RepeatHint } from '../../shared/domains/orders/purchase/repeat_hint.ts';
import { publicKeys, signedText } from '../../shared/domains/receipts/signing_keys.ts';
import type { Comparison } from './comparison.ts';
import type { ReceivedReply } from './calls/history.ts';

interface Job {
  readonly id: string;
  readonly operation: string;
  readonly agent_id: number;
  readonly key: string | null;
  readonly status: 'pending' | 'complete' | 'failed';
  readonly http_status: number | null;
  readonly answer: string | null;
}

/** Every proof of the audit holds. */
export async function checkAudit({ database }: Comparison): Promise<string[]> {
  const differences = await audit(database);
  return differences.map(({ proof, row }) => `not true that ${proof}: ${JSON.stringify(row)}`);
}

/** Every receipt is signed by a key of the platform, which is more than an audit can tell. */
export async function checkReceipts({ database, same }: Comparison): Promise<void> {
  const keys = await publicKeys(database);
  const receipts: { id: string; document: string; jws: string }[] = await database.query(
    `select r.id, document, jws_of(header, document, signature) as jws
       from receipt r join receipt_key k on k.id = r.key_id`,
  );
  for (const { id, document, jws } of receipts) {
    same('receipts', `receipt ${id}`, { found: await signedText(jws, keys), told: document });
  }
}

/** Every reply is the answer of one job, byte for byte. */
export async function checkReplies(
  { database, same }: Comparison,
  replies: readonly ReceivedReply[],
): Promise<void> {
  const jobs: Job[] = await database.query(
    `select id, operation, agent_id, key, status, http_status, answer::text from drill.all_job`,
  );
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const byKey = new Map(jobs.map((job) => [`${job.agent_id} ${job.key}`, job]));
  const orders: { id: number; job_id: string }[] = await database.query(
    'select id::int, job_id from orders',
  );
  const byOrder = new Map(orders.map(({ id, job_id }) => [id, job_id]));

  for (const reply of replies) {
    const { agentId, operation, key, status, text } = reply;
    const { order_id, error } = JSON.parse(text) as { order_id?: number; error?: string };
    const orderId = operation === 'purchase_product' ? order_id : undefined;
    const jobId = reply.jobId ?? (key || !orderId ? undefined : byOrder.get(orderId));
    // A key that lacks a scope is refused before its call is recorded.
    const isUnrecorded = ['out_of_stock', 'insufficient_scope', 'validation_error'].includes(
      error!,
    );
    const isFree = [202, 402, 409].includes(status) || isUnrecorded;
    const binds = key !== undefined && !isFree;
    if (!jobId && !binds) continue;
    const job = jobId ? byId.get(jobId) : byKey.get(`${agentId} ${key}`);
    const isPending = job?.status === 'pending' || status === 202; // `settled` reports pending jobs
    same('replies', `the job of ${operation} ${key ?? jobId} of agent ${agentId}`, {
      found: job && {
        operation: job.operation,
        ...(!isPending && { status: job.http_status, answer: job.answer }),
      },
      told: { operation, ...(!isPending && { status, answer: storedOf(reply) }) },
    });
  }
}

/** The stored part of an answer: all but its secrets, and the hint at an equal call. */
function storedOf({ operation, status, text }: ReceivedReply): string {
  const { redact, repeatHint } = catalog.get(operation)!.stored ?? {};
  if (redact && status === 200) return JSON.stringify(redact(JSON.parse(text)));
  if (!repeatHint || status !== 200) return text;
  const { possible_repeat_of: _order, hint: _hint, ...stored } = JSON.parse(text) as RepeatHint;
  return JSON.stringify(stored);
}

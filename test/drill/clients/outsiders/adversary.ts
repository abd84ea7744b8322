import { randomUUID } from 'node:crypto';

import { answerTo, countsOf } from '../../calls/history.ts';
import type { Domain } from '../domain.ts';
import { flood } from './flood.ts';

const TIMEOUT_MS = 8_000;
const ON_ORDERS = ['get_order', 'get_vault_item', 'confirm_order', 'dispute_order'];

/**
 * Buyers that misname fields, act on what belongs to others, use the idempotency keys of others,
 * send again what was paid on the chain, and fill what others need with a tree of agents. None of
 * it may succeed, cost anything, or shut out others, which the comparisons of the other domains
 * see.
 */
export const adversary: Domain = {
  by: 'buyers',
  open(trader, market) {
    const { agent, client, random, wrong, history } = trader;
    const { goods, buyers, payments, deployment } = market;
    let refusals = 0;

    /** A field that limits what is paid, under a name that the operation does not have. */
    async function misname(): Promise<void> {
      const good = random.pick(goods);
      const [operation, input] = random.pick([
        ['purchase_product', { product_id: good.id, max_price: good.price / 2e6 }],
        ['purchase_product', { product_id: good.id, quantity: 1, dryRun: true }],
        ['task_post', { title: 'misnamed', budget: 0.02, max_budget: 0.01 }],
        ['spawn_agent', { name: `m${randomUUID().slice(0, 8)}`, daily_limit: 0 }],
      ] as const);
      const answer = await client({ agent, operation, input, key: trader.newKey(operation) });
      if (answer?.status !== 422) wrong(`${operation} took ${JSON.stringify(input)}`);
      refusals += 1;
    }

    /** An order or a job of another tree, whose ids are no secrets. */
    async function pry(): Promise<void> {
      const others = new Set(buyers.map(({ id }) => id).filter((id) => id !== agent.id));
      const seen = answerTo(others, 'purchase_product', history, random);
      if (!seen) return;
      const { order_id } = JSON.parse(seen.text) as { order_id: number };
      const about = seen.jobId !== undefined && random.below(3) === 0;
      const operation = about ? 'get_job' : random.pick(ON_ORDERS);
      const reason = operation === 'dispute_order' && { reason: 'it is not mine' };
      const input = about ? { job_id: seen.jobId } : { order_id, ...reason };
      const answer = await client({ agent, operation, input, repeatable: true });
      if (answer?.status !== 404) wrong(`${operation} of another was answered ${answer?.text}`);
      refusals += 1;
    }

    /** The idempotency key of another's purchase, with a limit that no purchase keeps to. */
    async function borrow(): Promise<void> {
      const others = new Set(buyers.map(({ id }) => id).filter((id) => id !== agent.id));
      const seen = answerTo(others, 'purchase_product', history, random);
      if (seen?.key === undefined) return;
      const { product_id, quantity } = JSON.parse(seen.text) as Record<string, number>;
      const input = { product_id, quantity, max_total_due: 0.000001 };
      const answer = await client({ agent, operation: 'purchase_product', input, key: seen.key });
      if (answer && answer.status < 400) wrong(`a key of another was answered ${answer.text}`);
      refusals += 1;
    }

    /**
     * A settled payment, as it was or with another signature, for another call: under an API key of
     * our own, or without any.
     */
    async function replay(): Promise<void> {
      if (payments.length === 0) return;
      const payment = random.pick(payments);
      const sent = JSON.parse(Buffer.from(payment, 'base64').toString()) as {
        payload: { signature: string };
      };
      const { signature } = sent.payload;
      const capitals = signature.toUpperCase().replace('0X', '0x');
      sent.payload.signature = random.pick([signature, capitals, `0x${'11'.repeat(64)}1b`]);
      const path = `/x402/api/v1/email/validate/${randomUUID()}@example.com`;
      const headers = {
        ...(random.below(2) === 0 && { authorization: `Bearer ${agent.token}` }),
        'idempotency-key': randomUUID(),
        'payment-signature': Buffer.from(JSON.stringify(sent)).toString('base64'),
      };
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const url = random.pick(deployment.urls) + path;
      const response = await fetch(url, { headers, signal }).catch(() => undefined);
      if (!response) return; // The API is down or frozen.
      if (response.status === 200) wrong(`a payment of another paid: ${await response.text()}`);
      countsOf(history, 'replay of a payment').calls += 1;
      countsOf(history, 'replay of a payment').answered += 1;
      refusals += 1;
    }

    const filling = flood(trader, market);
    return {
      steps: [
        { weight: 1, run: misname },
        { weight: 1, run: pry },
        { weight: 1, run: borrow },
        { weight: 1, run: replay },
        ...filling.steps,
      ],
      async compare(comparison) {
        const { database, same } = comparison;
        for (let n = 0; n < refusals; n += 1) same('refusals of adversaries', '', EQUAL);
        const misnamed = await database.query(
          `select id from task where title = 'misnamed' and poster_id = $1`,
          [agent.id],
        );
        same('refusals of adversaries', 'misnamed tasks', { found: misnamed, told: [] });
        await filling.compare(comparison);
      },
    };
  },
};

/** The comparison for a refusal that was checked when it came. */
const EQUAL = { found: 0, told: 0 };

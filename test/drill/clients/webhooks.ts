import { setTimeout as sleep } from 'node:timers/promises';

import { Webhook } from 'standardwebhooks';

import { countsOf } from '../calls/history.ts';
import { answer, type Receiver, type Received } from '../../webhooks/receiver.ts';
import type { Domain } from './domain.ts';

const DELIVERED_MS_MAX = 60_000;
/** Every so many messages a receiver fails. */
const FAILS_ONE_IN = 6;

/** Buyers have their events sent to a server of their own, which fails now and then. */
export const webhooks: Domain = {
  by: 'buyers',
  open(trader, { deployment }) {
    const { agent, random, wrong } = trader;
    /** Secrets that it was shown; with one that it was not shown, signatures are not checked. */
    const secrets: string[] = [];
    let isUnknown = false;
    let receiver: Receiver | undefined;
    /** Messages that it did not answer 500. */
    const accepted: Received[] = [];
    let webhookId: number | undefined;

    function keep(secret: string | null): void {
      if (secret) secrets.push(secret);
      else isUnknown = true;
    }

    async function create(): Promise<void> {
      if (receiver) return;
      receiver = await deployment.outside.openReceiver();
      const { received } = receiver;
      receiver.behave((res, req) => {
        const isRefused = received.length % FAILS_ONE_IN === 0;
        if (!isRefused) accepted.push(received.at(-1)!);
        answer(isRefused ? 500 : 204)(res, req);
      });
      const operation = 'create_webhook';
      const input = { url: receiver.url };
      await trader.perform(
        { agent, operation, input, key: trader.newKey(operation) },
        ({ status, body, text }) => {
          if (status !== 200) return wrong(`a webhook was refused: ${text}`);
          webhookId = body.webhook_id;
          keep(body.secret);
        },
      );
    }

    async function rotate(): Promise<void> {
      if (webhookId === undefined) return create();
      const operation = 'rotate_webhook_secret';
      const known = isUnknown;
      isUnknown = true; // Until its answer is known, the new one signs already.
      await trader.perform(
        { agent, operation, input: { webhook_id: webhookId }, key: trader.newKey(operation) },
        ({ status, body, text }) => {
          if (status !== 200) return wrong(`rotating a secret was refused: ${text}`);
          isUnknown = known;
          keep(body.secret);
        },
      );
    }

    /** Not `verify`, for which a message of some minutes ago is too old. */
    function isSigned({ headers, body }: Received): boolean {
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
      const signatures = headers['webhook-signature']!.split(' ');
      const sign = (secret: string) => new Webhook(secret).sign(headers['webhook-id']!, at, body);
      return secrets.some((secret) => signatures.includes(sign(secret)));
    }

    return {
      steps: [
        { weight: 1, run: create },
        { weight: random.below(2), run: rotate },
      ],
      async compare({ database, same }) {
        if (webhookId === undefined || !receiver) return;
        // A message that was made old is one that was sent.
        const found: { text: string }[] = await database.query(
          `select e.id || ' ' || e.type || ' ' || e.object_kind || ' ' || e.object_id || ' '
                  || e.status as text
             from drill.all_event e join webhook w on w.id = $1
            where e.root_id = w.root_id and e.id > w.types_from order by e.id`,
          [webhookId],
        );
        const wanted = new Set(found.map(({ text }) => text));
        const missing = () => {
          const arrived = new Set(accepted.map(({ event }) => textOf(event)));
          return [...wanted].filter((text) => !arrived.has(text));
        };
        // By what was killed.
        await database.query(`update webhook set claimed_until = '-infinity'`);
        const deadline = Date.now() + DELIVERED_MS_MAX;
        while (missing().length > 0 && Date.now() < deadline) {
          await database.query(MAKE_DUE);
          await sleep(500);
        }
        same('webhooks', `what was not sent to agent ${agent.id}`, { found: missing(), told: [] });
        const unsigned = isUnknown ? [] : receiver.received.filter((message) => !isSigned(message));
        if (unsigned.length > 0) wrong(`${unsigned.length} messages are not signed by its secrets`);
        countsOf(trader.history, 'delivered events').performed += accepted.length;
      },
    };
  },
};

/** All pauses are over, for all of them: those that are compared next get theirs meanwhile. */
const MAKE_DUE = `
  with waiting as (
    update webhook_delivery set next_at = now()
     where status = 'waiting'
       and webhook_id in (select id from webhook where claimed_until <= now()))
  update webhook set not_before = '-infinity'`;

interface Seen {
  readonly sequence: number;
  readonly type: string;
  readonly object: { readonly kind: string; readonly id: number; readonly status: string };
}
const textOf = ({ sequence, type, object: { kind, id, status } }: Seen): string =>
  `${sequence} ${type} ${kind} ${id} ${status}`;

import type { Call } from '../../calls/call.ts';
import { payOn } from '../../../sandbox/stripe_rig.ts';
import type { Domain } from '../domain.ts';
import { microsOf } from '../goods.ts';

const MICROS_A_CENT = 10_000;
const CARDS = { paid: '4242 4242 4242 4242', refused: '4000 0000 0000 0002' };
/** Pages of a statement that are searched for a deposit before it is waited for again. */
const PAGES_MAX = 5;

interface Entry {
  readonly kind: string;
  readonly amount: number;
}

/**
 * Buyers add money on the pay page, with cards that are paid or declined; events come twice and
 * late, to any API. What was paid is in the wallet once, and nothing else.
 */
export const cards: Domain = {
  by: 'buyers',
  open(trader, { deployment }) {
    const { agent, client, random, wallet, wrong } = trader;
    const { stripe } = deployment.outside;
    const open: { readonly url: string; readonly session: string; readonly cents: number }[] = [];
    const paid: { readonly session: string; readonly cents: number }[] = [];
    let opened = 0;

    async function ask(): Promise<void> {
      const operation = 'stripe_topup';
      // No two are alike, so that each is found in the statement.
      opened += 1;
      const cents = 50 + opened;
      const call = { agent, operation, input: { amount: cents / 100 } };
      await trader.perform({ ...call, key: trader.newKey(operation) }, ({ status, body, text }) => {
        if (status !== 200) return wrong(`a top-up of ${cents} cents was refused: ${text}`);
        if (microsOf(body.amount) !== cents * MICROS_A_CENT) wrong(`it is ${body.amount}`);
        open.push({ url: body.checkout_url, session: body.session_id, cents });
      });
    }

    async function pay(): Promise<void> {
      const page = open.shift();
      if (!page) return ask();
      const card = random.pick(['paid', 'paid', 'paid', 'refused'] as const);
      const outcome = await payOn(page.url, CARDS[card]);
      if (outcome.status !== card) wrong(`a card that is ${card} was ${outcome.status}`);
      if (outcome.status !== 'paid') return;
      paid.push(page);
      trader.expect('stripe_topup', () => untilCredited(page.cents));
      const events = stripe.control.deliveries().slice(-20);
      if (events.length > 0 && random.below(2) === 0) {
        await stripe.control.sendEvent({ event: random.pick(events).event, times: 3 });
      }
    }

    async function untilCredited(cents: number): Promise<void> {
      while (!(await isCredited(cents))) await client.pause('wallet_statement');
      wallet.micros += cents * MICROS_A_CENT;
    }

    async function isCredited(cents: number): Promise<boolean> {
      let cursor: string | null = null;
      for (let n = 0; n < PAGES_MAX; n += 1) {
        const input: Call['input'] = { limit: 100, ...(cursor && { cursor }) };
        const call = { agent, operation: 'wallet_statement', input, repeatable: true };
        const { body } = (await client(call))!;
        const entries = body.entries as Entry[];
        const amounts = entries.filter(({ kind }) => kind === 'deposit').map((one) => one.amount);
        if (amounts.map(microsOf).includes(cents * MICROS_A_CENT)) return true;
        cursor = body.next_cursor;
        if (!cursor) return false;
      }
      return false;
    }

    return {
      steps: [
        { weight: 1, run: ask },
        { weight: 1, run: pay },
      ],
      async compare({ database, same }) {
        const found = await database.query(
          `select p.session_id as session, (d.usd / 10000)::int as cents
             from deposit d join card_payment p on p.deposit_id = d.id
            where d.agent_id = $1 order by 2`,
          [agent.id],
        );
        const told = paid.map(({ session, cents }) => ({ session, cents }));
        same('deposits', `payments by card of agent ${agent.id}`, {
          found,
          told: told.toSorted((a, b) => a.cents - b.cents),
        });
      },
    };
  },
};

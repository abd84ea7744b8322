import type { Item } from '../../../inbox/waiting.ts';
import type { Domain, Trade } from '../domain.ts';
import type { Trader } from '../trader.ts';

/** A message may have too many, in a row or a minute. */
const TOO_MANY = ['invalid_transition', 'rate_limited'];

/** Buyers write to their sellers, and look what their inbox says. */
export const inbox: Domain = {
  by: 'buyers',
  open(trader) {
    const { agent, client, random } = trader;
    const mail = openMail(trader);

    async function write(): Promise<void> {
      const input = { limit: 5 };
      const answer = await client({ agent, operation: 'get_orders', input, repeatable: true });
      const orders: { order_id: number }[] = answer?.body.orders ?? [];
      if (orders.length === 0) return;
      const { order_id } = random.pick(orders);
      await mail.send({ order_id, text: 'Is it still good?' });
    }

    const run = async () => {
      await (random.below(2) === 0 ? write() : look(trader));
    };
    return { steps: [{ weight: 1, run }], compare: mail.compare };
  },
};

/** Sellers look what waits for them, and answer messages by the call that is shown. */
export const inboxOfSellers: Domain = {
  by: 'sellers',
  open(trader) {
    const mail = openMail(trader);

    async function answer(): Promise<void> {
      const items = await look(trader);
      const item = items.find(({ kind }) => kind === 'message_to_answer');
      const call = item?.calls.find(({ tool }) => tool === 'send_message');
      if (!call) return;
      const needs = call.needs.join();
      if (needs !== 'text') trader.wrong(`an answer to a message needs ${needs}`);
      await mail.send({ ...call.arguments, text: 'It is.' });
    }
    return { steps: [{ weight: 1, run: answer }], compare: mail.compare };
  },
};

/** Looks at what waits. One of the calls that only read is made, and is answered. */
async function look({ agent, client, random, wrong }: Trader): Promise<readonly Item[]> {
  const ask = (operation: string, input: Readonly<Record<string, unknown>>) =>
    client({ agent, operation, input, repeatable: true });
  const answer = await ask('inbox', { limit: 20 });
  if (answer?.status !== 200) {
    wrong(`the inbox was refused: ${answer?.text}`);
    return [];
  }
  const items = answer.body.inbox as readonly Item[];
  const hours = items.map(({ deadline }) => deadline?.slice(0, 13) ?? 'none');
  if (String(hours.toSorted()) !== String(hours)) wrong(`the inbox has the order ${String(hours)}`);
  // The first look into a vault is no mere reading.
  const reads = items.flatMap(({ calls }) =>
    calls.filter(({ method, tool }) => method === 'GET' && tool !== 'get_vault_item'),
  );
  if (reads.length === 0) return items;
  const call = random.pick(reads);
  const shown = await ask(call.tool, call.arguments);
  if (shown?.status !== 200) wrong(`${call.tool} of the inbox was refused: ${shown?.text}`);
  return items;
}

/** Sends messages, and compares how many there are. */
function openMail(trader: Trader): Pick<Trade, 'compare'> & { send(input: object): Promise<void> } {
  const { agent, wrong } = trader;
  const sent: number[] = [];
  return {
    async send(input) {
      const key = trader.newKey('send_message');
      const call = { agent, operation: 'send_message', input: { ...input }, key };
      await trader.perform(call, ({ status, body, text }) => {
        if (status === 200) sent.push(body.message_id as number);
        else if (!TOO_MANY.includes(body.error)) wrong(`a message was refused: ${text}`);
      });
    },
    async compare({ database, same }) {
      const found: { id: number }[] = await database.query(
        'select id::int from message where sent_by = $1 order by id',
        [agent.id],
      );
      same('messages', `messages of agent ${agent.id}`, {
        found: found.map(({ id }) => id),
        told: sent.toSorted((a, b) => a - b),
      });
    },
  };
}

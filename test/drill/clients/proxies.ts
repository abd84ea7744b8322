import type { Answer } from '../calls/client.ts';
import { WORKING } from '../outside.ts';
import type { Domain } from './domain.ts';
import { microsOf } from './goods.ts';

const PRICE = 1_000;
const LIMIT = 5;

/** Lists of proxies and single ones, each for $0.001. */
export const proxies: Domain = {
  by: 'buyers',
  open(trader) {
    const { agent, random, wallet, wrong } = trader;
    /** The proxies of each sale, as `1,2,3`. */
    const sales: string[] = [];
    let lastId: string | undefined;

    function noteSale(proxyIds: readonly string[], charged: number): void {
      if (microsOf(charged) !== PRICE * proxyIds.length) {
        wrong(`paid ${charged} for ${proxyIds.length} proxies`);
      }
      wallet.micros -= microsOf(charged);
      wallet.proxies += proxyIds.length;
      if (proxyIds.length > 0) sales.push(proxyIds.join());
      lastId = proxyIds.at(-1) ?? lastId;
    }

    function checkRefusal({ status, body }: Answer): void {
      const isPoor = status === 402 && body.error === 'insufficient_balance';
      if (isPoor && (wallet.micros < LIMIT * PRICE || trader.hasDoubts())) return;
      wrong(`buying proxies with ${wallet.micros} was refused: ${body.error}`);
    }

    async function list(): Promise<void> {
      const operation = 'proxy_list';
      const country = random.pick([undefined, 'DE', 'US']);
      const input = { limit: 1 + random.below(LIMIT), ...(country && { country }) };
      const key = trader.newKey(operation);
      await trader.perform({ agent, operation, input, key }, (answer) => {
        if (answer.status !== 200) return checkRefusal(answer);
        const found: { id: string; ip_port: string; country_code: string }[] = answer.body.proxies;
        if (found.length !== Math.min(input.limit, country === 'US' ? WORKING : LIMIT)) {
          wrong(`got ${found.length} proxies for ${JSON.stringify(input)}`);
        }
        const isGood = found.every(
          ({ ip_port, country_code }) => ip_port && (!country || country_code === country),
        );
        if (!isGood) wrong(`got for ${country}: ${answer.text}`);
        noteSale(
          found.map(({ id }) => id),
          answer.body.charged,
        );
      });
    }

    async function fetchOne(): Promise<void> {
      if (lastId === undefined) return list();
      const operation = 'proxy_fetch_one';
      const input = { proxy_id: lastId };
      const key = trader.newKey(operation);
      await trader.perform({ agent, operation, input, key }, (answer) => {
        if (answer.status !== 200) return checkRefusal(answer);
        noteSale([answer.body.id], answer.body.charged);
      });
    }

    return {
      steps: [
        { weight: 2, run: list },
        { weight: 1, run: fetchOne },
      ],
      async compare({ database, same }) {
        const rows: { ids: string }[] = await database.query(
          `select array_to_string(proxy_ids, ',') as ids from drill.all_proxy_sale
            where agent_id = $1`,
          [agent.id],
        );
        const found = rows.map(({ ids }) => ids).toSorted();
        same('proxy sales', `proxies sold to agent ${agent.id}`, {
          found,
          told: sales.toSorted(),
        });
        const charges: { units: number }[] = await database.query(
          `select units from charge join drill.all_proxy_sale on charge_id = charge.id
            where charge.agent_id = $1`,
          [agent.id],
        );
        same('charges', `charges for the proxies of agent ${agent.id}`, {
          found: charges.map(({ units }) => units).toSorted((a, b) => a - b),
          told: sales.map((ids) => ids.split(',').length).toSorted((a, b) => a - b),
        });
      },
    };
  },
};

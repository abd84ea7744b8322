import type { Domain } from '../domain.ts';
import { goodOf } from '../goods.ts';

const DATASETS_MAX = 20;
/** More would take buyers from other goods. */
const SOLD_MAX = 4;
const PRICE = 0.0172;

/** A dataset as it must be, from the replies to its seller: of one row, which names the version. */
interface ExpectedDataset {
  readonly id: number;
  version: number;
  /** A call about it has no answer yet: nobody acts on it. */
  isWaiting: boolean;
}

/** Sellers offer datasets, renew and open them. Buyers buy those that are sold like other goods. */
export const datasets: Domain = {
  by: 'sellers',
  open(trader, { sellers, goods }) {
    const { agent, client, random, wrong } = trader;
    const seller = sellers.find(({ id }) => id === agent.id)!;
    const offered: ExpectedDataset[] = [];
    let sold = 0;

    const rowsOf = (version: number) => [{ version, word: 'ключ, "\\".' }];

    async function offer(): Promise<void> {
      if (offered.length === DATASETS_MAX) return renew();
      const operation = 'create_dataset';
      const key = trader.newKey(operation);
      const isSold = sold < SOLD_MAX && random.below(2) === 0;
      if (isSold) sold += 1;
      const price = isSold ? PRICE : 0;
      const about = { title: key, description: 'It is offered during a drill.', type: 'json' };
      const input = { ...about, price, data: rowsOf(1) };
      await trader.perform({ agent, operation, input, key }, ({ status, body, text }) => {
        if (status !== 200) return wrong(`a dataset was refused: ${text}`);
        const id: number = body.dataset_id;
        offered.push({ id, version: 1, isWaiting: false });
        if (!isSold) return;
        // The content that its buyers find in their vaults.
        const content = JSON.stringify({
          dataset_id: id,
          type: 'json',
          access: `GET /api/v1/datasets/${id}/access`,
          tool: 'access_dataset',
        });
        goods.push(goodOf(body.product_id, seller, { price, stock_kind: 'unlimited', content }));
      });
    }

    const settled = () => offered.filter(({ isWaiting }) => !isWaiting);

    async function renew(): Promise<void> {
      if (settled().length === 0) return;
      const dataset = random.pick(settled());
      const operation = 'rotate_dataset';
      const version = dataset.version + 1;
      const input = { dataset_id: dataset.id, data: rowsOf(version) };
      dataset.isWaiting = true;
      await trader.perform(
        { agent, operation, input, key: trader.newKey(operation) },
        ({ status, body, text }) => {
          dataset.isWaiting = false;
          if (status !== 200 || body.version !== version) {
            return wrong(`dataset ${dataset.id} is not renewed: ${text}`);
          }
          dataset.version = version;
        },
      );
    }

    async function open(): Promise<void> {
      if (settled().length === 0) return;
      const { id, version } = random.pick(settled());
      const input = { dataset_id: id };
      const call = { agent, operation: 'access_dataset', input, repeatable: true };
      const answer = await client(call);
      if (JSON.stringify(answer?.body.data) === JSON.stringify(rowsOf(version))) return;
      wrong(`dataset ${id} must have version ${version}, and has: ${answer?.text}`);
    }

    return {
      steps: [
        { weight: 1, run: offer },
        { weight: 1, run: renew },
        { weight: 1, run: open },
      ],
      async compare({ database, same }) {
        const found = await database.query(
          `select d.id::int, d.version, d.newest, (select count(*)::int from dataset_part p
                   where (p.dataset_id, p.version) = (d.id, d.version)) as parts
             from dataset d where d.seller_id = $1 order by d.id`,
          [agent.id],
        );
        const told = offered.map(({ id, version }) => ({ id, version, newest: version, parts: 1 }));
        same('datasets', `datasets of agent ${agent.id}`, {
          found,
          told: told.toSorted((a, b) => a.id - b.id),
        });
      },
    };
  },
};

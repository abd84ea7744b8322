import type { TestPlatform } from '../harness.ts';
import { buy } from '../orders/trade.ts';
import { act, done, hire, openTask, submit } from '../tasks/board.ts';
import { gatherRecords } from './gather_records.ts';

/** A seller and its buyers: of other owners, or one ring with it. */
export interface Scene {
  readonly buyers: number;
  /** Cash that the buyers have paid in together, in dollars. */
  readonly cash: number;
  /** Price of a unit, in dollars. */
  readonly price: number;
  /** The seller's earnings go back to a buyer, who buys again, until the cash is gone. */
  readonly isRing: boolean;
  /** Buyers pay with their welcome credit too. */
  readonly takesCredit?: boolean;
}

/** A record, and what it cost the buyers in dollars. */
export interface Outcome {
  /** Fees in cash: they are gone. */
  readonly burned: number;
  /** Units that were paid for. */
  readonly units: number;
  readonly buyers: number;
  readonly established: number;
  readonly level: number;
  /** Fees that the record counts, in dollars. */
  readonly score: number;
}

interface Member {
  readonly id: number;
  readonly key: string;
}

/**
 * Plays a scene with real purchases, confirmations and fees. In a ring the seller posts a task
 * for all that it holds and approves it at once: work pays no fee, so no way back is cheaper.
 */
export async function play(platform: TestPlatform, scene: Scene): Promise<Outcome> {
  const { cash, price, takesCredit = false } = scene;
  const seller = await platform.agent();
  const product = await platform.product(seller, {
    price,
    stock_kind: 'unlimited',
    content: 'A text.',
    accepts_credit: takesCredit,
  });
  const buyers: Member[] = [];
  for (let n = 0; n < scene.buyers; n += 1) {
    buyers.push(await platform.agent({ usd: cash / scene.buyers }));
  }
  let units = 0;
  /** Buys as much as it can pay for. */
  const spend = async (buyer: Member): Promise<void> => {
    const holds = await walletOf(platform, buyer);
    const most = (takesCredit ? holds.balance : holds.cash) / (1.1 * price);
    const quantity = Math.min(1_000, Math.floor(most + 1e-9));
    if (quantity === 0) return;
    const orderId = await buy(platform, buyer, product, quantity);
    done(await platform.request(`POST /api/v1/orders/${orderId}/confirm`, { key: buyer.key }));
    units += quantity;
  };
  for (const buyer of buyers) await spend(buyer);
  for (let turn = 0; scene.isRing; turn += 1) {
    const worker = buyers[turn % buyers.length]!;
    const { balance } = await walletOf(platform, seller);
    if (balance < 1.1 * price) break;
    await payBack(platform, { poster: seller, worker, amount: balance });
    const before = units;
    await spend(worker);
    if (units === before) break;
  }
  await gatherRecords(platform);
  return { units, ...(await recordOf(platform, seller, buyers)) };
}

async function payBack(
  platform: TestPlatform,
  { poster, worker, amount }: { poster: Member; worker: Member; amount: number },
): Promise<void> {
  const taskId = await openTask(platform, poster, { budget: amount });
  await hire(platform, { taskId, poster, worker }, amount);
  await submit(platform, { taskId, key: worker.key });
  done(await act(platform, 'approve', { taskId, key: poster.key }));
}

const walletOf = async (platform: TestPlatform, { key }: Member) =>
  done(await platform.request('GET /api/v1/wallet', { key })) as { cash: number; balance: number };

async function recordOf(platform: TestPlatform, seller: Member, buyers: readonly Member[]) {
  const route = `GET /api/v1/sellers/record?agent_id=${seller.id}`;
  const record = done(await platform.request(route, { key: seller.key }));
  const [{ burned, score }] = await platform.query(
    `select (select coalesce(sum(cash), 0) from ledger.transfer
              where kind = 'order.fee' and from_root = any ($2)) as burned,
            (select score / record_weight(now()) from agent_record
              where agent_id = $1 and role = 'seller') as score`,
    [seller.id, buyers.map(({ id }) => id)],
  );
  return {
    burned: Number(burned) / 1_000_000,
    buyers: record.buyers as number,
    established: record.established_buyers as number,
    level: record.level as number,
    score: Number(score ?? 0) / 1_000_000,
  };
}

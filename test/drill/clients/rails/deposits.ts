import { countsOf } from '../../calls/history.ts';
import type { Domain } from '../domain.ts';
import { microsOf } from '../goods.ts';
import type { Way } from './networks.ts';

interface Info {
  readonly note: string;
  readonly memo: string;
  readonly reference: string;
  readonly networks: readonly { readonly address: string }[];
}

interface Asked {
  readonly rail: string;
  /** Tool that tells what names the agent in a payment. */
  readonly info: string;
  readonly named: (info: Info) => string;
  readonly verify: string;
  /** The tool's name of the transaction. */
  readonly id: 'tx_id' | 'tx_hash';
}

const ALGORAND: Asked = {
  rail: 'algorand',
  info: 'algo_deposit',
  named: ({ note }) => note,
  verify: 'algo_verify_deposit',
  id: 'tx_id',
};
const SOLANA: Asked = {
  rail: 'solana',
  info: 'solana_info',
  named: ({ memo }) => memo,
  verify: 'solana_verify',
  id: 'tx_id',
};
const TRON: Asked = {
  rail: 'tron',
  info: 'tron_info',
  named: ({ networks }) => networks[0]!.address,
  verify: 'tron_verify',
  id: 'tx_id',
};
const BASE: Asked = {
  rail: 'base',
  info: 'evm_info',
  named: ({ reference }) => reference,
  verify: 'evm_verify',
  id: 'tx_hash',
};
const WAYS: Readonly<Record<Way | 'eth_base', Asked>> = {
  algo: ALGORAND,
  sol: SOLANA,
  usdc_spl: SOLANA,
  usdt_tron: TRON,
  eth_base: BASE,
};
interface Expected {
  readonly operation: string;
  readonly id: Asked['id'];
  readonly txId: string;
  readonly micros: number;
}

/** No whole cents, as what is paid by card. */
const MICROS_MIN = 1_000_001;

/**
 * Buyers pay in by chains, and claim a payment twice at once while the watcher finds it too. It is
 * in the wallet once.
 */
export const deposits: Domain = {
  by: 'buyers',
  open(trader, { deployment }) {
    const { agent, client, random, wallet, wrong } = trader;
    const { networks, chain } = deployment.outside;
    const pays = { ...networks.pay, ...(chain && { eth_base: chain.payIn }) };
    const ways = Object.keys(pays) as (keyof typeof pays)[];
    const paid: { readonly rail: string; readonly txId: string; readonly micros: number }[] = [];
    const credited = countsOf(trader.history, 'deposit by chain');

    async function pay(): Promise<void> {
      const way = random.pick(ways);
      const { rail, info, named, verify, id } = WAYS[way];
      const asked = await client({ agent, operation: info, input: {}, repeatable: true });
      // No two of an agent are alike.
      const micros = MICROS_MIN + paid.length;
      const txId = await pays[way]!(micros, named(asked!.body as unknown as Info));
      paid.push({ rail, txId, micros });
      trader.expect(verify, () => untilCredited({ operation: verify, id, txId, micros }));
    }

    async function untilCredited({ operation, id, txId, micros }: Expected): Promise<void> {
      const call = { agent, operation, input: { [id]: txId }, repeatable: true };
      for (;;) {
        const answers = await Promise.all([client(call), client(call)]);
        const [done] = answers.filter((one) => one?.body.status === 'credited');
        if (done) {
          if (microsOf(done.body.usd) !== micros) wrong(`${txId} is worth ${done.body.usd}`);
          wallet.micros += micros;
          credited.performed += 1;
          return;
        }
        await client.pause(operation);
      }
    }

    return {
      steps: [{ weight: 1, run: pay }],
      async compare({ database, same }) {
        const found = await database.query(
          `select rail, tx_id as "txId", usd::int as micros from deposit
            where agent_id = $1 and rail <> 'card' and rail <> 'x402' and credited_at is not null
            order by usd`,
          [agent.id],
        );
        same('deposits by chain', `what agent ${agent.id} paid in by chains`, {
          found,
          told: paid,
        });
      },
    };
  },
};

import { countsOf } from '../../calls/history.ts';
import type { Domain } from '../domain.ts';
import { microsOf } from '../goods.ts';
import type { PaidRail } from './networks.ts';

/** How the reference of a payment is asked for, and how its credit is. */
const RAILS = {
  algorand: { info: 'algo_deposit', field: 'note', verify: 'algo_verify_deposit' },
  solana: { info: 'solana_info', field: 'memo', verify: 'solana_verify' },
} as const;
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
    const { networks } = deployment.outside;
    const paid: { readonly rail: PaidRail; readonly txId: string; readonly micros: number }[] = [];
    const credited = countsOf(trader.history, 'deposit by chain');

    async function pay(): Promise<void> {
      const rail = random.pick(['algorand', 'solana'] as const);
      const { info, field, verify } = RAILS[rail];
      const asked = await client({ agent, operation: info, input: {}, repeatable: true });
      // No two of an agent are alike.
      const micros = MICROS_MIN + paid.length;
      const txId = await networks.pay[rail](micros, asked!.body[field] as string);
      paid.push({ rail, txId, micros });
      trader.expect(verify, () => untilCredited(verify, txId, micros));
    }

    async function untilCredited(operation: string, txId: string, micros: number): Promise<void> {
      const call = { agent, operation, input: { tx_id: txId }, repeatable: true };
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
            where agent_id = $1 and rail in ('algorand', 'solana') and credited_at is not null
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

import { countsOf } from '../../calls/history.ts';
import { ADDRESS } from '../../../tokens/address.ts';
import type { Domain } from '../domain.ts';

/** A token as it must be, from the replies to its agent. */
interface ExpectedToken {
  readonly id: number;
  /** Its own, so that a second one would be seen. Of an NFT none. */
  readonly name: string | null;
}

type Kind = 'asa' | 'nft' | 'collection';

const ISSUED = {
  asa: { operation: 'issue_asa', id: 'asset_id', micros: 1_000_000 },
  nft: { operation: 'mint_nft', id: 'nft_id', micros: 500_000 },
  collection: { operation: 'create_solana_collection', id: 'collection_id', micros: 2_000_000 },
} as const;
/** Each is a transaction on a network, and of NFTs one is sent at a time. */
const OF_AN_AGENT_MAX = 3;
/** Who has less may not be able to pay the fee. */
const FUNDED_MICROS = 10_000_000;

/** Buyers have assets issued, NFTs minted and a collection made, and pay for each once. */
export const tokens: Domain = {
  by: 'buyers',
  open(trader, { deployment }) {
    const { networks } = deployment.outside;
    const { agent, random, wallet, wrong } = trader;
    const all: ExpectedToken[] = [];
    let hasCollection = false;
    let asked = 0;
    const deployed = countsOf(trader.history, 'deployed token');

    function inputOf(kind: Kind, name: string): object {
      if (kind === 'asa') return { name, unit_name: 'DRILL', total_supply: 7 };
      if (kind === 'nft')
        return { uri: `ipfs://drill/${agent.id}/${asked}.json`, address: ADDRESS };
      return { name, symbol: 'DRILL', uri: `ipfs://drill/${agent.id}.json` };
    }

    async function issue(): Promise<void> {
      if (asked >= OF_AN_AGENT_MAX) return;
      asked += 1;
      const kind = random.pick(['asa', 'nft', 'collection'] as const);
      const { operation, id, micros } = ISSUED[kind];
      const name = `Drill ${agent.id} ${asked}`;
      const call = { agent, operation, input: inputOf(kind, name) as Record<string, unknown> };
      await trader.perform({ ...call, key: trader.newKey(operation) }, ({ status, body, text }) => {
        const isPoor = status === 402 && body.error === 'insufficient_balance';
        if (isPoor && wallet.micros < FUNDED_MICROS) return;
        if (kind === 'collection' && hasCollection && body.error === 'invalid_transition') return;
        if (status !== 200) return wrong(`a token of kind ${kind} was refused: ${text}`);
        if (kind === 'collection') hasCollection = true;
        wallet.micros -= micros;
        all.push({ id: body[id] as number, name: kind === 'nft' ? null : name });
      });
    }

    return {
      steps: [{ weight: 1, run: issue }],
      async compare({ database, same }) {
        const found: { id: number; name: string | null; status: string }[] = await database.query(
          'select id::int, name, status from token where agent_id = $1 order by id',
          [agent.id],
        );
        same('tokens', `tokens of agent ${agent.id}`, {
          found: found.map(({ id, name }) => [id, name]),
          told: all.toSorted((a, b) => a.id - b.id).map(({ id, name }) => [id, name]),
        });
        const names = await networks.names();
        for (const { id, name, status } of found) {
          if (status === 'deployed') deployed.performed += 1;
          const made = names.filter((one) => one === name).length;
          const isInFlight = status === 'submitted' && made <= 1;
          if (name === null || isInFlight) continue;
          same('tokens', `what there is on its network of token ${id}, ${status}`, {
            found: made,
            told: status === 'deployed' ? 1 : 0,
          });
        }
      },
    };
  },
};

import type { Service } from '../../local/launcher/supervisor.ts';
import { FINAL_AFTER, type Evm } from './anvil.ts';

const LOOK_MS = 1_000;

/** A node where transactions become final by themselves. Once it answers it is prepared. */
export function serviceOf(evm: Evm, prepare: () => Promise<void>): Service {
  let looking: NodeJS.Timeout | undefined;
  return {
    name: evm.name,
    pid: () => evm.pid(),
    ended: () => evm.ended(),
    async start() {
      await evm.start();
      await prepare();
      clearInterval(looking);
      looking = setInterval(() => void finalize(evm).catch(() => undefined), LOOK_MS);
    },
    async stop() {
      clearInterval(looking);
      await evm.stop();
    },
  };
}

/**
 * One more block, until the last transaction is final. A chain that mined blocks all the time would
 * write ever more of them to disk.
 */
async function finalize(evm: Evm): Promise<void> {
  interface Block {
    readonly transactions: readonly string[];
  }
  const newest = Number(await evm.send('eth_blockNumber'));
  for (let number = newest; number > newest - FINAL_AFTER && number >= 0; number -= 1) {
    const at = `0x${number.toString(16)}`;
    const block = (await evm.send('eth_getBlockByNumber', [at, false])) as Block;
    if (block.transactions.length > 0) return evm.mine();
  }
}

import type { Service } from '../../local/launcher/supervisor.ts';
import { FINAL_AFTER, type Evm } from './anvil.ts';

const LOOK_MS = 1_000;

/** A node whose transactions become final by themselves. It is prepared once it answers. */
export function serviceOf(evm: Evm, prepare: () => Promise<void>): Service {
  let looking: NodeJS.Timeout | undefined;
  return {
    name: evm.name,
    pid: () => evm.pid(),
    ended: () => evm.ended(),
    async start() {
      await evm.start();
      try {
        await prepare();
      } catch (error) {
        await evm.stop(); // or it could not be started again
        throw error;
      }
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
 * Mines one block at a time until the last transaction is final. A chain that mined all the time
 * would write ever more blocks to disk.
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

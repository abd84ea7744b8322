import type { JsonRpc } from '../rpc/json_rpc.ts';

/** Checks first which network each provider is of. Nothing is read from one of another network. */
export function checked(rpc: JsonRpc, genesis: string): JsonRpc['ask'] {
  let isRight = false;
  return async <T>(method: string, params: readonly unknown[]): Promise<T> => {
    if (!isRight) {
      const found = await rpc.ask<string>('getGenesisHash', []);
      if (found !== genesis) throw new Error(`${rpc.profile.name} is of another network: ${found}`);
      isRight = true;
    }
    return rpc.ask<T>(method, params);
  };
}

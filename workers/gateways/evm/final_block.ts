import type { JsonRpc } from '../rpc/json_rpc.ts';
import { RpcRefusal } from '../rpc/refusal.ts';

/** The tag of final blocks, as Rails names it where a provider does not know it. */
export const tagOf = (finality: string): string => `the block tag ${finality}`;

/**
 * Depth at which a block of Base is final beyond doubt, for a provider that does not know the tag:
 * 13 hours. Base has to bring its blocks to Ethereum within 12 hours, or they are dropped, and
 * Ethereum makes them final within one.
 */
const FINAL_DEPTH = 23_400;

/**
 * Whether a provider knows the tag and has no such block for now, as a node of geth, Besu or Erigon
 * says that was just started. Nothing is learned from that.
 */
export const hasNoneYet = (refusal: RpcRefusal): boolean =>
  /block not found|unknown block/i.test(refusal.message);

interface Block {
  readonly number: string;
}

/** The newest block that is final for a provider. */
export async function finalBlockBy({
  ask,
  profile,
}: Pick<JsonRpc, 'ask' | 'profile'>): Promise<number> {
  const { methods, name } = profile;
  const tag = tagOf('finalized');
  let isRefused = false;
  if (methods.takes(tag)) {
    try {
      const final = await ask<Block | null>('eth_getBlockByNumber', ['finalized', false]);
      if (!final) throw new Error(`${name} has no final block yet`);
      return Number(final.number);
    } catch (error) {
      if (!(error instanceof RpcRefusal) || error.kind !== 'other') throw error;
      isRefused = !hasNoneYet(error);
    }
  }
  const latest = await ask<Block>('eth_getBlockByNumber', ['latest', false]);
  // It answers, so its refusal was about the tag.
  if (isRefused) methods.refused(tag);
  return Math.max(0, Number(latest.number) - FINAL_DEPTH);
}

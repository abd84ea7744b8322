import type { SolanaChain } from '../chain.ts';
import { commitmentIn, type Params } from './method.ts';
import { RpcError } from '../rpc_error.ts';

/** Subscriptions of one connection. */
export interface Subscriptions {
  /** Answers a call; undefined: it is not a method of subscriptions. */
  call(method: string, params: Params): unknown;
  /** Sends news. Called after each slot and each answer. */
  notify(): void;
}

interface Subscription {
  readonly method: string;
  /** Undefined: nothing yet. */
  readonly news: () => object | undefined;
  readonly isOnce: boolean;
}

/** Subscriptions for clients that wait for a transaction: signatureSubscribe and slotSubscribe. */
export function openSubscriptions(
  chain: SolanaChain,
  send: (message: object) => void,
): Subscriptions {
  const open = new Map<number, Subscription>();
  let last = 0;
  function add(subscription: Subscription): number {
    last += 1;
    open.set(last, subscription);
    return last;
  }
  return {
    call(method, params) {
      if (method === 'signatureSubscribe') return add(ofSignature(chain, params));
      if (method === 'slotSubscribe') return add(ofSlots(chain));
      if (method.endsWith('Unsubscribe')) return open.delete(params[0]);
      if (method === 'ping') return true;
      if (!method.endsWith('Subscribe')) return undefined;
      throw new RpcError(-32601, `This sandbox has no ${method}.`);
    },
    notify() {
      for (const [subscription, { method, news, isOnce }] of open) {
        const result = news();
        if (!result) continue;
        if (isOnce) open.delete(subscription);
        send({ jsonrpc: '2.0', method, params: { result, subscription } });
      }
    },
  };
}

function ofSlots({ slots }: SolanaChain): Subscription {
  let sent = 0;
  return {
    method: 'slotNotification',
    isOnce: false,
    news() {
      const slot = slots.current();
      if (slot === sent) return undefined;
      sent = slot;
      return { slot, parent: slot - 1, root: slots.at('finalized') };
    },
  };
}

function ofSignature(chain: SolanaChain, [signature, options]: Params): Subscription {
  const { slots } = chain;
  const commitment = commitmentIn(options);
  return {
    method: 'signatureNotification',
    isOnce: true,
    news() {
      const found = chain.find(signature);
      if (!found || !slots.reaches(found.slot, commitment)) return undefined;
      return { context: { slot: slots.current() }, value: { err: found.error } };
    },
  };
}

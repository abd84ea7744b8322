import { startMeddlingPeer } from '../../proxies/meddling_peer.ts';
import { startPeer } from '../../proxies/peers.ts';

/** Proxies that serve nobody, by the country in which each is for sale. */
interface HostileProxies {
  readonly proxies: readonly { readonly address: string; readonly country: string }[];
  close(): Promise<void>;
}

/** A country of its own for each, so that no client is led there by chance. */
const COUNTRIES = {
  FR: 'resetting',
  IT: 'mute',
  ES: 'silent',
  NO: 'dead',
  JP: 'password',
} as const;
/** It answers in the name of the target. */
const LIAR = 'PL';

export async function openHostileProxies(): Promise<HostileProxies> {
  const liar = await startMeddlingPeer(() => ({ answer: '<p>Buy here.</p>' }));
  const peers = await Promise.all(
    Object.entries(COUNTRIES).map(async ([country, behaviour]) => {
      return { country, ...(await startPeer(behaviour)) };
    }),
  );
  return {
    proxies: [
      ...peers.map(({ address, country }) => ({ address, country })),
      { address: liar.address, country: LIAR },
    ],
    async close() {
      await Promise.all([liar.close(), ...peers.map((peer) => peer.close())]);
    },
  };
}

/** Countries whose proxies end a connection soon, and those for which a client waits. */
export const HOSTILE_COUNTRIES = {
  quick: ['FR', 'NO', 'JP', LIAR],
  slow: ['IT', 'ES'],
} as const;

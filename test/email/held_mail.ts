import type { Address } from '../../shared/email/address.ts';
import type { TestPlatform } from '../harness.ts';

/**
 * Look-ups of addresses, of this domain or of any, wait until `release`. They wait as long as that
 * takes: a name server that does not answer delays a look-up by three seconds at most.
 */
export function holdMail(platform: TestPlatform, domain?: string) {
  const gateways = platform.context.gateways!;
  const { mail } = gateways;
  let open!: () => void;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const held = {
    /** Look-ups that wait. */
    count: 0,
    release(): void {
      Object.assign(gateways, { mail });
      open();
    },
  };
  async function examine(address: Address, tree: number) {
    if (domain === undefined || address.domain === domain) {
      held.count += 1;
      await gate;
    }
    return mail.examine(address, tree);
  }
  Object.assign(gateways, { mail: { examine } });
  return held;
}

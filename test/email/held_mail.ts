import type { Address } from '../../shared/email/address.ts';
import type { TestPlatform } from '../harness.ts';

/**
 * Whoever is to be told about an address, of this domain or of any, waits until `letGo`. As long as
 * that takes: a name server that is silent holds nobody for more than three seconds.
 */
export function holdMail(platform: TestPlatform, domain?: string) {
  const gateways = platform.context.gateways!;
  const { mail } = gateways;
  let open!: () => void;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const held = {
    /** How many wait. */
    count: 0,
    letGo(): void {
      Object.assign(gateways, { mail });
      open();
    },
  };
  async function examine(address: Address) {
    if (domain === undefined || address.domain === domain) {
      held.count += 1;
      await gate;
    }
    return mail.examine(address);
  }
  Object.assign(gateways, { mail: { examine } });
  return held;
}

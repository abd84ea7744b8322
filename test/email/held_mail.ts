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
  const examine: typeof mail.examine = async (addresses, call) => {
    const waiting = addresses.filter((one) => domain === undefined || one.domain === domain);
    held.count += waiting.length;
    if (waiting.length > 0) await gate;
    return mail.examine(addresses, call);
  };
  Object.assign(gateways, { mail: { examine } });
  return held;
}

import { BlockedTarget, type Egress } from '../../../shared/platform/egress/egress.ts';

const SERVERS_MAX = 2;
const MACHINES_MAX = 3;

/** Addresses of mail servers, because the machine is the one that wants to be left alone. */
export async function machinesOf(hosts: readonly string[], port: number, egress: Egress) {
  const machines: { ip: string; host: string }[] = [];
  let isReachable = false;
  for (const host of hosts.slice(0, SERVERS_MAX)) {
    try {
      const found = await egress.addressesOf({ host, port });
      machines.push(...found.slice(0, MACHINES_MAX - 1).map((ip) => ({ ip, host })));
      isReachable = true;
    } catch (error) {
      isReachable ||= !hasNoAddress(error);
    }
  }
  return { machines: machines.slice(0, MACHINES_MAX), isReachable };
}

/** Whether the host has no address, or none that we may connect to. */
function hasNoAddress(error: unknown): boolean {
  if (error instanceof BlockedTarget) return true;
  const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
  return cause?.code === 'ENOTFOUND' || cause?.code === 'ENODATA';
}

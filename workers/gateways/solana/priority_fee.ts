import { RpcRefusal } from '../rpc/refusal.ts';

/** Compute units that a collection may use. It is billed for these, whatever it uses. */
export const UNITS_MAX = 100_000;
const MICROS_A_LAMPORT = 1_000_000;
/** Most transactions of late were taken with less. */
const SHARE = 0.75;

interface RecentFee {
  /** Micro-lamports for a compute unit. */
  readonly prioritizationFee: number;
}

/**
 * Micro-lamports for each compute unit, so that a transaction is taken while the network is busy:
 * as three of four blocks of late wanted for this account, and no more than the limit for all
 * units. A provider that does not know the method says nothing.
 */
export async function priorityFee(
  ask: <T>(method: string, params: readonly unknown[]) => Promise<T>,
  { account, lamportsMax }: { readonly account: string; readonly lamportsMax: number },
): Promise<number> {
  if (lamportsMax === 0) return 0;
  const params = [[account]];
  const recent = await ask<readonly RecentFee[]>('getRecentPrioritizationFees', params).catch(
    (error: unknown) => {
      if (error instanceof RpcRefusal) return [];
      throw error;
    },
  );
  const fees = recent.map(({ prioritizationFee }) => prioritizationFee).toSorted((a, b) => a - b);
  const wanted = fees[Math.floor((fees.length - 1) * SHARE)] ?? 0;
  const limit = Math.floor((lamportsMax * MICROS_A_LAMPORT) / UNITS_MAX);
  return Number.isSafeInteger(wanted) ? Math.max(0, Math.min(wanted, limit)) : 0;
}

import { OPERATOR_TOKEN } from '../../access/scene.ts';
import type { Paying } from '../../deposits/evm/payer.ts';

type Call = (name: string, input: object, key: string) => Promise<Record<string, unknown>>;

/** A payment without a reference, from an exchange. */
async function tellOfUnclaimed(call: Call, paying: Paying, key: string): Promise<void> {
  const tx_hash = await paying.usdc(paying.recipient, 5_000_000n);
  await paying.finalize();
  await call('evm_verify', { tx_hash, network: 'base' }, key);
  const statement = 'It is withdrawal 4711 of my account at the exchange, of 10:15 UTC.';
  const { claims } = await call('claim_deposit', { rail: 'base', tx_id: tx_hash, statement }, key);
  await call('list_deposit_claims', {}, key);
  await call('list_unclaimed_payments', { waiting: true }, OPERATOR_TOKEN);
  const [{ deposit_id }] = claims as [{ deposit_id: number }];
  const evidence = 'The exchange names another customer.';
  await call(
    'decide_unclaimed_payment',
    { deposit_id, decision: 'refuse', evidence },
    OPERATOR_TOKEN,
  );
}

/** Each operation of EVM networks once: who asks how to pay pays, and has it credited. */
export async function tellOfEvm(call: Call, paying: Paying, key: string): Promise<void> {
  const { reference } = await call('evm_info', {}, key);
  await call('evm_abi', {}, key);
  const tx_hash = await paying.byRouter(String(reference), { usdc: 10_000_000n });
  await paying.finalize();
  await call('evm_verify', { tx_hash, network: 'base' }, key);
  await tellOfUnclaimed(call, paying, key);
}

import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, OneOf, Output, Text, Time } from '../../kernel/schema.ts';
import { column, execute, rows } from '../../platform/rows.ts';
import { FAMILIES, spellingOf } from '../chain/networks.ts';

/** For a wallet that was sold, or lost: whoever has it now may link it. */
export const unlinkWallet = operation({
  name: 'unlink_wallet',
  title: 'Unlink a wallet',
  summary:
    'Ends that an outside wallet is linked to an agent of yours. What it pays from now on is ' +
    'credited to nobody without a reference; what it paid before stays that agent’s. Free.',
  access: 'owner',
  mode: 'write',
  domain: 'deposits',
  rest: 'POST /api/v1/wallets/unlink',
  refusals: ['not_found'],
  input: Input({
    network: OneOf(FAMILIES, 'evm: Base, Arbitrum and Ethereum.'),
    address: Text(20, 100, 'Of the wallet.'),
  }),
  output: Output('UnlinkedWallet', {
    network: OneOf(FAMILIES, 'As it was named.'),
    address: Text(1, 100, 'Of the wallet, as it is compared.'),
    agent_id: Id('Whose it was.'),
    unlinked_at: Time('Since when it is nobody’s.'),
  }),

  async handle({ db, caller }, { network, address: named }) {
    const address = spellingOf(network, named);
    const links = 'family = $1 and address = $2 and root_id = $3 and unlinked_at is null';
    const whose = [network, address, caller.rootId];
    // First the lock, then the clock: what was bound meanwhile is of before.
    await execute(db, `select from linked_wallet where ${links} for update`, whose);
    const [unlinked] = await rows(
      db,
      { agent_id: column.id, unlinked_at: column.time },
      `update linked_wallet set unlinked_at = clock_timestamp() where ${links}
       returning agent_id, unlinked_at`,
      whose,
    );
    if (!unlinked) throw new Refusal('not_found', 'No agent of yours has linked this wallet.');
    const { agent_id, unlinked_at } = unlinked;
    return { network, address, agent_id, unlinked_at: unlinked_at.toISOString() };
  },
});

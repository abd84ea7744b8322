import { operation } from '../../../kernel/operation.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Id, Input, OneOf, Output, Text, Time } from '../../../kernel/schema.ts';
import { column, execute, rows } from '../../../platform/rows.ts';
import { FAMILIES, spellingOf } from '../chain/networks.ts';

/** For a wallet that was sold or lost: its new owner may then link it. */
export const unlinkWallet = operation({
  name: 'unlink_wallet',
  title: 'Unlink a wallet',
  summary:
    'Unlinks an outside wallet from an agent of yours. Its later payments are credited to nobody ' +
    'without a reference; earlier ones stay with that agent. Free.',
  phrasings: `
    disconnect an external wallet; remove my linked crypto address; unbind MetaMask or Phantom;
    detach my crypto wallet; forget my linked address; the linked wallet is no longer mine;
    delete linked address; stop recognising payments from my wallet; disconnect my crypto
    wallet; remove wallet; I sold that wallet, remove it; untie my wallet; take my address off
    this account`,
  access: 'owner',
  mode: 'write',
  rest: 'POST /api/v1/wallets/unlink',
  refusals: ['not_found'],
  input: Input({
    network: OneOf(FAMILIES, 'evm: Base, Arbitrum and Ethereum.'),
    address: Text(20, 100, 'Address of the wallet.'),
  }),
  output: Output('UnlinkedWallet', {
    network: OneOf(FAMILIES, 'Network as given.'),
    address: Text(1, 100, 'Address in canonical form.'),
    agent_id: Id('The agent it was linked to.'),
    unlinked_at: Time('Time of unlinking.'),
  }),

  async handle({ db, caller }, { network, address: named }) {
    const address = spellingOf(network, named);
    const links = 'family = $1 and address = $2 and root_id = $3 and unlinked_at is null';
    const whose = [network, address, caller.rootId];
    // The time is taken after the lock: payments bound while waiting came before it.
    await execute(db, `select from linked_wallet where ${links} for update`, whose);
    const [unlinked] = await rows(
      db,
      { agent_id: column.id, unlinked_at: column.time },
      `update linked_wallet set unlinked_at = clock_timestamp() where ${links}
       returning agent_id, unlinked_at`,
      whose,
    );
    if (!unlinked) throw new Refusal('not_found', 'None of your agents has linked this wallet.');
    const { agent_id, unlinked_at } = unlinked;
    return { network, address, agent_id, unlinked_at: unlinked_at.toISOString() };
  },
});

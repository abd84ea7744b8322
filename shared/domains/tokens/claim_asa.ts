import { isAlgorandAddress } from '../deposits/algorand/address.ts';
import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, invalid, Text } from '../../kernel/schema.ts';
import { execute } from '../../platform/rows.ts';
import { deployTokens } from './deploy_tokens.ts';
import { AsaView, asaViewOf, networkOn, ownToken, type Token } from './token.ts';

interface Asked {
  readonly algoId: number;
  readonly isClaimed: boolean;
}

/**
 * Sends the whole supply of an asset to its issuer, once. The transfer is a token that is issued
 * like the others: signed, stored and then sent, so that no crash sends it twice.
 */
export const claimAsa = operation({
  name: 'claim_asa',
  title: 'Claim a token',
  summary:
    'Sends the whole supply of an asset that you issued to an Algorand address of yours, which ' +
    'must have opted in to it. Once, and for good. Free. The address decides about it then.',
  phrasings: `
    withdraw my tokens to my own wallet; send the supply of my coin to my address; get my issued
    tokens out; move my ASA to my Algorand account; take custody of the asset I issued; transfer
    the whole supply to me; I want to hold my own tokens; claim my token supply`,
  access: 'sell',
  mode: 'job',
  queue: 'network',
  rest: 'POST /api/v1/asa/:asset_id/claim',
  effects: { destructive: true },
  refusals: ['not_found', 'invalid_transition', 'rail_unavailable'],
  input: Input({
    asset_id: Id('The asset. From issue_asa.'),
    address: Text(58, 58, 'Your Algorand address, which has opted in to the asset.'),
  }),
  output: AsaView,

  async prepare(tx, { asset_id: id, address }): Promise<Asked> {
    networkOn(tx.config.tokens, 'algorand');
    const token = await ownToken(tx, { id, kind: 'asa' });
    assertClaimable(token, address);
    return { algoId: token.algo_id!, isClaimed: token.claim_address !== null };
  },

  gather: async ({ tokens }, { address }, _call, { algoId, isClaimed }) =>
    isClaimed || (await tokens.hasOptedIn(algoId, address)),

  async handle(tx, { asset_id: id, address }, hasOptedIn) {
    const token = await ownToken(tx, { id, kind: 'asa' });
    assertClaimable(token, address);
    if (!hasOptedIn) {
      throw new Refusal(
        'invalid_transition',
        `${address} has not opted in to the asset ${token.algo_id}. Send a transfer of 0 units of ` +
          'it from that address to itself, and call again.',
        { algo_asset_id: token.algo_id },
      );
    }
    if (token.claim_address === null) await begin(tx, token, address);
    const claimed = await ownToken(tx, { id, kind: 'asa' });
    // The address of the first counts where two claims came at once.
    assertClaimable(claimed, address);
    return asaViewOf(claimed);
  },
});

function assertClaimable({ id, algo_id, claim_address }: Token, address: string): void {
  if (!isAlgorandAddress(address)) {
    throw invalid([{ pointer: '/address', message: 'must be an address of Algorand' }]);
  }
  if (algo_id === null) {
    throw new Refusal('invalid_transition', `The asset ${id} is not deployed. See get_asa.`);
  }
  if (claim_address === null || claim_address === address) return;
  throw new Refusal('invalid_transition', `The asset ${id} was claimed for ${claim_address}.`);
}

type Tx = Parameters<typeof ownToken>[0];

async function begin(tx: Tx, { id, network }: Token, address: string): Promise<void> {
  const { agentId, rootId } = tx.caller;
  await execute(
    tx.db,
    `insert into token (kind, network, call_id, agent_id, root_id, address, contract_id)
     values ('claim', $1, $2, $3, $4, $5, $6)
     on conflict (contract_id) where kind = 'claim' and status <> 'failed' do nothing`,
    [network, tx.key, agentId, rootId, address, id],
  );
  await tx.enqueue(deployTokens, {}, { cause: 'deploy' });
}

import { randomBytes } from 'node:crypto';

import { operation, type Tx } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, invalid, Nullable, OneOf, Output, Text, Time } from '../../kernel/schema.ts';
import { Type } from '../../kernel/schema.ts';
import { column, execute, oneOf, rows, type Row } from '../../platform/rows.ts';
import { claimText } from './claim_text.ts';
import type { SignedOn } from './wallet_gateway.ts';
import { FAMILIES, spellingOf, type Family } from '../chain/networks.ts';

/** So long a message may be signed. */
const MINUTES = 15;

/** Proves whose a wallet is. Its first call gives what is to be signed, its second takes that. */
export const linkWallet = operation({
  name: 'link_wallet',
  title: 'Link a wallet',
  summary:
    'Makes an outside wallet yours: what it pays to the platform is credited to you, also without ' +
    'a reference. Call it without a signature for the message to sign, sign that with the wallet, ' +
    'and call it again with the signature. Free.',
  access: 'buy',
  mode: 'job',
  domain: 'deposits',
  queue: 'network',
  rest: 'POST /api/v1/wallets/link',
  refusals: ['signature_invalid', 'wallet_taken'],
  input: Input({
    network: OneOf(FAMILIES, 'evm: Base, Arbitrum and Ethereum.'),
    address: Text(20, 100, 'Of the wallet.'),
    signature: Type.Optional(
      Text(
        64,
        4_000,
        'Of the message. evm: personal_sign; of a contract what its isValidSignature takes ' +
          '(EIP-1271). tron: signMessageV2. All in hex. solana: signMessage, in base 58 or ' +
          'base64. algorand: signBytes, in base64.',
      ),
    ),
  }),
  output: Output('WalletLink', {
    network: OneOf(FAMILIES, 'As it was named.'),
    address: Text(1, 100, 'Of the wallet, as its networks show it.'),
    linked: Type.Boolean({ description: 'Whether it is yours.' }),
    agent_id: Id('You.'),
    message: Nullable(Text(1, 2_000, 'To be signed, as it is; null: it was.')),
    expires_at: Nullable(Time('Until when that can be.')),
  }),

  prepare: (tx, { network, signature }) =>
    signature === undefined ? Promise.resolve(undefined) : findChallenge(tx, network),

  async gather({ wallets }, { network, address: named, signature }, _call, challenge) {
    const address = wallets.addressOf(network, named);
    if (!challenge || signature === undefined || challenge.address !== address) {
      return { address, signed: undefined };
    }
    const { text, nonce } = challenge;
    const on = await wallets.signedOn(network, { address, text, signature });
    return { address, signed: on.length > 0 ? { nonce, on } : undefined };
  },

  async handle(tx, { network, signature }, { address, signed }) {
    if (address === undefined) {
      throw invalid([{ pointer: '/address', message: `is no address of ${network}` }]);
    }
    const link = { network, address, agent_id: tx.caller.agentId };
    if (signature === undefined && !(await isLinked(tx, network, address))) {
      return { ...link, linked: false, ...(await challenge(tx, network, address)) };
    }
    if (signature !== undefined) await redeem(tx, { family: network, address, signed });
    return { ...link, linked: true, message: null, expires_at: null };
  },
});

const CHALLENGE = {
  family: oneOf<Family>(),
  address: column.text,
  nonce: column.text,
  issued_at: column.time,
  expires_at: column.time,
};

/** What the caller was given to sign last, if it still may be. */
async function findChallenge(tx: Tx, family: Family) {
  const [found] = await rows(
    tx.db,
    CHALLENGE,
    `select family, address, nonce, issued_at, expires_at from wallet_challenge
      where agent_id = $1 and family = $2 and expires_at > now()`,
    [tx.caller.agentId, family],
  );
  return found && { ...found, text: textOf(tx, found) };
}

const textOf = ({ caller, config }: Tx, challenge: Row<typeof CHALLENGE>): string =>
  claimText({ ...challenge, agentId: caller.agentId, publicUrl: config.api.publicUrl });

async function isLinked({ db, caller }: Tx, family: Family, address: string): Promise<boolean> {
  const held = await rows(
    db,
    {},
    `select from linked_wallet
      where family = $1 and address = $2 and agent_id = $3 and unlinked_at is null`,
    [family, spellingOf(family, address), caller.agentId],
  );
  return held.length > 0;
}

/** A new message, instead of the one before. */
async function challenge(tx: Tx, family: Family, address: string) {
  const nonce = randomBytes(16).toString('hex');
  const [made] = await rows(
    tx.db,
    CHALLENGE,
    `insert into wallet_challenge (agent_id, family, address, nonce, issued_at, expires_at)
     values ($1, $2, $3, $4, date_trunc('milliseconds', now()),
             date_trunc('milliseconds', now()) + interval '${MINUTES} min')
     on conflict (agent_id) do update
       set family = excluded.family, address = excluded.address, nonce = excluded.nonce,
           issued_at = excluded.issued_at, expires_at = excluded.expires_at
     returning family, address, nonce, issued_at, expires_at`,
    [tx.caller.agentId, family, address, nonce],
  );
  return { message: textOf(tx, made!), expires_at: made!.expires_at.toISOString() };
}

interface Claim {
  readonly family: Family;
  readonly address: string;
  /** Undefined: nothing of ours was. */
  readonly signed: { readonly nonce: string; readonly on: SignedOn } | undefined;
}

/** Uses the signed message up, once, and links the wallet. */
async function redeem({ db, caller }: Tx, { family, address, signed }: Claim): Promise<void> {
  const used =
    signed !== undefined &&
    (await execute(db, 'delete from wallet_challenge where agent_id = $1 and nonce = $2', [
      caller.agentId,
      signed.nonce,
    ]));
  if (!signed || used !== 1) {
    throw new Refusal(
      'signature_invalid',
      'This is not the signature of this wallet for the message that you were given last, or ' +
        `that is older than ${MINUTES} minutes. Ask for a message, and sign it as it is.`,
    );
  }
  const networks = signed.on === 'all' ? ['all'] : signed.on;
  const linked = await execute(
    db,
    `insert into linked_wallet as known (family, address, agent_id, root_id, network)
     select $1, $2, $3, $4, network from unnest($5::text[]) network order by network
     on conflict (family, address, network) where unlinked_at is null
     do update set linked_at = known.linked_at
      where known.agent_id = excluded.agent_id
     returning address`,
    [family, spellingOf(family, address), caller.agentId, caller.rootId, networks],
  );
  if (linked === networks.length) return;
  throw new Refusal('wallet_taken', 'The wallet is linked to another agent already.');
}

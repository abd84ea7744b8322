import { randomBytes } from 'node:crypto';

import { operation } from '../../../kernel/operation.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Id, Input, invalid, Nullable, OneOf, Output, Text, Time } from '../../../kernel/schema.ts';
import { Type } from '../../../kernel/schema.ts';
import { column, execute, oneOf, rows, type Row } from '../../../platform/rows.ts';
import { claimText } from './claim_text.ts';
import type { SignatureNetworks } from './wallet_gateway.ts';
import { chainOf, FAMILIES, PAID_RAILS, spellingOf, type Family } from '../chain/networks.ts';
import { creditBound } from '../unclaimed/credit_bound.ts';

/** Validity of a message to sign. */
const MINUTES = 15;

/** Proves ownership of a wallet: the first call returns a message, the second its signature. */
export const linkWallet = operation({
  name: 'link_wallet',
  title: 'Link a wallet',
  summary:
    'Links an outside wallet to you: its payments to the platform are credited to you, also ' +
    'without a reference, and those of before that were credited to nobody. Call it without signature to get a message, sign that with the wallet, ' +
    'and call it again with the signature. Free.',
  phrasings: `
    prove that an external wallet is mine; connect my MetaMask or Phantom address; sign a
    message to bind my crypto address; link an account on a chain; attach my own crypto address;
    prove ownership of a wallet by signature; register my Solana or EVM wallet; payments from my
    wallet should count without memo; connect a crypto wallet; add my own address; verify that I
    own an address; sign in with my wallet; associate my blockchain address with this account;
    whitelist my sending address; this wallet belongs to me; tie my wallet to this account; hook
    up my wallet; recognise payments from my address; sign to show that I control an address`,
  access: 'buy',
  mode: 'job',
  queue: 'network',
  rest: 'POST /api/v1/wallets/link',
  refusals: ['signature_invalid', 'wallet_taken'],
  input: Input({
    network: OneOf(FAMILIES, 'evm: Base, Arbitrum and Ethereum.'),
    address: Text(20, 100, 'Address of the wallet.'),
    signature: Type.Optional(
      Text(
        64,
        4_000,
        'Signature of the message. evm: personal_sign, or for a contract the argument of ' +
          'isValidSignature (EIP-1271), in hex. tron: signMessageV2, in hex. solana: ' +
          'signMessage, in base 58 or base64. algorand: signBytes, in base64.',
      ),
    ),
  }),
  output: Output('WalletLink', {
    network: OneOf(FAMILIES, 'Network as given.'),
    address: Text(1, 100, 'Address in standard form.'),
    linked: Type.Boolean({ description: 'The wallet is linked to you.' }),
    agent_id: Id('Your id.'),
    message: Nullable(Text(1, 2_000, 'Message to sign unchanged; null: linked.')),
    expires_at: Nullable(Time('Expiry of the message.')),
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
      throw invalid([{ pointer: '/address', message: `must be an address of ${network}` }]);
    }
    const link = { network, address, agent_id: tx.caller.agentId };
    if (signature === undefined && !(await isLinked(tx, network, address))) {
      return { ...link, linked: false, ...(await challenge(tx, network, address)) };
    }
    if (signature !== undefined) {
      await redeem(tx, { family: network, address, signed });
      const rails = PAID_RAILS.filter((rail) => chainOf(rail).family === network);
      await creditBound(tx, rails, { sender: spellingOf(network, address) });
    }
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

/** The last message for the caller to sign, if it is still valid. */
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

/** Creates a message in place of the previous one. */
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

/** Whether the wallet is linked to the caller, and no message waits for its signature. */
async function isLinkedBefore(
  tx: Tx,
  { family, address }: Pick<Claim, 'family' | 'address'>,
): Promise<boolean> {
  const waiting = await rows(
    tx.db,
    {},
    `select from wallet_challenge
      where agent_id = $1 and family = $2 and address = $3 and expires_at > now()`,
    [tx.caller.agentId, family, address],
  );
  return waiting.length === 0 && isLinked(tx, family, address);
}

interface Claim {
  readonly family: Family;
  readonly address: string;
  /** The signed message; undefined: the signature is of none of our messages. */
  readonly signed: { readonly nonce: string; readonly on: SignatureNetworks } | undefined;
}

/** Uses up the signed message and links the wallet. */
async function redeem(tx: Tx, { family, address, signed }: Claim): Promise<void> {
  const { db, caller } = tx;
  const used =
    signed !== undefined &&
    (await execute(db, 'delete from wallet_challenge where agent_id = $1 and nonce = $2', [
      caller.agentId,
      signed.nonce,
    ]));
  if (!signed || used !== 1) {
    // A repeat of the call that has linked it.
    if (await isLinkedBefore(tx, { family, address })) return;
    throw new Refusal(
      'signature_invalid',
      'signature is not by this wallet for your last message, or that message is older than ' +
        `${MINUTES} minutes. Call without signature for a new message, and sign it unchanged.`,
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
  throw new Refusal('wallet_taken', 'This wallet is already linked to another agent.');
}

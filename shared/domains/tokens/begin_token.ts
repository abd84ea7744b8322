import { emit } from '../events/events.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { fromUsd, toUsd } from '../../kernel/money.ts';
import { column, rows } from '../../platform/rows.ts';
import { charge } from '../wallet/charge.ts';
import { deployTokens } from './deploy_tokens.ts';
import { deployCollections } from './deploy_collections.ts';
import { findTokens, networkOn, PRODUCT_TYPE, railOfKind, type Token } from './token.ts';

/** A token to be issued. The fields of other kinds are absent. */
interface TokenRequest {
  readonly kind: Token['kind'];
  readonly name?: string;
  readonly unitName?: string;
  readonly totalSupply?: bigint;
  readonly decimals?: number;
  readonly address?: string;
  readonly uri?: string;
}

/** Takes the fee and records the token; a worker issues it. Refuses a second collection. */
export async function beginToken(tx: Tx, asked: TokenRequest): Promise<Token> {
  const { tokens } = tx.config;
  const { kind } = asked;
  const rail = railOfKind(kind);
  const network = networkOn(tokens, rail);
  const paid = await charge(tx, {
    service: PRODUCT_TYPE,
    units: 1,
    unitPrice: fromUsd(tokens.fees[kind]),
    title: titleOf(asked),
  });
  const { agentId, rootId } = tx.caller;
  const [made] = await rows(
    tx.db,
    { id: column.id },
    `insert into token (kind, network, call_id, agent_id, root_id, charge_id, name, unit_name,
                        total_supply, decimals, address, uri)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (agent_id) where kind = 'collection' and status <> 'failed' do nothing
     returning id`,
    [
      kind,
      network,
      tx.key,
      agentId,
      rootId,
      paid.id,
      asked.name ?? null,
      asked.unitName ?? null,
      asked.totalSupply?.toString() ?? null,
      asked.decimals ?? null,
      asked.address ?? null,
      asked.uri ?? null,
    ],
  );
  if (!made) {
    throw new Refusal(
      'invalid_transition',
      'You already have a collection. See solana_collection.',
    );
  }
  const { id } = made;
  await emit(tx.db, [
    {
      agentId,
      type: `${kind}.requested`,
      object: { kind, id, status: 'pending' },
      data: { token_id: id, amount: toUsd(paid.amount) },
    },
  ]);
  const deploy = rail === 'solana' ? deployCollections : deployTokens;
  await tx.enqueue(deploy, {}, { cause: 'deploy' });
  const [token] = await findTokens(tx.db, 't.id = $1', [id]);
  return token!;
}

function titleOf({ kind, name }: TokenRequest): string {
  if (kind === 'nft') return 'An NFT';
  return kind === 'asa' ? `Asset ${name}` : `Collection ${name}`;
}

import { emit } from '../events/events.ts';
import type { Tx } from '../kernel/operation.ts';
import { fromUsd, toUsd } from '../ledger/money.ts';
import { column, row } from '../platform/rows.ts';
import { charge } from '../wallet/charge.ts';
import { deployTokens } from './deploy_tokens.ts';
import { findTokens, issuerOf, networkOf, PRODUCT_TYPE, type Token } from './token.ts';

/** What is to be issued. The other kind's fields are absent. */
interface Asked {
  readonly kind: Token['kind'];
  readonly name?: string;
  readonly unitName?: string;
  readonly totalSupply?: bigint;
  readonly decimals?: number;
  readonly address?: string;
  readonly uri?: string;
}

/** Takes the fee and records the token; a worker issues it. */
export async function beginToken(tx: Tx, asked: Asked): Promise<Token> {
  const { tokens } = tx.config;
  const network = networkOf(issuerOf(tokens));
  const { kind } = asked;
  const title = kind === 'asa' ? `Asset ${asked.name}` : 'An NFT';
  const paid = await charge(tx, {
    service: PRODUCT_TYPE,
    units: 1,
    unitPrice: fromUsd(tokens.fees[kind]),
    title,
  });
  const { agentId, rootId } = tx.caller;
  const { id } = await row(
    tx.db,
    { id: column.id },
    `insert into token (kind, network, call_id, agent_id, root_id, charge_id, name, unit_name,
                        total_supply, decimals, address, uri)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id`,
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
  await emit(tx.db, [
    {
      agentId,
      type: `${kind}.requested`,
      object: { kind, id, status: 'pending' },
      data: { token_id: id, amount: toUsd(paid.amount) },
    },
  ]);
  await tx.enqueue(deployTokens, {}, { cause: 'deploy' });
  const [token] = await findTokens(tx.db, 't.id = $1', [id]);
  return token!;
}

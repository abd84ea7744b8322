import { published } from '../../shared/composition/catalog.ts';
import type { Context } from '../../shared/composition/context.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import type { X402Rail } from '../../shared/domains/x402/settings.ts';
import { requirementsOf } from '../../shared/domains/x402/terms.ts';
import { documentRoute, JSON_TYPE } from '../docs/document.ts';
import { restInputOf, shown, withoutCondition } from '../http/schemas.ts';
import type { Route } from '../http/routes.ts';
import { FOR_SALE } from './payment_headers.ts';

const PATH = '/.well-known/x402';

/**
 * The list of what can be bought by x402 without a key, for clients and crawlers of such services.
 * There is no standard for it: some crawlers read `version` and `resources`, others `x402Version`
 * and `items`. The price of a call is in its 402.
 */
export function x402Routes({ config: { x402: rail, api } }: Context): Route[] {
  if (!rail) return [];
  const read = () => JSON.stringify(manifestOf(rail, api.publicUrl));
  return [documentRoute(PATH, { type: JSON_TYPE, read })];
}

function manifestOf(rail: X402Rail, url: string): object {
  const items = published
    .filter((op) => op.paid?.soldWithoutKey !== undefined)
    .map((op) => itemOf(op, url + FOR_SALE));
  const { amount: _, ...terms } = requirementsOf(rail, 0n);
  return {
    version: 1,
    x402Version: 2,
    resources: items.map(({ resource }) => resource),
    items,
    accepts: [terms],
    instructions: `${url}/llms.txt`,
  };
}

function itemOf(op: AnyOperation, url: string) {
  const [method, path] = op.rest!.split(' ') as [string, string];
  return {
    resource: url + path.replaceAll(/:(\w+)/g, '{$1}'),
    method,
    description: op.summary,
    mimeType: 'application/json',
    input: shown(withoutCondition(restInputOf(op))),
  };
}

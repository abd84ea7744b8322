import { operation } from '../../../kernel/operation.ts';
import { invalid } from '../../../kernel/invalid.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Input, Output, Type } from '../../../kernel/schema.ts';
import { canonicalOf, isAddress, kindOf, unmapped } from '../../../platform/egress/addresses.ts';
import { execute } from '../../../platform/rows.ts';
import { findOrMakeKey } from '../sale/keys.ts';
import { ACCESS_FIELDS, ADDRESSES_MAX, findAccess } from './access_view.ts';

export const setProxyAddresses = operation({
  name: 'set_proxy_addresses',
  title: 'Set addresses that need no proxy password',
  summary:
    'Replaces the list of public addresses whose clients use the rotating proxies without a ' +
    'password, for programs that cannot send one. Everybody behind such an address uses them at ' +
    'your cost: never list one that you share. An empty list ends it, with open connections. Free.',
  phrasings: `
    allow my server to use the proxies without a password; whitelist an IP for the rotating
    gateway; my browser cannot send a SOCKS password; IP authentication instead of user and
    password; add my address to the allow list; remove an address from the proxy allow list;
    authorize by source IP; use the proxy in Chrome without login`,
  access: 'buy',
  mode: 'write',
  rest: 'PUT /api/v1/proxy/my-key/addresses',
  effects: { idempotent: true },
  refusals: ['address_taken'],
  input: Input({
    addresses: Type.Array(
      Type.String({ minLength: 2, maxLength: 45, description: 'An address.' }),
      {
        maxItems: ADDRESSES_MAX,
        description: 'Public IPv4 or IPv6 addresses, one by one and not ranges; at most 16.',
      },
    ),
  }),
  output: Output('ProxyAddresses', ACCESS_FIELDS),

  async handle(tx, { addresses: given }) {
    const { agentId } = tx.caller;
    const canonical = given.map(publicAddress);
    const addresses = [...new Set(canonical)];
    // The API key that lists addresses gets what the proxy key gives, so it counts as a reader.
    await findOrMakeKey(tx);
    await execute(tx.db, 'select from proxy_key where agent_id = $1 for update', [agentId]);
    await execute(
      tx.db,
      'delete from proxy_address where agent_id = $1 and address <> all ($2::inet[])',
      [agentId, addresses],
    );
    // In one order, so that two lists with the same addresses do not wait for each other.
    await execute(
      tx.db,
      `insert into proxy_address (address, agent_id)
       select address, $1 from unnest($2::inet[]) as address order by address
       on conflict do nothing`,
      [agentId, addresses],
    );
    const access = await findAccess(tx.db, agentId);
    const index = canonical.findIndex((address) => !access.addresses.includes(address));
    if (index < 0) return access;
    throw new Refusal('address_taken', `addresses[${index}] stands for another proxy key.`, {
      index,
    });
  },
});

/** The address in its canonical form. A private one is that of a router of ours, or of anybody. */
function publicAddress(text: string, index: number): string {
  const given = text.trim();
  const refuse = (message: string) => invalid([{ pointer: `/addresses/${index}`, message }]);
  if (RANGE.test(given)) throw refuse('must be an IP address, and not a range');
  const address = unmapped(given);
  if (isAddress(address) && kindOf(address) === 'public') return canonicalOf(address);
  throw refuse('must be a public IP address');
}

/** Forms of ranges: 8.8.8.0/24, 8.8.8.* and 8.8.8.1-8.8.8.9. */
const RANGE = /^[\da-f.:]+(?:\/\d+|\*|\s*-\s*[\da-f.:]+)$/i;

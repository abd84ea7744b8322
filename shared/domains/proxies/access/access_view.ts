import { Nullable, Output, Text, Time, Type, type Static } from '../../../kernel/schema.ts';
import { column, row, type Database } from '../../../platform/rows.ts';

/** Maximum addresses that stand for one key. */
export const ADDRESSES_MAX = 16;

/** How clients get in beside the password, and why the last one did not. */
export const ACCESS_FIELDS = {
  addresses: Type.Array(Text(2, 45, 'An address.'), {
    maxItems: ADDRESSES_MAX,
    description: 'Addresses whose clients need no password; set_proxy_addresses sets them.',
  }),
  last_refusal: Nullable(
    Output('ProxyRefusal', {
      code: Text(1, 60, 'Code of the refusal, as in other errors.'),
      message: Text(1, 500, 'The reason.'),
      at: Time('Time of the refusal.'),
    }),
  ),
};
const ProxyAccess = Output(ACCESS_FIELDS);

/** The access of an agent's clients. */
export async function findAccess(
  db: Database,
  agentId: number,
): Promise<Static<typeof ProxyAccess>> {
  const found = await row(
    db,
    { addresses: column.texts, last_refusal: column.json },
    `select array(select host(address) from proxy_address where agent_id = $1
                   order by address) as addresses,
            (select json_build_object('code', code, 'message', message, 'at',
                      to_char(refused_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
               from proxy_refusal where agent_id = $1) as last_refusal`,
    [agentId],
  );
  return found as Static<typeof ProxyAccess>;
}

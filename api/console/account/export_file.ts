import type { HttpContext } from '../../http/routes.ts';
import { accountRecord } from '../../../shared/domains/agents/account/account_record.ts';
import type { WebSession } from '../../../shared/domains/agents/sessions/sessions.ts';
import { treePolicies } from '../../../shared/domains/policies/tree_policies.ts';
import type { Console } from '../render.tsx';

/** Path below that of the account. */
export const EXPORT = '/export';

const PAGE = 100;

/** A list of an operation, with the number of entries at most that the file holds. */
interface ExportedList {
  readonly operation: string;
  readonly input?: object;
  readonly max: number;
}

/** The newest of each; the operation has the others. Amounts are in dollars. */
const LISTS: Readonly<Record<string, ExportedList>> = {
  agents_below: { operation: 'list_children', max: 1_000 },
  connected_apps: { operation: 'list_connections', max: 200 },
  webhooks: { operation: 'list_webhooks', max: 200 },
  payout_addresses: { operation: 'list_payout_addresses', max: 200 },
  statement: { operation: 'wallet_statement', max: 1_000 },
  deposits: { operation: 'list_deposits', max: 500 },
  withdrawals: { operation: 'list_withdrawals', max: 500 },
  orders_bought: { operation: 'get_orders', input: { below: true }, max: 500 },
  orders_sold: { operation: 'get_orders', input: { below: true, role: 'seller' }, max: 500 },
  products: { operation: 'my_products', input: { below: true }, max: 500 },
  tasks: { operation: 'task_mine', input: { below: true }, max: 500 },
  labor: { operation: 'list_labor_tasks', input: { mine: true, below: true }, max: 500 },
};

const ABOUT =
  'This is what the marketplace holds about your account, without secrets. Lists begin with ' +
  'the newest entry; complete says whether these are all. If they are not, the call in rest gives the ' +
  'others, page by page. The statement is also a CSV file on its page, for any period. Not in ' +
  'here, but given by calls with your key: messages (list_messages), what happened ' +
  '(list_events), calls (list_requests), approvals (list_approvals), bids and results ' +
  '(get_task), labor that you did (labor_claims), issued assets (list_asa, list_nft).';

/** The data of an owner as one JSON text. Each list is bounded, so the text is too. */
export async function exportFile(
  { context, invoke }: Console,
  ctx: HttpContext,
  { caller, settings }: WebSession,
): Promise<string> {
  const { requestId, address } = ctx.state;
  const { database, operations, clock } = context;
  const read = async (name: string, input: object) => {
    const { body } = await invoke(operations.get(name)!, {
      token: undefined,
      // The session was looked up for this request; its token may have been replaced since.
      prove: async () => caller,
      read: () => ({ input, key: undefined, waitMs: 0 }),
      dropUnknown: false,
      requestId,
      address,
      isCounted: false,
    });
    return JSON.parse(body) as Record<string, unknown>;
  };
  const list = async ({ operation, input = {}, max }: ExportedList) => {
    const items: unknown[] = [];
    const isPaged = 'cursor' in operations.get(operation)!.input.properties;
    let cursor: unknown;
    do {
      const paging = isPaged ? { limit: PAGE, ...(cursor ? { cursor } : {}) } : {};
      const answer = await read(operation, { ...input, ...paging });
      items.push(...(Object.values(answer).find(Array.isArray) ?? []));
      cursor = answer.next_cursor;
    } while (cursor && items.length < max);
    const rest = `${operations.get(operation)!.rest} (${operation})`;
    return { complete: !cursor && items.length <= max, rest, items: items.slice(0, max) };
  };
  const lists: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(LISTS)) lists[name] = await list(one);
  const file = {
    about: ABOUT,
    made_at: clock.now().toISOString(),
    ...(await accountRecord(database, caller.agentId)),
    console_settings: { ...settings, askAbove: Number(settings.askAbove) / 1e6 },
    wallet: await read('get_wallet', {}),
    limits: await treePolicies(database, caller.rootId),
    ...lists,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

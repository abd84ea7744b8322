import { operation } from '../../kernel/operation.ts';
import { CountedList } from '../../kernel/paging.ts';
import { Input, OneOf, Type } from '../../kernel/schema.ts';
import { compareNames } from '../../kernel/text.ts';
import { rows } from '../../platform/rows.ts';
import {
  RETURNED,
  STATUSES,
  viewOf,
  type Webhook,
  WEBHOOK_COLUMNS,
  WebhookView,
} from './webhooks.ts';

const SORTS = ['newest', 'oldest', 'url', 'arrived_desc', 'arrived_asc'] as const;

export const listWebhooks = operation({
  name: 'list_webhooks',
  title: 'List webhooks',
  summary: 'Lists your webhooks, and whether events arrive. Free.',
  access: 'owner',
  mode: 'read',
  rest: 'GET /api/v1/webhooks',
  bindings: { tool: false },
  input: Input({
    status: Type.Optional(OneOf(STATUSES, 'Only this status.')),
    sort: Type.Optional(OneOf(SORTS, 'By age, address or last arrival. oldest if absent.')),
  }),
  defaults: { sort: 'oldest' },
  output: CountedList('WebhookList', 'webhooks', WebhookView.schema),

  async handle(tx, { status = null, sort = 'oldest' }) {
    // A tree has few, so there is one page.
    const found = await rows(
      tx.db,
      WEBHOOK_COLUMNS,
      `select ${RETURNED} from webhook where root_id = $1 and ($2::text is null or status = $2) order by id desc`,
      [tx.caller.rootId, status],
    );
    const webhooks = found.sort(COMPARE[sort]).map(viewOf);
    const { length: count } = webhooks;
    return { webhooks, count, next_cursor: null, has_more: false, total_count: count };
  },
});

const lastArrival = ({ last_delivery: at }: Webhook): number => at?.getTime() ?? 0;

/** Equal ones stay newest first. */
const COMPARE: Readonly<Record<(typeof SORTS)[number], (a: Webhook, b: Webhook) => number>> = {
  newest: (a, b) => b.id - a.id,
  oldest: (a, b) => a.id - b.id,
  url: (a, b) => compareNames(a.url, b.url),
  arrived_desc: (a, b) => lastArrival(b) - lastArrival(a),
  arrived_asc: (a, b) => lastArrival(a) - lastArrival(b),
};

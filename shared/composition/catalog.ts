import { OPERATIONS as agents } from '../domains/agents/operations.ts';
import { OPERATIONS as approvals } from '../domains/approvals/operations.ts';
import { OPERATIONS as connections } from '../domains/connections/operations.ts';
import { OPERATIONS as datasets } from '../domains/datasets/operations.ts';
import { OPERATIONS as deposits } from '../domains/deposits/operations.ts';
import { OPERATIONS as digests } from '../domains/digests/operations.ts';
import { OPERATIONS as email } from '../domains/email/operations.ts';
import { OPERATIONS as events } from '../domains/events/operations.ts';
import { OPERATIONS as inbox } from '../domains/inbox/operations.ts';
import { OPERATIONS as jobs } from '../domains/jobs/operations.ts';
import { OPERATIONS as labor } from '../domains/labor/operations.ts';
import { OPERATIONS as mail } from '../domains/mail/operations.ts';
import { OPERATIONS as market } from '../domains/market/operations.ts';
import { OPERATIONS as messages } from '../domains/messages/operations.ts';
import { OPERATIONS as operators } from '../domains/operators/operations.ts';
import { OPERATIONS as orders } from '../domains/orders/operations.ts';
import { OPERATIONS as policies } from '../domains/policies/operations.ts';
import { OPERATIONS as products } from '../domains/products/operations.ts';
import { OPERATIONS as proxies } from '../domains/proxies/operations.ts';
import { OPERATIONS as receipts } from '../domains/receipts/operations.ts';
import { OPERATIONS as records } from '../domains/records/operations.ts';
import { OPERATIONS as requests } from '../domains/requests/operations.ts';
import { OPERATIONS as sandbox } from '../domains/sandbox/operations.ts';
import { OPERATIONS as reviews } from '../domains/reviews/operations.ts';
import { OPERATIONS as tasks } from '../domains/tasks/operations.ts';
import { OPERATIONS as tokens } from '../domains/tokens/operations.ts';
import { OPERATIONS as wallet } from '../domains/wallet/operations.ts';
import { OPERATIONS as webhooks } from '../domains/webhooks/operations.ts';
import { OPERATIONS as withdrawals } from '../domains/withdrawals/operations.ts';
import { OPERATIONS as x402 } from '../domains/x402/operations.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import { indexOperations } from './operation_index.ts';

/** Operations by domain: tools are listed in this order, after those of the specification. */
const DOMAINS: Readonly<Record<string, readonly AnyOperation[]>> = {
  products,
  orders,
  wallet,
  records,
  reviews,
  receipts,
  deposits,
  proxies,
  email,
  tokens,
  tasks,
  labor,
  datasets,
  agents,
  policies,
  approvals,
  connections,
  messages,
  inbox,
  events,
  requests,
  webhooks,
  withdrawals,
  x402,
  market,
  mail,
  digests,
  sandbox,
  jobs,
  operators,
};

/** Every operation. Of two routes with parameters that match, the first is taken. */
export const catalog = indexOperations(Object.values(DOMAINS).flat());

const domains = new Map(
  Object.entries(DOMAINS).flatMap(([domain, list]) => list.map(({ name }) => [name, domain])),
);

/** The domain of an operation: its tag in OpenAPI and its group of tools. */
export const domainOf = ({ name }: Pick<AnyOperation, 'name'>): string => domains.get(name) ?? name;

/** Operations of REST, and operations of MCP. */
export const published = [...catalog.values()].filter((op) => op.rest);
export const tools = indexOperations(published.filter((op) => op.bindings?.tool !== false));

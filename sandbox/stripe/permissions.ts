import { StripeRefusal } from './refusal.ts';

/** Permissions of a restricted key, by the names in Stripe's dashboard. */
export type Permissions = Readonly<Record<string, 'read' | 'write'>>;

/** The permission that requests below a path need: reading for GET, writing for others. */
const PATHS: Readonly<Record<string, string>> = {
  '/v1/customers': 'Customers',
  '/v1/payment_methods': 'PaymentMethods',
  '/v1/checkout/sessions': 'Checkout Sessions',
  '/v1/payment_intents': 'PaymentIntents',
  '/v1/charges': 'Charges and Refunds',
  '/v1/refunds': 'Charges and Refunds',
  '/v1/disputes': 'Disputes',
  '/v1/events': 'Events',
  '/v1/balance_transactions': 'Balance',
};

/** The permission to read an object that a request expands. */
const EXPANDED: Readonly<Record<string, string>> = {
  customer: 'Customers',
  latest_charge: 'Charges and Refunds',
  payment_method: 'PaymentMethods',
  source: 'Balance transaction sources',
};

interface PermittedRequest {
  readonly method: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Refuses what a restricted key may not do, as Stripe does. Stripe publishes no list of what each
 * request needs: these are the names of its dashboard.
 */
export function assertPermitted(permissions: Permissions, request: PermittedRequest): void {
  for (const [name, access] of neededBy(request)) {
    const given = permissions[name];
    if (given === 'write' || given === access) continue;
    throw new StripeRefusal(403, {
      type: 'invalid_request_error',
      code: 'more_permissions_required',
      message:
        'The provided key does not have the required permissions for this endpoint. Having the ' +
        `permission '${name}: ${access}' would allow this request to continue.`,
    });
  }
}

function neededBy({ method, path, fields }: PermittedRequest): [string, 'read' | 'write'][] {
  const [, resource = ''] =
    Object.entries(PATHS).find(([start]) => `${path}/`.startsWith(`${start}/`)) ?? [];
  const { expand = [] } = fields;
  const expanded = [expand].flat().flatMap((one) => String(one).split('.'));
  return [
    [resource, method === 'GET' ? 'read' : 'write'],
    ...expanded.flatMap((field): [string, 'read'][] =>
      EXPANDED[field] === undefined ? [] : [[EXPANDED[field], 'read']],
    ),
    ...(fields.customer === undefined ? [] : [['Customers', 'read'] satisfies [string, 'read']]),
    ...(fields.customer_creation === undefined
      ? []
      : [['Customers', 'write'] satisfies [string, 'write']]),
  ];
}

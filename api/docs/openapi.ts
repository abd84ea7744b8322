import { ApprovalRequired } from '../../shared/domains/approvals/ask.ts';
import { WAIT_SECONDS_MAX } from '../../shared/jobs/settings.ts';
import { published } from '../../shared/composition/catalog.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { DryRun } from '../../shared/kernel/terms/dry_run.ts';
import { CODES } from '../../shared/kernel/refusal.ts';
import type { TSchema } from '../../shared/kernel/schema.ts';
import type { Context } from '../../shared/composition/context.ts';
import type { Route } from '../http/routes.ts';
import { IdempotencyKey, Pending, Refused, shown, Wait } from '../http/schemas.ts';
import { FOR_SALE } from '../x402/payment_headers.ts';
import { paymentTerms } from '../x402/payment_terms.ts';
import { openComponents, type Schema } from './components.ts';
import { documentRoute, JSON_TYPE } from './document.ts';
import { EXAMPLES } from './examples.ts';
import { describeOperation, json, reference } from './openapi_operation.ts';
import { tagOf, tagsOf } from './tags.ts';

/** `GET /openapi.json`: the REST interface, computed from the catalog and from nothing else. */
export function openApiRoutes({ config }: Context): Route[] {
  const read = () => JSON.stringify(openApi(config));
  return [documentRoute('/openapi.json', { type: JSON_TYPE, read })];
}

export function openApi({ api: { publicUrl: url }, x402 }: Context['config']) {
  const components = openComponents();
  components.refer(Pending, 'Pending');
  components.refer(ApprovalRequired, 'ApprovalRequired');
  components.refer(DryRun, 'DryRun');
  components.refer(
    { ...Refused, properties: { ...Refused.properties, error: { $ref: CODE } } },
    'Error',
  );
  const paths: Record<string, Record<string, object>> = {};
  const document = (op: AnyOperation, route: string, operationId: string, terms: object = {}) => {
    const [method, path] = route.split(' ') as [string, string];
    const template = path.replace(/:(\w+)/g, '{$1}');
    const described = {
      operationId,
      ...describeOperation(op, { method, path }, components),
      ...terms,
    };
    paths[template] = { ...paths[template], [method.toLowerCase()]: described };
  };
  const tags = tagsOf(published);
  for (const op of tags.flatMap(({ name }) => published.filter((op) => tagOf(op) === name))) {
    document(op, op.rest!, op.name);
    const { alias } = op.bindings ?? {};
    if (alias && !alias.endsWith('/')) document(op, alias, `${op.name}_alias`);
    if (x402 && op.paid?.soldWithoutKey) {
      document(op, op.rest!.replace(' ', ` ${FOR_SALE}`), `${op.name}_by_x402`, paymentTerms(op));
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Marketplace',
      version: '1.0.0',
      description:
        'A marketplace for autonomous agents. Register (free, $0.50 welcome credit), then send the ' +
        'key as `Authorization: Bearer vnx_…`. The same functions are MCP tools at /api/v1/mcp.',
    },
    servers: [{ url }],
    tags,
    paths,
    components: {
      schemas: {
        ...components.schemas,
        ErrorCode: {
          type: 'string',
          enum: Object.keys(CODES),
          description: 'Error code to act on.',
        },
      },
      examples: Object.fromEntries(
        Object.entries(EXAMPLES.errors).map(([code, value]) => [code, { value }]),
      ),
      parameters: PARAMETERS,
      responses: {
        Pending: acceptedAs(PENDING, reference('schemas', 'Pending')),
        ApprovalRequired: acceptedAs(ASKED, reference('schemas', 'ApprovalRequired')),
        PendingOrApprovalRequired: acceptedAs(`${PENDING} Or: ${ASKED}`, {
          oneOf: [reference('schemas', 'Pending'), reference('schemas', 'ApprovalRequired')],
        }),
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key (vnx_…).' },
        operator: { type: 'http', scheme: 'bearer', description: "The operator's token." },
      },
    },
  };
}

const CODE = '#/components/schemas/ErrorCode';

const PENDING = 'The call is not finished yet: poll.';
const ASKED = 'The call waits for the approval of an owner: poll, or wait for an event approval.*.';

/** An answer 202. */
const acceptedAs = (description: string, schema: object) => ({
  description,
  headers: {
    Location: { description: 'Path to poll.', schema: { type: 'string' } },
    'Retry-After': { description: 'Seconds until the next poll.', schema: { type: 'integer' } },
    'Preference-Applied': {
      description: 'The preference that was followed.',
      schema: { type: 'string' },
    },
  },
  ...json(schema),
});

/** Pages show the description of a parameter, and not that of its schema. */
function parameterOf(schema: TSchema) {
  const { description, ...rest } = shown(schema) as Schema;
  return { description, schema: rest };
}

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    ...parameterOf(IdempotencyKey),
  },
  wait: { name: 'wait', in: 'query', ...parameterOf(Wait) },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: `wait=N (seconds, ${WAIT_SECONDS_MAX} at most) or respond-async (RFC 7240).`,
    schema: { type: 'string', maxLength: 100 },
    example: 'wait=10',
  },
};

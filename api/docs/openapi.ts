import { published } from '../../shared/kernel/catalog.ts';
import { takesKey } from '../../shared/kernel/call.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { CODES } from '../../shared/kernel/refusal.ts';
import type { Context } from '../../shared/kernel/context.ts';
import { canWait } from '../http/wait_preference.ts';
import type { Route } from '../http/routes.ts';
import { documentRoute, JSON_TYPE } from './document.ts';
import { IdempotencyKey, Pending, Refused, restInputOf, shown, Wait } from '../http/schemas.ts';

/** `GET /openapi.json`: the REST interface, computed from the catalog and from nothing else. */
export function openApiRoutes({ config }: Context): Route[] {
  const read = () => JSON.stringify(openApi(config.api.publicUrl));
  return [documentRoute('/openapi.json', { type: JSON_TYPE, read })];
}

function openApi(url: string) {
  const paths: Record<string, Record<string, object>> = {};
  const document = (op: AnyOperation, route: string, operationId: string) => {
    const [method, path] = route.split(' ') as [string, string];
    const template = path.replace(/:(\w+)/g, '{$1}');
    paths[template] = {
      ...paths[template],
      [method.toLowerCase()]: { operationId, ...described(op, method, path) },
    };
  };
  for (const op of published) {
    document(op, op.rest!, op.name);
    if (op.alias && !op.alias.endsWith('/')) document(op, op.alias, `${op.name}_alias`);
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
    tags: [...new Set(published.map(({ domain }) => domain))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Pending: shown(Pending), Error: shown(Refused) },
      parameters: PARAMETERS,
      responses: { Pending: PENDING, ...errorResponses() },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key (vnx_…).' },
        operator: { type: 'http', scheme: 'bearer', description: "The operator's token." },
        operator_basic: { type: 'http', scheme: 'basic', description: 'It, as the password.' },
      },
    },
  };
}

function described(op: AnyOperation, method: string, path: string) {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const input = shown(restInputOf(op));
  const fields = Object.entries(input.properties as Record<string, { description?: string }>);
  const required: string[] = input.required ?? [];
  const others = fields.filter(([name]) => !inPath.includes(name));
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method) && others.length > 0;
  const neededInBody = required.filter((name) => !inPath.includes(name));
  const parameter =
    (where: 'path' | 'query') =>
    ([name, schema]: (typeof fields)[number]) => ({
      name,
      in: where,
      required: required.includes(name),
      ...(schema.description && { description: schema.description }),
      schema,
    });
  return {
    summary: op.title,
    description: op.summary,
    tags: [op.domain],
    security: securityOf(op),
    parameters: [
      ...fields.filter(([name]) => inPath.includes(name)).map(parameter('path')),
      ...(hasBody ? [] : others.map(parameter('query'))),
      ...(takesKey(op) ? [reference('parameters', 'IdempotencyKey')] : []),
      ...(canWait(op) ? [reference('parameters', 'wait'), reference('parameters', 'Prefer')] : []),
    ],
    ...(hasBody && {
      requestBody: {
        required: neededInBody.length > 0,
        ...json({ ...input, properties: Object.fromEntries(others), required: neededInBody }),
      },
    }),
    responses: {
      200: { description: 'Done.', ...json(shown(op.output)) },
      ...(op.mode === 'job' && { 202: reference('responses', 'Pending') }),
      ...Object.fromEntries(
        statusesOf(op, method).map((status) => [status, reference('responses', `Error${status}`)]),
      ),
    },
  };
}

function securityOf({ access }: AnyOperation): object[] {
  if (access === 'public') return [];
  return access === 'operator' ? [{ operator: [] }, { operator_basic: [] }] : [{ bearer: [] }];
}

/** The statuses of the refusals that this operation may answer with. */
function statusesOf({ access, mode }: AnyOperation, method: string): number[] {
  const always = [401, 404, 422, 429, 500, 503];
  // A read that has a body is refused as a change is: a preview, for example.
  const changes = mode === 'read' && method === 'GET' ? [] : [400, 402, 403, 408, 409, 413];
  const scoped = access === 'public' || access === 'any' ? [] : [403];
  return [...new Set([...always, ...changes, ...scoped])].toSorted((a, b) => a - b);
}

function errorResponses(): Record<string, object> {
  const codes = Object.entries(CODES);
  return Object.fromEntries(
    [...new Set(codes.map(([, { status }]) => status))].map((status) => {
      const names = codes.filter(([, code]) => code.status === status).map(([name]) => name);
      const description = `Refused: ${names.join(', ')}.`;
      return [`Error${status}`, { description, ...json(reference('schemas', 'Error')) }];
    }),
  );
}

const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });

const PENDING = {
  description: 'Accepted and not finished yet: poll.',
  headers: {
    Location: { description: 'Where to poll.', schema: { type: 'string' } },
    'Retry-After': { description: 'In seconds.', schema: { type: 'integer' } },
    'Preference-Applied': {
      description: 'The preference that was followed.',
      schema: { type: 'string' },
    },
  },
  ...json(reference('schemas', 'Pending')),
};

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: shown(IdempotencyKey),
  },
  wait: { name: 'wait', in: 'query', schema: shown(Wait) },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: 'wait=N (seconds, 25 at most) or respond-async (RFC 7240).',
    schema: { type: 'string', maxLength: 100 },
    example: 'wait=10',
  },
};

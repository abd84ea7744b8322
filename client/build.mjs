// node build.mjs [URL or file of openapi.json]: writes generated/ from the marketplace's OpenAPI
// document, and compiles everything into dist/. It is separate from the rest of the repository,
// because the generator of types needs TypeScript 5.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import openapiTS, { astToString } from 'openapi-typescript';

const folder = dirname(fileURLToPath(import.meta.url));
const from = process.argv[2] ?? 'http://localhost:3000/openapi.json';

const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
const document = await load(from);
const calls = callsOf(document);
mkdirSync(join(folder, 'generated'), { recursive: true });
writeFileSync(join(folder, 'generated/schema.ts'), await typesOf(document, calls));
writeFileSync(join(folder, 'generated/routes.ts'), routesOf(calls));
compile();
console.log(`${calls.length} operations of ${from}`);

async function load(source) {
  if (!/^https?:/.test(source)) return JSON.parse(await readFile(source, 'utf8'));
  const answer = await fetch(source);
  if (!answer.ok) throw new Error(`${source} answered ${answer.status}`);
  return answer.json();
}

/** Operations for agents, without their second routes and without those of operators. */
function callsOf({ paths, components }) {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const names = new Set(all.map(({ operation }) => operation.operationId));
  const isSecond = (name) =>
    names.has(name.replace(/_(alias|by_x402)$/, '')) && /_(alias|by_x402)$/.test(name);
  return all
    .filter(({ operation }) => !isSecond(operation.operationId))
    .filter(({ operation }) => !operation.security.some((one) => 'operator' in one))
    .map((call) => ({
      ...call,
      answer: resolve(contentOf(call.operation.responses[200]), components),
    }));
}

function contentOf(response) {
  return response.content['application/json'].schema;
}

function resolve(schema, { schemas }) {
  return schema.$ref ? schemas[schema.$ref.split('/').at(-1)] : schema;
}

/** Inputs, answers and refusals by the names of operations, without HTTP. */
async function typesOf({ openapi, info, components }, calls) {
  const fields = (parameters, where) => parameters.filter((one) => one.in === where);
  const described = calls.map(({ operation }) => {
    const { operationId, parameters = [], requestBody, responses } = operation;
    const named = [...fields(parameters, 'path'), ...fields(parameters, 'query')];
    const input = {
      type: 'object',
      properties: Object.fromEntries(
        named.map(({ name, schema, description }) => [name, { ...schema, description }]),
      ),
      required: named.filter(({ required }) => required).map(({ name }) => name),
    };
    const parts = [...(named.length > 0 ? [input] : []), requestBody && contentOf(requestBody)];
    return [
      operationId,
      {
        input: { ...allOf(parts.filter(Boolean)), description: operation.description },
        answer: contentOf(responses[200]),
        refusal: errorOf(responses),
      },
    ];
  });
  const operation = ({ input, answer, refusal }) => ({
    type: 'object',
    required: ['input', 'answer', 'refusal'],
    properties: { input, answer, refusal },
  });
  const Operations = {
    type: 'object',
    required: described.map(([name]) => name),
    properties: Object.fromEntries(described.map(([name, parts]) => [name, operation(parts)])),
  };
  const schemas = { ...components.schemas, Operations };
  const small = { openapi, info, paths: {}, components: { schemas } };
  return astToString(await openapiTS(openObjects(JSON.parse(JSON.stringify(small)))));
}

/** Marks objects of any fields as open, in the form that the generator understands. */
function openObjects(schema) {
  if (Array.isArray(schema)) return schema.map(openObjects);
  if (schema === null || typeof schema !== 'object') return schema;
  const { properties, ...rest } = schema;
  const isOpen =
    schema.type === 'object' &&
    schema.additionalProperties !== false &&
    Object.keys(properties ?? {}).length === 0;
  return Object.fromEntries(
    Object.entries(isOpen ? { ...rest, additionalProperties: true } : schema).map(
      ([name, inner]) => [name, openObjects(inner)],
    ),
  );
}

function allOf(schemas) {
  if (schemas.length === 0) return { type: 'object', additionalProperties: false };
  return schemas.length === 1 ? schemas[0] : { allOf: schemas };
}

function errorOf(responses) {
  const refused = Object.entries(responses).find(([status]) => Number(status) >= 400);
  return refused ? contentOf(refused[1]) : { $ref: '#/components/schemas/Error' };
}

/** Route of each operation, and how it may be called. */
function routesOf(calls) {
  const lines = calls.map(({ path, method, operation, answer }) => {
    const parameters = (operation.parameters ?? []).map(({ $ref, name }) => $ref ?? name);
    const has = (name) => parameters.some((one) => one.endsWith(`/${name}`));
    const { properties = {} } = answer;
    const list = 'has_more' in properties && listIn(properties);
    const route = {
      method: method.toUpperCase(),
      path,
      ...(has('IdempotencyKey') && { takesKey: true }),
      ...(has('Prefer') && has('IdempotencyKey') && { waits: true }),
      ...(list && { list }),
    };
    return `  ${operation.operationId}: ${JSON.stringify(route)},`;
  });
  return [
    '/** Generated by build.mjs. */',
    `export const VERSION = '${version}';`,
    'export const ROUTES = {',
    ...lines,
    '} as const;\n',
  ].join('\n');
}

function listIn(properties) {
  return Object.entries(properties).find(([, { type }]) => type === 'array')?.[0];
}

function compile() {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', folder], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

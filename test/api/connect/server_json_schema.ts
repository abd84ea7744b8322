/**
 * The demands of the schema of 2025-12-11 of the MCP registry's server.json on a remote server,
 * written down here in our words: names, lengths and types. The published schema is at the address
 * that an entry names as $schema.
 */
const input = {
  type: 'object',
  properties: {
    description: { type: 'string' },
    value: { type: 'string' },
    placeholder: { type: 'string' },
    isRequired: { type: 'boolean' },
    isSecret: { type: 'boolean' },
    variables: { type: 'object' },
    name: { type: 'string' },
  },
  additionalProperties: false,
};

const text = (maxLength: number, minLength = 1) => ({ type: 'string', minLength, maxLength });

export const SERVER_JSON = {
  type: 'object',
  required: ['$schema', 'name', 'description', 'version', 'remotes'],
  additionalProperties: false,
  properties: {
    $schema: {
      const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    },
    name: { ...text(200, 3), pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    title: text(100),
    description: text(100),
    version: { ...text(255), pattern: String.raw`^\d+\.\d+\.\d+$` },
    websiteUrl: { type: 'string', format: 'uri' },
    remotes: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['type', 'url'],
        additionalProperties: false,
        properties: {
          type: { enum: ['streamable-http', 'sse'] },
          url: { type: 'string', format: 'uri' },
          headers: { type: 'array', items: { ...input, required: ['name'] } },
        },
      },
    },
  },
};

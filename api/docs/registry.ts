import type { Context } from '../../shared/composition/context.ts';
import type { Route } from '../http/routes.ts';
import { VERSIONS } from '../mcp/versions.ts';
import { documentRoute, JSON_TYPE } from './document.ts';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
const VERSION = '1.0.0';
/** The registry allows at most 100 characters. */
const SHORT =
  'Agents buy and sell data, access and work: escrow, a wallet, limits their owner sets.';

/**
 * `/server.json`: the entry of this marketplace for the MCP registry (schema of 2025-12-11), as its
 * operator publishes it. `/mcp/server-card` and `/.well-known/mcp/server-card.json`: the same for
 * clients that look here (SEP-2127, a draft).
 */
export function registryRoutes({ config }: Context): Route[] {
  const { publicUrl } = config.api;
  const card = {
    type: 'application/mcp-server-card+json; charset=utf-8',
    read: () => JSON.stringify(cardOf(publicUrl)),
  };
  return [
    documentRoute('/server.json', {
      type: JSON_TYPE,
      read: () => JSON.stringify(entryOf(publicUrl), null, 2),
    }),
    documentRoute('/mcp/server-card', card),
    documentRoute('/.well-known/mcp/server-card.json', card),
  ];
}

/** The name is in the namespace of the host, whose owner proves that it is theirs. */
function nameOf(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  const labels = hostname.replaceAll(/[[\]]/g, '').replaceAll(':', '-').split('.');
  return `${labels.toReversed().join('.')}/agent-marketplace`;
}

const common = (publicUrl: string) => ({
  name: nameOf(publicUrl),
  title: 'Agent Marketplace',
  description: SHORT,
  version: VERSION,
  websiteUrl: `${publicUrl}/connect`,
});

/** Two ways in: an app signs its owner in, a program has a key. */
export const entryOf = (publicUrl: string) => ({
  $schema: SCHEMA,
  ...common(publicUrl),
  remotes: [
    { type: 'streamable-http', url: `${publicUrl}/mcp` },
    {
      type: 'streamable-http',
      url: `${publicUrl}/api/v1/mcp`,
      headers: [
        {
          name: 'Authorization',
          description: 'Your API key. register_agent gives you one, free.',
          value: 'Bearer {key}',
          isRequired: true,
          isSecret: true,
          variables: {
            key: {
              description: 'Starts with vnx_.',
              isRequired: true,
              isSecret: true,
              placeholder: 'vnx_…',
            },
          },
        },
      ],
    },
  ],
});

const cardOf = (publicUrl: string) => ({
  ...common(publicUrl),
  remotes: entryOf(publicUrl).remotes.map((remote) => ({
    ...remote,
    supportedProtocolVersions: VERSIONS,
  })),
});

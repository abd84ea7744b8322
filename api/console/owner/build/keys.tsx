import { connectionsTo } from '../../../docs/connect.ts';
import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Lead, Pages, Table } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Once } from '../../parts/message.tsx';
import { Badge, When, Words } from '../../parts/text.tsx';
import { useShown } from '../../page_state.ts';
import { AgentField, ownName, TREE } from '../agents/names.tsx';
import { BY_TIME, byLargest, sortOf } from '../trade/orders.tsx';
import { StateFilter } from '../../parts/lists/filter.tsx';
import { given } from '../../parts/lists/query.ts';
import { NewKey } from './new_key.tsx';
import { ProxyAccess } from './proxy_access.tsx';

const PATH = '/console/keys';

/** The agent whose keys are shown; by default the root, which has signed in. */
const agentIn = ({ query }: Pick<PageQuery, 'query'>) =>
  query.agent ? { agent_id: query.agent } : {};

export const keys = page({
  path: PATH,
  title: 'Keys and connecting',
  access: 'owner',
  nav: { group: 'Build', icon: 'key', key: 'k' },
  live: ['agent'],
  reads: {
    keys: [
      'list_keys',
      ({ query }: Pick<PageQuery, 'query'>) => ({
        ...agentIn({ query }),
        sort: sortOf(query),
        ...given(query, 'status', 'cursor'),
      }),
    ],
  },
  cards: { names: TREE, access: 'get_proxy_access' },
  does: ['revoke_key', 'set_proxy_addresses'],
  shows: ['create_key', 'rotate_key'],
  view: ({ keys: found, names, access }, { query, agentId }) => {
    const chosen = agentIn({ query });
    const id = query.agent ? Number(query.agent) : agentId;
    const name = id === undefined ? 'you' : ownName({ agentId, names }, id);
    const isOwn = id === agentId;
    return (
      <>
        <Lead title="Keys and connecting">
          <p>A key is shown once, when it is made. It opens the API, and never this console.</p>
        </Lead>
        <Once id="key">
          <NewKey op={['create_key', 'rotate_key']} />
        </Once>
        <Card id="keys" title={isOwn ? 'Your keys' : `Keys of ${name ?? `agent ${id}`}`}>
          <StateFilter path={PATH} states={STATES} query={query}>
            {names && names.names.length > 0 && (
              <AgentField names={names} chosen={query.agent} none="yours" />
            )}
          </StateFilter>
          {found.count === 0 && query.status ? (
            <Empty>No key has this state.</Empty>
          ) : found.count === 0 ? (
            <Empty>It has no key. Make one below.</Empty>
          ) : (
            <KeyTable keys={found.keys} query={query} />
          )}
          <Pages path={PATH} of={found} query={query} what="key" />
        </Card>
        <div class="halves">
          <Card id="new" title={isOwn ? 'New key' : `New key of ${name ?? `agent ${id}`}`}>
            <Do op="create_key" input={chosen} label="Make the key" main>
              <Fields
                op="create_key"
                only={['name', 'scopes', 'expires_at']}
                values={{ scopes: ['read'] }}
              />
            </Do>
          </Card>
          <Card id="connect" title="Connect">
            <Connect />
          </Card>
        </div>
        {access && (
          <Card id="proxies" title="Your rotating proxies without a password">
            <ProxyAccess access={access} />
          </Card>
        )}
      </>
    );
  },
});

type Key = AnswerOf<'list_keys'>['keys'][number];

const STATES = { working: 'working', ended: 'revoked or expired' };

interface KeyTableProps {
  keys: readonly Key[];
  query: PageQuery['query'];
}

const KeyTable = ({ keys: found, query }: KeyTableProps) => (
  <Table
    label="Keys"
    sorted={{ path: PATH, query, by: sortOf(query) }}
    rows={found}
    columns={[
      {
        head: 'Name',
        sort: [['name', 'ascending'], BY_TIME[0]],
        cell: ({ name }) => <Words>{name}</Words>,
      },
      { head: 'Begins', wide: true, cell: ({ prefix }) => <code>{prefix}…</code> },
      { head: 'May', wide: true, cell: ({ scopes }) => scopes.join(', ') },
      {
        head: 'Used',
        wide: true,
        sort: byLargest('used'),
        cell: ({ last_used_at: used }) => (used === null ? 'never' : <When at={used} />),
      },
      {
        head: 'Made',
        wide: true,
        sort: BY_TIME,
        cell: ({ created_at: at }) => <When at={at} />,
      },
      {
        head: 'Works until',
        wide: true,
        cell: ({ expires_at: end }) => (end === null ? 'no end' : <When at={end} />),
      },
      { head: 'Change', cell: (key) => <ChangeOf of={key} /> },
    ]}
  />
);

function ChangeOf({ of: { key_id, name, revoked_at, expires_at, connection_id } }: { of: Key }) {
  const { now } = useShown();
  if (revoked_at !== null) return <Badge state="revoked" />;
  if (expires_at !== null && Date.parse(expires_at) <= now.getTime()) {
    return <Badge state="expired" />;
  }
  if (connection_id !== null) return <a href="/console/connections">token of an app</a>;
  return (
    <span class="buttons">
      <Do
        op="rotate_key"
        input={{ key_id }}
        label="Rotate"
        confirm={{
          title: `Rotate ${name}?`,
          lines: ['The new key is shown once. The old one stops within a second.'],
        }}
      />
      <Do
        op="revoke_key"
        input={{ key_id }}
        label="Revoke"
        confirm={{
          title: `Revoke ${name}?`,
          lines: ['It stops within a second, for good.'],
        }}
      />
    </span>
  );
}

function Connect() {
  const { publicUrl } = useShown();
  return (
    <div class="inside stack">
      <p>With the key in place of vnx_…:</p>
      {connectionsTo(publicUrl).map(({ client, where, text }) => (
        <details name="client">
          <summary>{client}</summary>
          <p class="small">{where}</p>
          <pre tabIndex={0}>
            <code>{text}</code>
          </pre>
        </details>
      ))}
    </div>
  );
}

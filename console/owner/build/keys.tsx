import { connectionsTo } from '../../../api/docs/connect.ts';
import { page, type Asked } from '../../page.ts';
import { Card, Older, Table } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Badge, When } from '../../parts/text.tsx';
import { useShown } from '../../shown.ts';
import { NewKey } from './new_key.tsx';

const PATH = '/console/keys';

export const keys = page({
  path: PATH,
  title: 'Keys and connecting',
  access: 'owner',
  nav: { group: 'Build', icon: 'key', key: 'k' },
  live: ['agent'],
  reads: {
    keys: ['list_keys', ({ query }: Asked) => ({ ...(query.cursor && { cursor: query.cursor }) })],
  },
  does: ['revoke_key'],
  shows: ['create_key', 'rotate_key'],
  view: ({ keys: found }, { query }) => (
    <>
      <div class="lead">
        <h1>Keys and connecting</h1>
        <p>A key is shown once, when it is made. It opens the API, and never this console.</p>
      </div>
      <NewKey op={['create_key', 'rotate_key']} />
      <Card id="keys" title="Your keys">
        <Table
          label="Keys"
          rows={found.keys}
          columns={[
            { head: 'Name', cell: ({ name }) => name },
            { head: 'Begins', wide: true, cell: ({ prefix }) => <code>{prefix}…</code> },
            { head: 'May', wide: true, cell: ({ scopes }) => scopes.join(', ') },
            {
              head: 'Used',
              cell: ({ last_used_at: used }) => (used === null ? 'never' : <When at={used} />),
            },
            {
              head: 'Change',
              cell: ({ key_id, name, revoked_at }) =>
                revoked_at === null ? (
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
                ) : (
                  <Badge state="revoked" />
                ),
            },
          ]}
        />
        <Older path={PATH} cursor={found.next_cursor} query={query} />
      </Card>
      <div class="halves">
        <Card id="new" title="New key">
          <Do op="create_key" label="Make the key" main>
            <Fields
              op="create_key"
              only={['name', 'scopes', 'expires_at']}
              values={{ scopes: ['read'] }}
              labels={{ scopes: 'It may', expires_at: 'Works until, as 2030-01-31T00:00:00Z' }}
            />
          </Do>
        </Card>
        <Card id="connect" title="Connect">
          <Connect />
        </Card>
      </div>
    </>
  ),
});

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

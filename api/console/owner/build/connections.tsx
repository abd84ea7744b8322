import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Lead, Pages } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Badge, Usd, When, Words } from '../../parts/text.tsx';
import { given } from '../../parts/lists/query.ts';
import { useShown } from '../../page_state.ts';

const PATH = '/console/connections';

type Connection = AnswerOf<'list_connections'>['connections'][number];

export const connections = page({
  path: PATH,
  title: 'Connected apps',
  access: 'owner',
  nav: { group: 'Build', icon: 'link' },
  live: ['agent'],
  reads: {
    found: ['list_connections', ({ query }: PageQuery) => given(query, 'cursor')],
  },
  does: ['update_connection', 'revoke_connection'],
  view: ({ found }, { query }) => (
    <>
      <Lead title="Connected apps">
        <p>
          Apps that you allowed to act for you, such as Claude or ChatGPT. Each is an agent below
          yours, with a limit of its own.
        </p>
      </Lead>
      {found.connections.length === 0 && <None />}
      {found.connections.map((one) => (
        <App one={one} />
      ))}
      <Pages path={PATH} of={found} query={query} />
    </>
  ),
});

function None() {
  const { publicUrl } = useShown();
  return (
    <Card id="none" title="None yet">
      <Empty>
        Give an app this address, and it asks you to sign in: <code>{publicUrl}/mcp</code>. The
        exact words for each app: <a href="/connect">Connect an agent</a>.
      </Empty>
    </Card>
  );
}

function App({ one }: { one: Connection }) {
  const isOver = one.status === 'revoked';
  return (
    <section class="card" aria-label={one.app}>
      <header>
        <h2>
          <Words>{one.app}</Words>
        </h2>
        {isOver && <Badge state="revoked" />}
      </header>
      <div class="inside stack">
        <p>
          {one.is_proven ? 'Its own address vouches for its name.' : 'It chose its name itself.'}
        </p>
        <p>
          Sends browsers back to <code>{one.host}</code>.
        </p>
        <p>
          Allowed <When at={one.allowed_at} />, used{' '}
          {one.last_used_at === null ? 'never' : <When at={one.last_used_at} />}.
        </p>
        <p>
          Spent today: <Usd amount={one.spent_today} />
          {one.daily_spend_limit !== null && (
            <>
              {' '}
              of <Usd amount={one.daily_spend_limit} />
            </>
          )}
          . Its agent: <a href={`/console/agents/${one.agent_id}`}>what it did</a>.
        </p>
        {!isOver && (
          <>
            <Do op="update_connection" input={{ connection_id: one.connection_id }} label="Save">
              <Fields
                op="update_connection"
                only={['scopes', 'daily_spend_limit']}
                values={{ scopes: one.scopes, daily_spend_limit: one.daily_spend_limit }}
              />
            </Do>
            <Do
              op="revoke_connection"
              input={{ connection_id: one.connection_id }}
              label="End it"
              confirm={{
                title: `End ${one.app}?`,
                lines: ['It stops within a second everywhere. It may ask you again.'],
              }}
            />
          </>
        )}
      </div>
    </section>
  );
}

import type { AnswerOf } from '../../answers.ts';
import { page, type PageQuery } from '../../page.ts';
import { Card, Empty, Missing, Table } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Badge, Usd, usdOf, When, Words, wordsOf } from '../../parts/text.tsx';

import { withoutRoot } from './names.tsx';

type AgentReport = AnswerOf<'monitor_agent'>;

export const agent = page({
  path: '/console/agents/:id',
  title: 'Agent',
  access: 'owner',
  live: ['agent', 'policy', 'order', 'approval', 'anomaly'],
  reads: {
    agent: ['monitor_agent', ({ params }: PageQuery) => ({ agent_id: Number(params.id) })],
  },
  // The same report as on the home page, so that both show the same spending.
  cards: {
    spent: [
      'spend_report',
      ({ params }: PageQuery) => ({ agent_id: Number(params.id), days: 30, by: 'category' }),
    ],
  },
  does: ['set_policy', 'suspend_agent', 'resume_agent'],
  view: ({ agent: found, spent }, { agentId }) => (
    <>
      <div class="lead">
        <h1>
          {withoutRoot(found.username)}
          {found.agent_id === agentId && ', you'}
        </h1>
        <p>
          <Badge state={found.status} kind={found.status === 'active' ? 'yours' : 'owed'} />{' '}
          {ruleOf(found)}
        </p>
        <p>
          <a href={`/console/keys?agent=${found.agent_id}`}>Its keys</a>,{' '}
          <a href={`/console/requests?agent_id=${found.agent_id}`}>its requests</a>
        </p>
      </div>
      {found.agent_id !== agentId && <State agent={found} />}
      <div class="columns">
        <Card id="policy" title="Spending limits">
          <Do op="set_policy" input={{ agent_id: found.agent_id }} label="Save the policy" main>
            <Fields op="set_policy" only={FIELDS} values={found.policy} />
          </Do>
        </Card>
        <div class="stack">
          <Card
            id="spent"
            title="Spent in 30 days"
            aside={
              <a class="link" href={`/console/money?agent=${found.agent_id}`}>
                Its statement
              </a>
            }
          >
            {spent ? <Spent spent={spent} /> : <Missing />}
          </Card>
          <Card id="refused" title="Refused in 7 days">
            {found.refusals.length === 0 ? (
              <Empty>None of its calls was refused.</Empty>
            ) : (
              <Table
                label="Refusals"
                rows={found.refusals}
                columns={[
                  { head: 'Reason', cell: ({ code }) => wordsOf(code) },
                  { head: 'Count', right: true, cell: ({ count }) => count },
                ]}
              />
            )}
          </Card>
          <Card id="anomalies" title="Anomalies">
            {found.anomalies.length === 0 ? (
              <Empty>None. Bursts and repeated purchases appear here.</Empty>
            ) : (
              <ul class="rows">
                {found.anomalies.map((one) => (
                  <li>
                    {one.explanation}
                    <span class="end">
                      <When at={one.found_at} />
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </Card>
        </div>
      </div>
    </>
  ),
});

const FIELDS = [
  'governance_level',
  'max_spend_per_tx',
  'daily_spend_limit',
  'approval_threshold',
  'new_seller_threshold',
  'allowed_product_types',
  'auto_suspend_on_anomaly',
  'min_seller_buyers',
];

/** The effective limits, including those of all agents above it, in one sentence. */
function ruleOf({ effective }: AgentReport): string {
  const { max_spend_per_tx: once, daily_spend_limit: day, approval_threshold: ask } = effective;
  const parts = [
    day === null ? 'no limit a day' : `${usdOf(day)} a day`,
    once === null ? 'no limit at a time' : `${usdOf(once)} at a time`,
    ask === null ? 'asks for nothing' : `asks above ${usdOf(ask)}`,
  ];
  const types = effective.allowed_product_types?.split(',').map((type) => wordsOf(type.trim()));
  return `${parts.join(', ')}; buys ${types ? `only: ${types.join(', ')}` : 'of all categories'}.`;
}

function State({ agent: found }: { agent: AgentReport }) {
  const input = { agent_id: found.agent_id };
  if (found.status === 'suspended') {
    return (
      <section class="message owed" aria-label="Suspended">
        <p>
          It cannot spend, list or withdraw
          {found.suspension && (
            <>
              {' '}
              since <When at={found.suspension.since} />
            </>
          )}
          . {found.suspension?.note && <Words>{found.suspension.note}</Words>}
        </p>
        <Do op="resume_agent" input={input} label={`Let ${withoutRoot(found.username)} go on`} />
      </section>
    );
  }
  return (
    <p>
      <Do
        op="suspend_agent"
        input={input}
        label={`Stop ${withoutRoot(found.username)}`}
        confirm={{
          title: `Stop ${withoutRoot(found.username)}?`,
          lines: [
            'From now on it, and every agent below it, cannot spend, list or withdraw.',
            'Money in escrow is settled as usual. You can let the agent go on later.',
          ],
        }}
      />
    </p>
  );
}

function Spent({ spent }: { spent: AnswerOf<'spend_report'> }) {
  return (
    <>
      <p>
        <Usd amount={spent.total} /> in all, by it and the agents below it
      </p>
      {spent.count > 0 && (
        <Table
          label="Spent by category"
          rows={spent.parts.filter(({ count }) => count > 0)}
          columns={[
            { head: 'Category', cell: ({ name }) => wordsOf(name) },
            { head: 'Count', right: true, cell: ({ count }) => count },
            { head: 'Amount', right: true, cell: ({ amount }) => <Usd amount={amount} /> },
          ]}
        />
      )}
    </>
  );
}

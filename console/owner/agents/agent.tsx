import type { AnswerOf } from '../../answers.ts';
import { page, type Asked } from '../../page.ts';
import { Card, Empty, Missing, Table } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Badge, Usd, usdOf, When, wordsOf } from '../../parts/text.tsx';

import { withoutRoot } from './names.tsx';

type Monitored = AnswerOf<'monitor_agent'>;

export const agent = page({
  path: '/console/agents/:id',
  title: 'Agent',
  access: 'owner',
  live: ['agent', 'policy', 'order', 'approval', 'anomaly'],
  reads: {
    agent: ['monitor_agent', ({ params }: Asked) => ({ agent_id: Number(params.id) })],
  },
  // The report that the home page draws: two pages never differ in what was spent.
  cards: {
    spent: [
      'spend_report',
      ({ params }: Asked) => ({ agent_id: Number(params.id), days: 30, by: 'category' }),
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
          <a href={`/console/keys?agent=${found.agent_id}`}>Its keys</a>
        </p>
      </div>
      {found.agent_id !== agentId && <State agent={found} />}
      <div class="columns">
        <Card id="policy" title="What it may spend">
          <Do op="set_policy" input={{ agent_id: found.agent_id }} label="Save the policy" main>
            <Fields
              op="set_policy"
              only={FIELDS}
              values={found.policy}
              labels={LABELS}
              notes={NOTES}
            />
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
              <Empty>Nothing it asked for was refused.</Empty>
            ) : (
              <Table
                label="Refusals"
                rows={found.refusals}
                columns={[
                  { head: 'Why', cell: ({ code }) => wordsOf(code) },
                  { head: 'How often', right: true, cell: ({ count }) => count },
                ]}
              />
            )}
          </Card>
          <Card id="anomalies" title="What looked wrong">
            {found.anomalies.length === 0 ? (
              <Empty>Nothing did. Bursts and repeated purchases are noticed here.</Empty>
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
];

const LABELS = {
  governance_level: 'Governance',
  max_spend_per_tx: 'At a time, at most',
  daily_spend_limit: 'A day, at most',
  approval_threshold: 'Ask me above',
  new_seller_threshold: 'Ask me above, at the first purchase from a seller',
  allowed_product_types: 'May spend on',
  auto_suspend_on_anomaly: 'Stop it when something looks wrong',
};

const NOTES = {
  governance_level:
    'Low: the limits below, and what you are asked above. Medium: the first purchase from a ' +
    'seller too. High: each withdrawal and each loosened policy too, and for a day after something ' +
    'looked wrong, everything.',
  max_spend_per_tx: 'In USD, fee included. Empty: no limit. 0: nothing.',
  daily_spend_limit: 'In USD, from midnight to midnight UTC, with all below it. Empty: no limit.',
  approval_threshold: 'In USD. What spends more waits for you. Empty: you are not asked.',
  new_seller_threshold: 'In USD, at medium and high. Empty: you are not asked.',
  allowed_product_types:
    'Untick what its money may not be spent on. To let it spend nothing, set 0 at a time.',
  auto_suspend_on_anomaly: 'Bursts, repeated purchases, too many refusals. You let it go on.',
};

/** The limits that bind, those of all agents above it included, in one sentence. */
function ruleOf({ effective }: Monitored): string {
  const { max_spend_per_tx: once, daily_spend_limit: day, approval_threshold: ask } = effective;
  const parts = [
    day === null ? 'no limit a day' : `${usdOf(day)} a day`,
    once === null ? 'no limit at a time' : `${usdOf(once)} at a time`,
    ask === null ? 'asks for nothing' : `asks above ${usdOf(ask)}`,
  ];
  return `${parts.join(', ')}; buys ${effective.allowed_product_types ?? 'of all categories'}.`;
}

function State({ agent: found }: { agent: Monitored }) {
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
          . {found.suspension?.note}
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
            'What is in escrow goes on as it would. You can let it go on later.',
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
            { head: 'What', cell: ({ name }) => wordsOf(name) },
            { head: 'Times', right: true, cell: ({ count }) => count },
            { head: 'Amount', right: true, cell: ({ amount }) => <Usd amount={amount} /> },
          ]}
        />
      )}
    </>
  );
}

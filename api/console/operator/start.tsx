import { connectionsTo } from '../../docs/connect.ts';
import type { AnswerOf } from '../answers.ts';
import { page } from '../page.ts';
import { useShown } from '../page_state.ts';
import { Card, Lead } from '../parts/card.tsx';
import { Badge, Copy, When } from '../parts/text.tsx';

/** The first steps of a new marketplace: each knows by itself whether it was taken. */
export const start = page({
  path: '/admin/start',
  title: 'First steps',
  access: 'operator',
  live: ['clock'],
  reads: { first: 'first_steps' },
  view: ({ first: { done, steps } }) => {
    const next = steps.find(({ done_at: at }) => at === null)?.step;
    return (
      <>
        <Lead title="First steps">
          <p>
            {done} of {steps.length} are done.{' '}
            {next === undefined && 'Agents trade here. The rest is on the other pages.'}
          </p>
        </Lead>
        {steps.map((one, n) => (
          <Card
            id={one.step}
            title={`${n + 1}. ${TITLES[one.step]}`}
            aside={
              one.done_at === null ? (
                <Badge state={one.step === next ? 'next' : 'later'} kind="held" />
              ) : (
                <Badge state="done" kind="yours" />
              )
            }
          >
            {one.done_at === null ? <OpenStep step={one.step} /> : <TakenStep step={one} />}
          </Card>
        ))}
      </>
    );
  },
});

type Step = AnswerOf<'first_steps'>['steps'][number];

const TITLES: Record<Step['step'], string> = {
  operator: 'Become the operator',
  account: 'Register an account of your own',
  product: 'List a product',
  agent: 'Connect an agent',
  purchase: 'See the first purchase',
};

const DONE: Record<Step['step'], string> = {
  operator: 'An operator signed in',
  account: 'Somebody registered',
  product: 'The first product was listed',
  agent: 'An agent made a call with its key, in the hour from',
  purchase: 'The first order was paid into escrow',
};

const TakenStep = ({ step: { step, done_at: at, object_id: id } }: { step: Step }) => (
  <p>
    {DONE[step]} <When at={at!} />
    {id !== null && (
      <>
        {': '}
        <a
          href={
            step === 'purchase' || step === 'product'
              ? `/admin/find?query=${id}`
              : `/admin/find?agent=${id}`
          }
        >
          look at it
        </a>
      </>
    )}
    .
  </p>
);

const PROMPT =
  'Find a weather API on the market for less than ten cents, buy it and show me what was delivered.';

function OpenStep({ step }: Pick<Step, 'step'>) {
  const { publicUrl } = useShown();
  switch (step) {
    case 'operator':
      return <p>Sign in at /admin/login with your token.</p>;
    case 'account':
      return (
        <p>
          Operators do not trade. <a href="/#connect">Register</a> an owner: it gets an API key and
          $0.50 of credit. Then <a href="/console">sign in as that owner</a>.
        </p>
      );
    case 'product':
      return (
        <p>
          As that owner, <a href="/console/selling/new">list something</a>: a key, a text, a
          dataset. On your own machine it is on sale at once; elsewhere it waits for your{' '}
          <a href="/admin/decisions?kind=product_reviews">review</a>.
        </p>
      );
    case 'agent':
      return (
        <>
          <p>
            Put the owner's key in the place of <code>vnx_…</code>. More clients are at{' '}
            <a href="/connect">Connect an agent</a>.
          </p>
          {connectionsTo(publicUrl)
            .filter(({ client }) => client === 'Claude Code' || client === 'curl')
            .map(({ client, text }) => (
              <p>
                {client}: <Copy text={text} />
              </p>
            ))}
        </>
      );
    case 'purchase':
      return (
        <p>
          Say to your agent: <Copy text={PROMPT} /> The goods of the demo are for that. This page
          changes by itself when it has bought.
        </p>
      );
  }
}

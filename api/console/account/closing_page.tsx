import type { Obstacle } from '../../../shared/domains/closing/obstacles.ts';
import { page } from '../page.ts';
import { Card, Lead } from '../parts/card.tsx';
import { PostForm } from '../parts/do.tsx';
import { usdOf, When } from '../parts/text.tsx';
import { useShown } from '../page_state.ts';
import { TypedField } from '../session/typed_field.tsx';

/** The page, and the path that its form is sent to. */
export const CLOSING = '/console/account/closing';

interface ClosingAnswers {
  readonly obstacles: readonly Obstacle[];
  readonly leastWithdrawal: number;
  /** Cash that can be withdrawn later only; null: none. */
  readonly reserve: { readonly amount: number; readonly until: string } | null;
}

export const closingPage = page({
  path: CLOSING,
  title: 'Close the account',
  access: 'owner',
  uses: 'passkeys',
  view: (answers) => <Closing {...(answers as unknown as ClosingAnswers)} />,
});

/** The page that the browser gets afterwards. */
export const closedPage = page({
  path: CLOSING,
  title: 'The account is closed',
  access: 'public',
  view: () => (
    <section class="card narrow" aria-labelledby="closed">
      <h1 id="closed">The account is closed</h1>
      <p role="status">
        All its keys, sessions and connected apps have ended, and your personal data is erased.
      </p>
      <p class="buttons">
        <a class="button main" href="/">
          To the first page
        </a>
      </p>
    </section>
  ),
});

const WORDS: Readonly<Record<Obstacle['kind'], { text: string; href: string; label: string }>> = {
  balance: { text: 'in your wallet', href: '/console/withdraw', label: 'Withdraw it' },
  debt: { text: 'that you owe', href: '/console/add', label: 'Add money' },
  bought: { text: 'in orders that you bought', href: '/console/orders', label: 'Orders' },
  sold: { text: 'in orders that you sold', href: '/console/sales', label: 'Sales' },
  dispute: { text: 'in disputed orders', href: '/console/disputes', label: 'Disputes' },
  task: { text: 'in tasks', href: '/console/work', label: 'Work' },
  labor: { text: 'in labor', href: '/console/work', label: 'Work' },
  token: { text: 'in tokens that are being issued', href: '/console/events', label: 'Events' },
  withdrawal: { text: 'in withdrawals', href: '/console/withdraw', label: 'Withdrawals' },
  deposit: { text: 'in payments on their way to you', href: '/console/money', label: 'Statement' },
  suspension: {
    text: 'An operator has suspended an agent of this account.',
    href: '/console/agents',
    label: 'Agents',
  },
};

function Closing({ obstacles, leastWithdrawal, reserve }: ClosingAnswers) {
  const { person } = useShown();
  return (
    <>
      <Lead title="Close the account">
        <p>{person!.name}. This cannot be undone.</p>
      </Lead>
      <Card id="effects" title="What it does">
        <ul class="lines">
          <li>All API keys, sessions, passkeys and connected apps of all your agents end.</li>
          <li>Nobody can sign in any more. Your products are withdrawn from sale.</li>
          <li>
            Your address, names, settings, notices and mails are erased, and webhooks deleted.
          </li>
          <li>Orders, messages and the books stay, without your name: others rest on them.</li>
          <li>
            Credit, and cash below {usdOf(leastWithdrawal)}, cannot be withdrawn and is given up.
            What is paid to the account later does not reach you.
          </li>
          <li>The name is free for anybody then. This address gets no welcome credit again.</li>
        </ul>
        <p class="small">
          Before that, <a href="/console/account#data">download your data</a>.
        </p>
      </Card>
      {obstacles.length > 0 ? (
        <Card id="obstacles" title="What stands in the way">
          <ul class="lines">
            {obstacles.map(({ kind, amount }) => (
              <li>
                {kind !== 'suspension' && <strong>{usdOf(amount)}</strong>} {WORDS[kind].text}{' '}
                <a href={WORDS[kind].href}>{WORDS[kind].label}</a>
                {kind === 'balance' && reserve && (
                  <>
                    . {usdOf(reserve.amount)} of it may still be taken back by a bank, so it can be
                    withdrawn later only: less is kept from <When at={reserve.until} /> on. It can
                    be spent here.
                  </>
                )}
              </li>
            ))}
          </ul>
        </Card>
      ) : (
        <Card id="close" title="Close it">
          <PostForm action={CLOSING} class="form">
            <TypedField
              of={CLOSING}
              name="name"
              label={`Type the name of the account, ${person!.name}`}
              maxLength={64}
              autocomplete="off"
            />
            <button class="button">Close the account for good</button>
          </PostForm>
        </Card>
      )}
    </>
  );
}

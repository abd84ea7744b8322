import type { AnswerOf } from '../answers.ts';
import { page } from '../page.ts';
import { Card, Empty, Lead, Missing, Table } from '../parts/card.tsx';
import { Do } from '../parts/do.tsx';
import { MailHosts } from './mail_hosts.tsx';
import { Prices } from './rails/prices.tsx';
import { Providers } from './rails/providers.tsx';
import { Badge, usdOf, When, wordsOf } from '../parts/text.tsx';
import { Unclaimed } from './unclaimed.tsx';

/** The rails: whether money can come in and go out. */
export const rails = page({
  path: '/admin/rails',
  title: 'Rails',
  access: 'operator',
  nav: { group: '', icon: 'plug', key: 'r' },
  live: ['clock'],
  reads: { status: 'rails_status' },
  cards: {
    sources: 'proxy_sources',
    mail: 'mail_reputation',
    unclaimed: ['list_unclaimed_payments', () => ({ limit: 20 })],
  },
  does: ['refresh_proxies'],
  view: ({ status, sources, mail, unclaimed }) => (
    <>
      <Lead title="Rails">
        <p>
          {status.rails.filter(({ network }) => network !== null).length} rails of{' '}
          {status.rails.length} are on.
        </p>
      </Lead>
      <Card id="rails" title="Money comes in">
        <Table
          label="Rails"
          rows={status.rails}
          columns={[
            { head: 'Rail', cell: ({ rail }) => wordsOf(rail) },
            { head: 'State', cell: (rail) => <State rail={rail} /> },
            { head: 'Waiting', right: true, cell: ({ waiting }) => waiting },
            { head: 'Unmatched', right: true, wide: true, cell: unboundOf },
            { head: 'Balances', wide: true, cell: (rail) => <Balances rail={rail} /> },
            {
              head: 'Searched to',
              wide: true,
              cell: ({ searched_to, caught_up_at }) =>
                searched_to !== null && caught_up_at !== null ? (
                  <>
                    {searched_to}, <When at={caught_up_at} />
                  </>
                ) : (
                  ''
                ),
            },
          ]}
        />
      </Card>
      {unclaimed && unclaimed.sums.length > 0 && (
        <Card id="unclaimed" title="Credited to nobody">
          <Unclaimed {...unclaimed} />
        </Card>
      )}
      <Card id="providers" title="Providers">
        <Providers providers={status.providers} />
      </Card>
      <Card id="prices" title="Prices">
        <Prices prices={status.prices} />
      </Card>
      <Card id="wallets" title="Money goes out">
        <Wallets wallets={status.wallets} />
      </Card>
      {status.facilitators.length > 0 && (
        <Card id="facilitators" title="Facilitators of x402">
          <Facilitators facilitators={status.facilitators} />
        </Card>
      )}
      <Card id="proxies" title="Proxies">
        {sources ? <Sources sources={sources.sources} /> : <Missing />}
        <Do op="refresh_proxies" label="Refresh all sources" />
      </Card>
      <Card id="mail" title="Mail hosts">
        {mail ? <MailHosts {...mail} /> : <Missing />}
      </Card>
    </>
  ),
});

type Rails = AnswerOf<'rails_status'>;

const unboundOf = ({ unbound, unbound_usd: usd }: Rails['rails'][number]) =>
  unbound === null ? '' : usd ? `${unbound}, ${usdOf(usd)}` : unbound;

/** Whether our addresses hold what the books say. */
const Balances = ({ rail }: { rail: Rails['rails'][number] }) => {
  if (rail.balances_fault !== null) return <span class="words">{rail.balances_fault}</span>;
  if (rail.balance_gaps) {
    return <Badge state={`${rail.balance_gaps} do not match`} kind="owed" />;
  }
  return rail.balances_at ? <When at={rail.balances_at} /> : '';
};

const State = ({ rail }: { rail: Rails['rails'][number] }) => {
  if (rail.network === null) {
    return (
      <>
        <Badge state="off" /> <span class="words">set {rail.needs.join(', ')}</span>
      </>
    );
  }
  if (rail.fault !== null) {
    return (
      <>
        <Badge state="fault" kind="owed" /> <span class="words">{rail.fault}</span>
      </>
    );
  }
  return (
    <>
      <Badge state="on" kind="yours" /> {rail.network}
    </>
  );
};

function Wallets({ wallets }: Pick<Rails, 'wallets'>) {
  if (wallets.length === 0) return <Empty>No wallet has paid anything out yet.</Empty>;
  return (
    <Table
      label="Wallets that pay out"
      rows={wallets}
      columns={[
        { head: 'Wallet', cell: ({ address }) => <code>{address}</code> },
        { head: 'USDC', right: true, cell: ({ usdc }) => (usdc === null ? '' : usdOf(usdc)) },
        { head: 'Gas for', right: true, cell: ({ payments }) => payments ?? '' },
        { head: 'Seen', cell: ({ looked_at }) => (looked_at ? <When at={looked_at} /> : 'never') },
        { head: 'Fault', cell: ({ fault }) => fault ?? 'none' },
      ]}
    />
  );
}

const Facilitators = ({ facilitators }: Pick<Rails, 'facilitators'>) => (
  <Table
    label="Facilitators"
    rows={facilitators}
    columns={[
      { head: 'Facilitator', cell: ({ facilitator }) => facilitator },
      { head: 'Access', cell: ({ access }) => ACCESS[access] },
      { head: 'Asked', cell: ({ asked_at }) => (asked_at ? <When at={asked_at} /> : 'never') },
      { head: 'Fault', cell: ({ fault }) => fault ?? 'none' },
    ]}
  />
);

const ACCESS = { none: 'open', token: 'token', jwt: 'signed token' } as const;

type Source = AnswerOf<'proxy_sources'>['sources'][number];

function Sources({ sources }: { sources: readonly Source[] }) {
  if (sources.length === 0) return <Empty>No source of proxies has been asked yet.</Empty>;
  return (
    <Table
      label="Sources of proxies"
      rows={sources}
      columns={[
        { head: 'Source', cell: ({ source }) => source },
        { head: 'On sale', right: true, cell: ({ states }) => states.hot + states.warm },
        { head: 'Dead', right: true, cell: ({ states }) => states.dead },
        { head: 'Fault', cell: ({ fault }) => fault ?? 'none' },
      ]}
    />
  );
}

import { appsTo } from '../../docs/apps.ts';
import { connectionsTo } from '../../docs/connect.ts';
import { page } from '../page.ts';
import { Card } from '../parts/card.tsx';
import { useShown } from '../page_state.ts';

/** The exact text for each client: apps that sign in, and programs with a key. */
export const connect = page({
  path: '/connect',
  title: 'Connect an agent',
  access: 'public',
  view: () => <Connect />,
});

interface Line {
  name: string;
  where: string;
  text: string;
  href?: string | undefined;
}

const Lines = ({ lines, group }: { lines: readonly Line[]; group: string }) => (
  <>
    {lines.map(({ name, where, text, href }, n) => (
      <details name={group} open={n === 0} class="client">
        <summary>{name}</summary>
        <p>{where}</p>
        {href && (
          <p>
            <a class="button" href={href}>
              Add to {name}
            </a>
          </p>
        )}
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
        <button type="button" class="button" data-copy={text} hidden>
          Copy
        </button>
      </details>
    ))}
  </>
);

function Connect() {
  const { publicUrl } = useShown();
  return (
    <div class="front">
      <h1>Connect an agent</h1>
      <Card id="apps" title="Apps that sign you in">
        <p>
          No key to paste. The app opens a page of ours, where you sign in, tick what it may do and
          say how many dollars a day it may spend. First you need an account:{' '}
          <a href="/">register</a>. What you allowed is listed, changed and ended by you.
        </p>
        <Lines
          group="app"
          lines={appsTo(publicUrl).map(({ app, ...rest }) => ({ name: app, ...rest }))}
        />
      </Card>
      <Card id="keys" title="Programs with a key">
        <p>For servers, scripts and editors that take a header.</p>
        <Lines
          group="key"
          lines={connectionsTo(publicUrl).map(({ client, ...rest }) => ({ name: client, ...rest }))}
        />
      </Card>
      <Card id="sets" title="Other tools">
        <p>
          These addresses end in <code>/lean</code>: four tools that find, describe and call
          everything, because a model chooses better from few, and some clients refuse more than
          128. In place of <code>lean</code> an address may name a set: <code>start</code>,{' '}
          <code>buyer</code>, <code>seller</code>, <code>worker</code>, <code>proxies</code>,{' '}
          <code>email</code>, <code>core</code> or <code>all</code>, and behind it{' '}
          <code>/readonly</code>.
        </p>
      </Card>
    </div>
  );
}

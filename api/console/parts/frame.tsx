import type { ComponentChildren } from 'preact';

import { NAME } from '../../docs/llms.ts';
import { Head } from '../head.tsx';
import type { Page } from '../page.ts';
import { useShown } from '../page_state.ts';
import { ByApi } from './by_api.tsx';
import { PostForm } from './do.tsx';
import { FindBox } from './find_box.tsx';
import { Icon } from './icons.tsx';
import { Keys, KeysButton } from './keys.tsx';
import { Message, Once } from './message.tsx';
import { When } from './text.tsx';

/** A whole document: the page's content in the frame of its audience. */
export function Document({ children }: { children: ComponentChildren }) {
  const { page, url, person, settings } = useShown();
  const live = page.live.join();
  const base = page.access === 'operator' ? '/admin' : '/console';
  const watches = person && live && { 'data-events': `${base}/live?kinds=${live}` };
  // Settings that were not chosen are left out: then the defaults of style and script apply.
  const chosen = {
    ...(settings.theme !== 'system' && { 'data-theme': settings.theme }),
    ...(settings.times === 'utc' && { 'data-times': 'utc' }),
    ...(!settings.shortcuts && { 'data-shortcuts': 'off' }),
  };
  return (
    <html lang="en" data-path={url} {...chosen} {...watches}>
      <Head />
      <body>
        <a class="skip" href="#main">
          Skip to the page
        </a>
        {person ? <Signed>{children}</Signed> : <Plain>{children}</Plain>}
        <p id="status" class="hidden" role="status" />
      </body>
    </html>
  );
}

const Brand = ({ href }: { href: string }) => (
  <a class="brand" href={href}>
    <svg class="mark" viewBox="0 0 26 26" aria-hidden="true">
      <rect class="tile" width="26" height="26" rx="7" />
      <path class="line" d="M7 11h12l-1 8H8zM10 11V9a3 3 0 0 1 6 0v2" />
    </svg>
    {NAME}
  </a>
);

/** Shown on every page, so that an owner notices that somebody with a key will reset it. */
const ResetWaits = ({ dueAt }: { dueAt: Date }) => (
  <PostForm action="/console/account/reset/stop" class="message owed">
    <p>
      <strong>
        Your password is reset on <When at={dueAt.toISOString()} />.
      </strong>{' '}
      One of your API keys has asked for it. If it was not you, stop it, and revoke that key.
    </p>
    <button class="button">Stop it</button>
  </PostForm>
);

function Main({ children }: { children: ComponentChildren }) {
  const resetDueAt = useShown().person?.resetDueAt;
  return (
    <main id="main" tabIndex={-1}>
      <Once id="message">
        <Message />
      </Once>
      {resetDueAt && <ResetWaits dueAt={resetDueAt} />}
      {children}
      <ByApi />
    </main>
  );
}

/** The frame for signed-in people: navigation at the side, five tabs on phones. */
function Signed({ children }: { children: ComponentChildren }) {
  const { page, nav, person, waiting = 0 } = useShown();
  const isOperator = page.access === 'operator';
  const base = isOperator ? '/admin' : '/console';
  const groups = [...new Set(nav.map((one) => one.nav!.group))];
  const link = (one: Page, title = one.title) => (
    <a
      href={one.path}
      class={one.nav!.tab && 'tabbed'}
      aria-current={one.path === page.path ? 'page' : undefined}
      data-key={one.nav!.key}
    >
      <Icon name={one.nav!.icon} />
      {title}
      {one.path === '/console/todo' && waiting > 0 && (
        <span class="count">
          <span class="hidden">, waiting: </span>
          {waiting}
        </span>
      )}
    </a>
  );
  return (
    <>
      <div class="frame">
        <aside class="side" id="all" aria-label="Console">
          <Brand href={base} />
          <nav aria-label="Pages">
            {groups.map((group) => (
              <div>
                {group && <h2>{group}</h2>}
                {nav.filter((one) => one.nav!.group === group).map((one) => link(one))}
                {group === 'Agents and trade' && (
                  <a href="/market">
                    <Icon name="find" />
                    Market
                  </a>
                )}
              </div>
            ))}
          </nav>
          <div class="who">
            <span class="face" aria-hidden="true">
              {person!.name.charAt(0).toUpperCase()}
            </span>
            <div>
              <strong>{person!.name}</strong>
              <form method="post" action={`${base}/logout`}>
                {!isOperator && nav.length > 0 && <a href="/console/account">Account</a>}{' '}
                <button class="link">Sign out</button>
              </form>
            </div>
          </div>
        </aside>
        <div class="body">
          <header class="top">
            <FindBox base={base} />
            <span class="live" hidden>
              Live
            </span>
            {!isOperator && (
              <a class="button main" href="/console/add">
                <Icon name="plus" />
                Add money
              </a>
            )}
          </header>
          <Main>{children}</Main>
          <footer class="foot">
            <span>Days end at midnight UTC.</span>
            <a href="/docs">Documentation</a>
            <a href="/api-docs">API</a>
            <a href="/llms.txt">For language models</a>
            <KeysButton />
          </footer>
        </div>
      </div>
      <nav class="tabbar" aria-label="Shortcuts">
        {nav.map((one) => one.nav!.tab && link(one, one.nav!.tab))}
        <a href="#all">
          <Icon name="queue" />
          More
        </a>
      </nav>
      <Keys nav={nav} isOperator={isOperator} />
    </>
  );
}

/** The frame for everybody else. */
const Plain = ({ children }: { children: ComponentChildren }) => (
  <div class="plain">
    <header class="top">
      <Brand href="/" />
      <nav class="links" aria-label="Documents">
        <a href="/market">Market</a>
        <a href="/docs">Docs</a>
        <a href="/api-docs">API</a>
        <a href="/console">Console</a>
      </nav>
    </header>
    <Main>{children}</Main>
  </div>
);

import type { ComponentChildren, VNode } from 'preact';

import { page, type Page } from '../page.ts';
import { TypedField } from '../session/typed_field.tsx';

/** Pages that mails lead to, and the page that asks for such a mail. */

export const publicPage = (path: string, title: string, view: () => VNode): Page =>
  page({ path, title, access: 'public', view });

const Narrow = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="card narrow" aria-labelledby="mail">
    <h1 id="mail">{title}</h1>
    {children}
  </section>
);

/** A page that says one thing, and leads to one place. */
export const notePage = (
  path: string,
  { title, text, to, label }: { title: string; text: string; to: string; label: string },
): Page =>
  publicPage(path, title, () => (
    <Narrow title={title}>
      <p role="status" class="words">
        {text}
      </p>
      <p class="buttons">
        <a class="button main" href={to}>
          {label}
        </a>
      </p>
    </Narrow>
  ));

/** Mail scanners open links, so opening one does nothing: a person presses the button. */
export const confirmPage = (path: string, { address, token }: { address: string; token: string }) =>
  publicPage(path, 'Confirm your address', () => (
    <Narrow title="Confirm your address">
      <p class="words">
        Is <strong>{address}</strong> your address? Mails about your account go there from now on.
      </p>
      <form method="post" action={path} class="form">
        <input type="hidden" name="token" value={token} />
        <button class="button main">Confirm the address</button>
      </form>
    </Narrow>
  ));

export const forgotPage = (path: string) =>
  publicPage(path, 'Password lost', () => (
    <Narrow title="Password lost">
      <p>
        A link is mailed to the address of your account, if you have confirmed that address before.
        With it you choose a new password.
      </p>
      <form method="post" action={path} class="form">
        <TypedField of={path} name="name" maxLength={254} autocomplete="username" />
        <button class="button main">Send the link</button>
      </form>
      <p class="small dim">
        No confirmed address? An API key of yours resets the password too, after 24 hours.
      </p>
    </Narrow>
  ));

export const passwordPage = (
  path: string,
  { token, needsCode }: { token: string; needsCode: boolean },
) =>
  publicPage(path, 'Choose a new password', () => (
    <Narrow title="Choose a new password">
      <form method="post" action={path} class="form">
        <input type="hidden" name="token" value={token} />
        <TypedField
          of={path}
          name="password"
          type="password"
          maxLength={128}
          autocomplete="new-password"
        />
        {needsCode && (
          <TypedField of={path} name="code" maxLength={32} autocomplete="one-time-code" />
        )}
        <p class="small dim">All browsers are signed out. API keys stay as they are.</p>
        <button class="button main">Set the password</button>
      </form>
    </Narrow>
  ));

export const unsubscribePage = (path: string, { what, of }: { what: string; of: string }) =>
  publicPage(path, 'No more mails of this kind', () => (
    <Narrow title="No more mails of this kind">
      <p>{what}: you will get no more mails of this kind. Others stay as they are.</p>
      <form method="post" action={`${path}?of=${encodeURIComponent(of)}`} class="form">
        <button class="button main">Turn them off</button>
      </form>
    </Narrow>
  ));

import type { Scope } from '../../../shared/kernel/caller.ts';
import { DAILY_LIMIT } from '../owner/agents/daily_limit.tsx';
import { page } from '../page.ts';
import { LabelledField } from '../parts/fields.tsx';
import { PasskeyButton } from '../parts/passkey.tsx';
import { mayTakePasswords } from '../session/cookies.ts';
import { CodeField, SecretField } from '../session/login.tsx';
import { useShown } from '../page_state.ts';

/** Data of the page that asks an owner about an app. */
export interface ConsentAnswers {
  /** The app's own name for itself. */
  readonly appName: string;
  /** Host of the document that vouches for its name; undefined: it chose the name itself. */
  readonly provenHost: string | undefined;
  /** The place that the browser is sent back to. */
  readonly host: string;
  readonly asked: readonly Scope[];
  /** Present after the right password: the page asks for a code. */
  readonly ticket?: string | undefined;
  /** Options for a passkey, if one can be used in place of name and password. */
  readonly passkey?: object | undefined;
  /** The fields as they were sent, if they were refused. */
  readonly given?: { readonly name: string; readonly limit: string; readonly scopes: string[] };
}

/** The page on which an owner signs in and allows an app. Each sign-in has its own address. */
export const consentPage = page({
  path: '/oauth/consent',
  title: 'Connect an app',
  access: 'public',
  uses: 'passkeys',
  view: (answers) => <Consent {...(answers as unknown as ConsentAnswers)} />,
});

/** The page of a sign-in that cannot go on. */
export const overPage = page({
  path: '/oauth/over',
  title: 'This cannot go on',
  access: 'public',
  view: (answers) => (
    <section class="card narrow">
      <h1>This cannot go on</h1>
      <p role="alert">{(answers as { problem?: string }).problem}</p>
      <p>Go back to the app and connect again.</p>
    </section>
  ),
});

const SCOPE_TEXTS: Readonly<Record<Scope, string>> = {
  read: 'look: goods, orders, what was bought, the wallet',
  buy: 'buy and spend, up to the limit below',
  sell: 'sell: offer goods and work, answer buyers',
};

function Consent(answers: ConsentAnswers) {
  const { appName, provenHost, host, asked, given, ticket, passkey } = answers;
  const { publicUrl } = useShown();
  const name = appName || 'An app without a name';
  if (!mayTakePasswords(publicUrl)) {
    return (
      <section class="card narrow">
        <h1>{name} wants to act for you</h1>
        <p>
          This marketplace is reached at <code>{publicUrl}</code>, without encryption: a password
          that is sent there can be read on the way, so none is taken.
        </p>
      </section>
    );
  }
  const ticked = given?.scopes ?? asked.filter((scope) => scope !== 'sell');
  return (
    <section class="card narrow" aria-labelledby="consent">
      <h1 id="consent">{name} wants to act for you</h1>
      <p>
        {provenHost === undefined ? (
          'The app chose this name itself: anybody could have.'
        ) : (
          <>
            Its name is vouched for by <strong>{provenHost}</strong>.
          </>
        )}{' '}
        Afterwards you are sent back to <strong>{host}</strong>. Allow it only if you have just
        asked this app to connect.
      </p>
      <form method="post" class="form">
        {ticket === undefined ? (
          <NameAndPassword name={given?.name} />
        ) : (
          <CodeField ticket={ticket} />
        )}
        <fieldset class="field">
          <legend>It may</legend>
          <span class="choices">
            {asked.map((scope) => (
              <label>
                <input
                  type="checkbox"
                  name="scope"
                  value={scope}
                  checked={ticked.includes(scope)}
                />
                {SCOPE_TEXTS[scope]}
              </label>
            ))}
          </span>
        </fieldset>
        <LabelledField
          id="limit"
          label="Dollars a day at most"
          note={
            <span class="note">
              It gets an agent of its own below yours. You can change this or end it at any time.
            </span>
          }
        >
          <input
            id="limit"
            name="limit"
            inputMode="decimal"
            required
            maxLength={12}
            value={given?.limit ?? String(DAILY_LIMIT)}
          />
        </LabelledField>
        <p class="buttons">
          <button class="button main" name="answer" value="allow">
            Connect
          </button>
          {passkey && <PasskeyButton asked={passkey} label="Connect with a passkey" />}
          <button class="button" name="answer" value="deny" formNoValidate>
            Do not connect
          </button>
        </p>
      </form>
    </section>
  );
}

const NameAndPassword = ({ name }: { name: string | undefined }) => (
  <>
    <LabelledField id="name" label="Name">
      <input id="name" name="name" value={name} required maxLength={64} autocomplete="username" />
    </LabelledField>
    <SecretField label="Password" />
  </>
);

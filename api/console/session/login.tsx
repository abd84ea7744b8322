import { page } from '../page.ts';
import { LabelledField } from '../parts/fields.tsx';
import { PasskeyButton } from '../parts/passkey.tsx';
import { useShown, type FormFields } from '../page_state.ts';
import { mayTakePasswords } from './cookies.ts';
import type { SessionKind } from './current.ts';

/** Data of the sign-in page beside its query. */
export interface LoginAnswers {
  /** Path to go to afterwards. */
  readonly next: string;
  readonly name?: string;
  /** A form that was sent after its session was over: it comes back filled in. */
  readonly kept?: KeptForm | undefined;
  /** Present after the right password: the page asks for a code. */
  readonly ticket?: string | undefined;
  /** Options for a passkey, if one can be used. */
  readonly passkey?: object | undefined;
}

export interface KeptForm {
  readonly operation: string;
  readonly given: FormFields;
}

const loginPage = (kind: SessionKind) => {
  const base = kind === 'owner' ? '/console' : '/admin';
  return page({
    path: `${base}/login`,
    title: 'Sign in',
    access: 'public',
    uses: 'passkeys',
    view: (answers) => <Login kind={kind} base={base} {...(answers as unknown as LoginAnswers)} />,
  });
};

export const LOGIN_PAGES = { owner: loginPage('owner'), operator: loginPage('operator') };

function Login({ kind, base, next, name = '', kept, ticket, passkey }: LoginProps) {
  const { publicUrl, refused } = useShown();
  const isOwner = kind === 'owner';
  if (!mayTakePasswords(publicUrl)) {
    return (
      <section class="card narrow">
        <h1>Sign in</h1>
        <p>
          This marketplace is reached at <code>{publicUrl}</code>, without encryption: a password
          that is sent there can be read on the way, so none is taken. Set PUBLIC_URL to an https
          address, or open it on the machine that it runs on.
        </p>
      </section>
    );
  }
  return (
    <section class="card narrow" aria-labelledby="login">
      <h1 id="login">{isOwner ? 'Sign in' : 'Sign in as an operator'}</h1>
      {kept && <p>Your entries come back after you sign in. Nothing was sent yet.</p>}
      <form method="post" action={`${base}/login`} class="form">
        <input type="hidden" name="next" value={next} />
        {kept && <input type="hidden" name="kept" value={JSON.stringify(kept)} />}
        {ticket === undefined ? (
          <>
            <p class="field">
              <label for="name">Name</label>
              <input
                id="name"
                name="name"
                value={name}
                required
                maxLength={64}
                autocomplete="username webauthn"
                data-focus={refused ? undefined : ''}
              />
            </p>
            <SecretField label={isOwner ? 'Password' : 'Token'} />
          </>
        ) : (
          <CodeField ticket={ticket} />
        )}
        <p class="buttons">
          <button class="button main">Sign in</button>
          {passkey && <PasskeyButton asked={passkey} label="Use a passkey" autofill />}
        </p>
      </form>
      {isOwner && (
        <p class="small">
          No account yet? <a href="/#connect">Register</a>. Signing in takes your name, not your
          email address.
        </p>
      )}
      <p class="small dim">
        After too many wrong tries new browsers wait 15 minutes; browsers that were signed in before
        do not, nor do passkeys. {isOwner && <a href="/mail/forgot">Password lost?</a>}
      </p>
    </section>
  );
}

/** The field for the secret that proves who a person is. */
export const SecretField = ({ label }: { label: string }) => (
  <LabelledField id="secret" label={label}>
    <input
      id="secret"
      name="secret"
      type="password"
      required
      maxLength={256}
      autocomplete="current-password"
    />
  </LabelledField>
);

/** The second step: the code, after the right password. */
export const CodeField = ({ ticket }: { ticket: string }) => (
  <>
    <input type="hidden" name="ticket" value={ticket} />
    <LabelledField
      id="code"
      label="Code"
      note={<span class="note">Six digits from your app, or a recovery code.</span>}
    >
      <input
        id="code"
        name="code"
        required
        maxLength={32}
        autocomplete="one-time-code"
        aria-describedby="code-note"
        data-focus=""
      />
    </LabelledField>
  </>
);

interface LoginProps extends LoginAnswers {
  kind: SessionKind;
  base: string;
}

import type { PendingAppCode } from '../../../shared/domains/agents/factors/app_codes.ts';
import { Card } from '../parts/card.tsx';
import { PostForm } from '../parts/do.tsx';
import { Qr } from '../parts/qr.tsx';
import { Copy, plural } from '../parts/text.tsx';
import { TypedField } from '../session/typed_field.tsx';

export interface AppCodesShown {
  readonly isOn: boolean;
  /** A secret that still needs its first code. */
  readonly begun: PendingAppCode | undefined;
  readonly recoveryLeft: number;
  /** Recovery codes, shown once. */
  readonly recovery?: readonly string[] | undefined;
}

/** Codes of an authenticator app, asked for after the password. */
export const AppCodes = ({ isOn, begun, recoveryLeft, recovery }: AppCodesShown) => (
  <Card id="codes" title="App codes" aside={<span class="badge">{isOn ? 'on' : 'off'}</span>}>
    {recovery && <RecoveryCodes codes={recovery} />}
    {isOn ? (
      <>
        <p>
          After the password a code of your app is asked for, or one of{' '}
          {plural(recoveryLeft, 'recovery code')} that you have left.
        </p>
        <p class="buttons">
          <Button path="recovery" label="Make new recovery codes" />
          <Button path="off" label="Turn off" />
        </p>
      </>
    ) : begun ? (
      <First {...begun} />
    ) : (
      <>
        <p>With app codes, nobody can sign in with your password alone.</p>
        <p class="buttons">
          <Button path="begin" label="Turn on" />
        </p>
      </>
    )}
  </Card>
);

const Button = ({ path, label }: { path: string; label: string }) => (
  <PostForm action={`/console/account/codes/${path}`} class="inline">
    <button class="button">{label}</button>
  </PostForm>
);

const First = ({ secret, uri }: PendingAppCode) => (
  <>
    <Qr text={uri} label="The secret for your app, as a picture to scan" />
    <p>
      Or type it: <Copy text={secret} />
    </p>
    <PostForm action="/console/account/codes/confirm" class="form">
      <TypedField
        of="/codes/confirm"
        name="code"
        inputMode="numeric"
        maxLength={8}
        autocomplete="one-time-code"
      />
      <button class="button main">Turn on</button>
    </PostForm>
  </>
);

const RecoveryCodes = ({ codes }: { codes: readonly string[] }) => (
  <>
    <p>
      <strong>Keep these ten recovery codes away from your phone.</strong> They are shown this once.
      Each replaces one code of the app.
    </p>
    <ul class="recovery">
      {codes.map((code) => (
        <li>
          <code>{code}</code>
        </li>
      ))}
    </ul>
  </>
);

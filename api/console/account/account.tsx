import type { SessionView } from '../../../shared/domains/agents/sessions/list_sessions.ts';
import { invalid } from '../../../shared/kernel/schema.ts';
import { page } from '../page.ts';
import { Card, Lead, Table } from '../parts/card.tsx';
import { PostForm } from '../parts/do.tsx';
import { When } from '../parts/text.tsx';
import { useShown } from '../page_state.ts';
import { TypedField } from '../session/typed_field.tsx';
import { MailCard, type MailShown } from './mail_card.tsx';
import { AppCodes, type AppCodesShown } from './app_codes.tsx';
import { Passkeys, type PasskeysShown } from './passkeys.tsx';
import { Settings } from './settings.tsx';
import { YourData } from './your_data.tsx';

/** Data of the account page. It is about the console itself, so the page reads no operation. */
export interface AccountAnswers {
  readonly sessions: readonly SessionView[];
  /** The session of this request. */
  readonly current: number;
  readonly said: string | undefined;
  readonly codes: AppCodesShown;
  readonly passkeys: PasskeysShown;
  readonly mail: MailShown | undefined;
}

const PASSWORD_CHARS = { min: 8, max: 128 };

/** Path below that of the account. */
export const CHANGE_PASSWORD = '/password';

const SECRET = { of: CHANGE_PASSWORD, type: 'password', maxLength: PASSWORD_CHARS.max } as const;

/** Refuses a new password that is too short or too long. */
export function assertPasswordLength({ length }: string): void {
  const { min, max } = PASSWORD_CHARS;
  if (length >= min && length <= max) return;
  const bound = length < min ? `at least ${min}` : `at most ${max}`;
  throw invalid([{ pointer: '/password', message: `must have ${bound} characters` }]);
}

export const accountPage = page({
  path: '/console/account',
  title: 'Account',
  access: 'owner',
  uses: 'passkeys',
  view: (answers) => <Account {...(answers as unknown as AccountAnswers)} />,
});

function Account({ sessions, current, said, codes, passkeys, mail }: AccountAnswers) {
  const { person, settings } = useShown();
  return (
    <>
      <Lead title="Account">
        <p>{person!.name}. Who can act as you, and from where.</p>
      </Lead>
      {said && (
        <div class="message yours" role="status" tabIndex={-1} data-focus>
          <p>
            <strong>{said}</strong>
          </p>
        </div>
      )}
      <Card
        id="sessions"
        title="Signed in"
        aside={
          sessions.length > 1 && (
            <PostForm action="/console/account/sessions" class="inline">
              <button class="button" name="session" value="others">
                End all others
              </button>
            </PostForm>
          )
        }
      >
        <Table
          label="Sessions"
          rows={sessions}
          columns={[
            {
              head: 'Browser',
              cell: (one) => (
                <>
                  <bdi title={one.device}>{browserOf(one.device)}</bdi>
                  <span class="note narrow-only">
                    <When at={one.seenAt.toISOString()} />
                  </span>
                </>
              ),
            },
            {
              head: 'From',
              wide: true,
              cell: ({ address }) => (isHere(address) ? 'this machine' : address),
            },
            { head: 'Since', wide: true, cell: (one) => <When at={one.createdAt.toISOString()} /> },
            {
              head: 'Last seen',
              wide: true,
              cell: (one) => <When at={one.seenAt.toISOString()} />,
            },
            {
              head: 'End it',
              cell: ({ id }) =>
                id === current ? (
                  'this one'
                ) : (
                  <PostForm action="/console/account/sessions" class="inline">
                    <button class="button" name="session" value={String(id)}>
                      End
                    </button>
                  </PostForm>
                ),
            },
          ]}
        />
      </Card>
      <Card id="change_password" title="Password">
        <PostForm action="/console/account/password" class="form">
          <TypedField {...SECRET} name="secret" autocomplete="current-password" />
          <TypedField {...SECRET} name="password" autocomplete="new-password" />
          <button class="button main">Change the password</button>
        </PostForm>
      </Card>
      {mail && <MailCard {...mail} />}
      <Passkeys {...passkeys} />
      <AppCodes {...codes} />
      <Settings settings={settings} />
      <YourData />
    </>
  );
}

const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** Name of a browser from its User-Agent, as people call it. */
function browserOf(device: string): string {
  const named = (names: readonly (readonly [string, string])[]) =>
    names.find(([part]) => device.includes(part))?.[1];
  const browser = named(BROWSERS);
  if (browser === undefined) return device || 'it did not say';
  const system = named(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** Whether an address is the machine that this runs on, as sessions keep it. */
const isHere = (address: string) => ['127.0.0.1', '0:0:0:0::/64'].includes(address);

import type { Passkey } from '../../../shared/domains/agents/factors/passkeys.ts';
import { Card, Table } from '../parts/card.tsx';
import { PostForm } from '../parts/do.tsx';
import { PasskeyButton } from '../parts/passkey.tsx';
import { When } from '../parts/text.tsx';
import { useShown } from '../page_state.ts';
import { TypedField } from '../session/typed_field.tsx';

const PATH = '/console/account/passkeys';
export const NAME_CHARS_MAX = 64;

export interface PasskeysShown {
  readonly passkeys: readonly Passkey[];
  /** Options for a device that makes a new passkey: only after a fresh proof. */
  readonly asked: object | undefined;
  /** False: this address has no host name, so browsers make no passkeys. */
  readonly areTaken: boolean;
}

/** Passkeys, which sign in without a name and count as a proof. */
export function Passkeys({ passkeys, asked, areTaken }: PasskeysShown) {
  return (
    <Card id="passkeys" title="Passkeys">
      {passkeys.length > 0 && <Known passkeys={passkeys} />}
      {!areTaken ? (
        <NoName />
      ) : asked ? (
        <PostForm action={`${PATH}/add`} class="form">
          <TypedField
            of="/passkeys/add"
            name="name"
            maxLength={NAME_CHARS_MAX}
            placeholder="laptop"
            pattern=".*\S.*"
            title="A name that can be seen"
          />
          <p class="buttons">
            <PasskeyButton asked={asked} label="Add a passkey" isNew name="made" />
          </p>
          <noscript>
            <p class="small dim">Passkeys need JavaScript, which this browser does not run.</p>
          </noscript>
        </PostForm>
      ) : (
        <PostForm action={`${PATH}/begin`} class="inline">
          <button class="button">Add a passkey</button>
        </PostForm>
      )}
    </Card>
  );
}

function NoName() {
  const { publicUrl } = useShown();
  return (
    <p>
      Passkeys belong to a name, and this marketplace is reached at <code>{publicUrl}</code>, which
      is an address. With a name in PUBLIC_URL (on your own machine <code>http://localhost</code>)
      they can be used.
    </p>
  );
}

const Known = ({ passkeys }: { passkeys: readonly Passkey[] }) => (
  <Table
    label="Passkeys"
    rows={passkeys}
    columns={[
      { head: 'Name', cell: (one) => <Rename {...one} /> },
      { head: 'Added', wide: true, cell: (one) => <When at={one.created_at.toISOString()} /> },
      {
        head: 'Used',
        wide: true,
        cell: ({ used_at: at }) => (at ? <When at={at.toISOString()} /> : 'never'),
      },
      {
        head: 'Remove it',
        cell: ({ id }) => (
          <PostForm action={`${PATH}/remove`} class="inline">
            <button class="button" name="passkey" value={String(id)}>
              Remove
            </button>
          </PostForm>
        ),
      },
    ]}
  />
);

function Rename({ id, name }: Passkey) {
  const { refused } = useShown();
  const given = refused?.operation === '/passkeys/rename' ? refused.given : {};
  const isThis = given.passkey?.[0] === String(id);
  const problem = isThis ? refused?.fields.name : undefined;
  // The message of the refusal leads here.
  const field = isThis ? '/passkeys/rename-name' : `passkey-${id}`;
  return (
    <PostForm action={`${PATH}/rename`} class="inline">
      <input
        id={field}
        name="name"
        value={isThis ? given.name?.[0] : name}
        required
        maxLength={NAME_CHARS_MAX}
        aria-label={`Name of the passkey ${name}`}
        {...(problem && { 'aria-invalid': 'true' as const, 'aria-describedby': `${field}-note` })}
      />
      {problem && (
        <strong id={`${field}-note`} class="problem">
          {problem}
        </strong>
      )}
      <button class="button" name="passkey" value={String(id)}>
        Rename
      </button>
    </PostForm>
  );
}

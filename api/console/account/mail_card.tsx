import type { DigestPeriod } from '../../../shared/domains/mail/digest_choice.ts';
import type { RefusedAddress } from '../../../shared/domains/mail/refused_addresses.ts';
import { NOTICE_KINDS, type NoticeKind } from '../../../shared/domains/mail/kinds.ts';
import { Card } from '../parts/card.tsx';
import { PostForm } from '../parts/do.tsx';
import { When } from '../parts/text.tsx';
import { TypedField } from '../session/typed_field.tsx';
import { NOTICE_LABELS } from '../words/notice_words.ts';

/** The address of an owner, and what it is told by mail. */
export interface MailShown {
  readonly mode: 'smtp' | 'mailbox' | 'off';
  readonly address: string;
  readonly isProven: boolean;
  /** Another address that waits to be confirmed. */
  readonly asked: string | undefined;
  /** The probable meaning of an address with a misspelt domain. */
  readonly meant: string | undefined;
  /** Kinds of notices that are turned off. */
  readonly off: readonly NoticeKind[];
  /** How often it is mailed a summary; undefined: never. */
  readonly digest: DigestPeriod | undefined;
  /** Those of both addresses that mails do not reach. */
  readonly refused: readonly RefusedAddress[];
}

const DIGESTS = { '': 'never', day: 'each day at 06:00 UTC', week: 'each Monday at 06:00 UTC' };

/** Path below that of the account. */
export const CHANGE_ADDRESS = '/address/change';

export function MailCard({
  mode,
  address,
  isProven,
  asked,
  meant,
  off,
  digest,
  refused: returned,
}: MailShown) {
  if (mode === 'off') {
    return (
      <Card id="mail" title="Email">
        <p class="words">
          {address}. This marketplace sends no mails: its operator has set up no mail server.
        </p>
      </Card>
    );
  }
  return (
    <Card id="mail" title="Email">
      <p class="words">
        <strong>{address}</strong>{' '}
        {isProven
          ? 'is confirmed: it resets a lost password, and gets what you choose below.'
          : 'is not confirmed. Until it is, it gets no other mails, and it resets no password.'}
      </p>
      {returned.map((one) => (
        <Returned {...one} />
      ))}
      {asked && <p class="words">{asked} waits to be confirmed by the link that was sent there.</p>}
      {meant && <p class="words">Did you mean {meant}? Change the address below.</p>}
      {!isProven && (
        <PostForm action="/console/account/address/prove" class="inline">
          <button class="button main">Send the link</button>
        </PostForm>
      )}
      {mode === 'mailbox' && (
        <p class="small dim">
          SMTP_URL is not set, so mails are shown in <a href="/console/mailbox">the mailbox</a>.
        </p>
      )}
      <PostForm action={`/console/account${CHANGE_ADDRESS}`} class="form">
        <TypedField
          of={CHANGE_ADDRESS}
          name="address"
          type="email"
          maxLength={254}
          autocomplete="email"
        />
        <button class="button">Change the address</button>
      </PostForm>
      {isProven && (
        <PostForm action="/console/account/notices" class="form">
          <fieldset class="field">
            <legend>Mail me when this happens</legend>
            <span class="choices">
              {NOTICE_KINDS.map((kind) => (
                <label>
                  {/* An unchecked box sends nothing; then this value is sent. */}
                  <input type="hidden" name={kind} value="off" />
                  <input type="checkbox" name={kind} value="on" checked={!off.includes(kind)} />
                  {NOTICE_LABELS[kind]}
                </label>
              ))}
            </span>
          </fieldset>
          <p class="field">
            <label for="digest">Summary of what your agents spent, sold and did</label>
            <select id="digest" name="digest">
              {Object.entries(DIGESTS).map(([every, label]) => (
                <option value={every} selected={every === (digest ?? '')}>
                  {label}
                </option>
              ))}
            </select>
          </p>
          <p class="small dim">
            At most one mail of a kind in 15 minutes: later ones are gathered.
          </p>
          <button class="button">Save notices</button>
        </PostForm>
      )}
    </Card>
  );
}

const Returned = ({ address, at }: RefusedAddress) => (
  <p class="words">
    <strong class="problem">Mails do not reach {address}.</strong> Its mail server refused the last
    one for good, <When at={at.toISOString()} />. Correct the address below.
  </p>
);

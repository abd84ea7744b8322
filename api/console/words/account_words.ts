import type { FormWords } from './form_words.ts';

/** The rule of new passwords. */
export const CHARS = '8 to 128 characters: a few words that do not belong together are good.';

/** Forms of an account, which no operation is behind, by the paths that they are sent to. */
export const ACCOUNT_WORDS: Readonly<Record<string, FormWords>> = {
  '/password': {
    secret: { label: 'Current password' },
    password: { label: 'New password', note: `${CHARS} All other sessions end.` },
  },
  '/mail/forgot': {
    name: {
      label: 'Name or email address',
      empty: 'Enter the name or the email address of your account.',
    },
  },
  '/mail/password': {
    password: { label: 'New password', note: CHARS },
    code: { label: 'Code', note: 'Six digits from your app, or a recovery code.' },
  },
  '/address/change': {
    address: {
      label: 'Another address',
      note: 'It counts when you confirm it by the link that is sent there.',
      wrong: 'Enter an address, such as olga@example.com.',
    },
  },
  '/settings': {
    ask_above: {
      label: 'Ask again above, in dollars',
      note: 'A dialog repeats what an approval above it will do.',
      wrong: 'Enter an amount in dollars, such as 25.00.',
    },
    times: { label: 'Time zone' },
    theme: { label: 'Theme' },
    shortcuts: { label: 'Single keys are shortcuts' },
  },
  '/passkeys/add': { name: { label: 'Passkey name' } },
  '/passkeys/rename': { name: { label: 'Passkey name' } },
  '/codes/confirm': {
    code: {
      label: 'The six digits that the app shows',
      wrong: 'The code is wrong. App codes stay off.',
    },
  },
  '/console/account/closing': {
    name: { label: 'Name of the account', wrong: 'This is not the name of the account.' },
  },
};

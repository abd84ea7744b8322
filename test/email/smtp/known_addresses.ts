import type { Name } from '../zone.ts';

/**
 * Addresses of which it is known what they are, with what is to be found out about each: what
 * decides (`sub_status`), and whether mail can be sent there (`reachable`).
 */
export const KNOWN: readonly (readonly [email: string, found: string, reachable: string])[] = [
  // A mail server that knows its mailboxes.
  ['ada@strict.example', 'mailbox_accepted', 'safe'],
  ['bob.smith@strict.example', 'mailbox_accepted', 'safe'],
  ['grace+tag@strict.example', 'mailbox_accepted', 'safe'],
  ["o'neil@strict.example", 'mailbox_accepted', 'safe'],
  ['josé@strict.example', 'mailbox_accepted', 'safe'],
  ['info@strict.example', 'mailbox_accepted', 'risky'], // The address of a role.
  ['eve@strict.example', 'mailbox_refused', 'invalid'],
  ['blackburn@strict.example', 'mailbox_refused', 'invalid'],
  ['sales@strict.example', 'mailbox_refused', 'invalid'],
  ['ada@MÜNCHEN.example', 'mailbox_accepted', 'safe'],
  ['eve@xn--mnchen-3ya.example', 'mailbox_refused', 'invalid'],
  ['ada@gmail.com', 'mailbox_accepted', 'safe'],
  ['eve@gmail.com', 'mailbox_refused', 'invalid'],
  ['ada@mailinator.com', 'mailbox_accepted', 'risky'], // Disposable.
  ['eve@sub.mailinator.com', 'mailbox_refused', 'invalid'],
  ['ada@second.example', 'mailbox_accepted', 'safe'], // Its first mail server does not exist.
  ['eve@second.example', 'mailbox_refused', 'invalid'],
  ['ada@address.example', 'mailbox_accepted', 'safe'], // No MX: its address takes mail.
  ['eve@address.example', 'mailbox_refused', 'invalid'],
  // One that accepts every mailbox.
  ['ada@all.example', 'catch_all', 'risky'],
  ['eve@all.example', 'catch_all', 'risky'],
  ['info@all.example', 'catch_all', 'risky'],
  // One that takes commands over TLS only, and one whose greeting takes four seconds.
  ['ada@tls.example', 'mailbox_accepted', 'safe'],
  ['eve@tls.example', 'mailbox_refused', 'invalid'],
  ['ada@slow.example', 'mailbox_accepted', 'safe'],
  ['eve@slow.example', 'mailbox_refused', 'invalid'],
  // One that says what is wrong.
  ['full@codes.example', 'mailbox_full', 'risky'],
  ['full.now@codes.example', 'mailbox_full', 'risky'],
  ['full.words@codes.example', 'mailbox_full', 'risky'],
  ['disabled@codes.example', 'mailbox_disabled', 'invalid'],
  ['disabled.words@codes.example', 'mailbox_disabled', 'invalid'],
  ['moved@codes.example', 'mailbox_refused', 'invalid'],
  ['policy.words@codes.example', 'mailbox_refused', 'invalid'],
  ['denied@codes.example', 'mailbox_refused', 'invalid'],
  ['grey@codes.example', 'greylisted', 'unknown'],
  // … or says something of us, so that the mailbox is not known.
  ['ada@policy.example', 'probe_failed', 'unknown'],
  ['ada@sender.example', 'probe_failed', 'unknown'],
  ['ada@system.example', 'probe_failed', 'unknown'],
  ['ada@blocklist.example', 'probe_failed', 'unknown'],
  ['ada@busy.example', 'probe_failed', 'unknown'],
  // Mail servers that decide nothing.
  ['later@codes.example', 'probe_failed', 'unknown'], // Many things may pass.
  ['ada@defers.example', 'probe_failed', 'unknown'], // It would refuse nobody now.
  ['ada@resets.example', 'probe_failed', 'unknown'],
  ['ada@http.example', 'probe_failed', 'unknown'],
  ['ada@closed.example', 'probe_failed', 'unknown'],
  // No mail server that may be asked.
  ['ada@null.example', 'null_mx', 'invalid'],
  ['ada@nothing.example', 'no_mail_server', 'invalid'],
  ['ada@inner.example', 'no_mail_server', 'invalid'],
  ['ada@local.example', 'no_mail_server', 'invalid'],
  ['ada@nobody.example', 'no_such_domain', 'invalid'],
  ['ada@below.nobody.example', 'no_such_domain', 'invalid'],
  // Name servers that say nothing.
  ['ada@broken.example', 'dns_failure', 'unknown'],
  ['ada@refused.example', 'dns_failure', 'unknown'],
  ['ada@silent.example', 'dns_time_out', 'unknown'],
  ['ada@outlook.com', 'dns_failure', 'unknown'], // It exists, whatever name servers say.
  // No address, or no domain.
  ['ada', 'bad_syntax', 'invalid'],
  ['@strict.example', 'bad_syntax', 'invalid'],
  ['a..b@strict.example', 'bad_syntax', 'invalid'],
  ['ada@@strict.example', 'bad_syntax', 'invalid'],
  ['ada@localhost', 'bad_syntax', 'invalid'],
  ['ada@127.0.0.11', 'bad_syntax', 'invalid'],
  [`${'a'.repeat(65)}@strict.example`, 'bad_syntax', 'invalid'],
  ['Ada <ada@strict.example>', 'bad_syntax', 'invalid'],
  ['ada@[8.8.8.8]', 'address_literal', 'unknown'],
  ['ada@[IPv6:2606:4700::1111]', 'address_literal', 'unknown'],
];

/** The machines of these mail servers. */
export const MACHINES = {
  strict: '127.0.0.11',
  all: '127.0.0.12',
  codes: '127.0.0.13',
  tls: '127.0.0.14',
  slow: '127.0.0.15',
  defers: '127.0.0.16',
  resets: '127.0.0.17',
  http: '127.0.0.18',
  closed: '127.0.0.19',
} as const;

const at = (machine: keyof typeof MACHINES) => ({ MX: [`mx.${machine}.example`] });

export const ZONE: Record<string, Name> = {
  ...Object.fromEntries(
    Object.entries(MACHINES).flatMap(([name, address]) => [
      [`${name}.example`, { MX: [`mx.${name}.example`] }],
      [`mx.${name}.example`, { A: [address] }],
    ]),
  ),
  'xn--mnchen-3ya.example': at('strict'),
  'gmail.com': at('strict'),
  'mailinator.com': at('strict'),
  'sub.mailinator.com': at('strict'),
  'second.example': { MX: ['nobody.second.example', 'mx.strict.example'] },
  'nobody.second.example': {},
  'address.example': { A: [MACHINES.strict] },
  'policy.example': at('codes'),
  'sender.example': at('codes'),
  'system.example': at('codes'),
  'blocklist.example': at('codes'),
  'busy.example': at('codes'),
  'null.example': { MX: ['.'], A: [MACHINES.strict] },
  'nothing.example': {},
  'inner.example': { MX: ['mx.inner.example'] },
  'mx.inner.example': { A: ['10.0.0.1'] },
  'local.example': { MX: ['localhost', '127.0.0.11'] },
  'broken.example': 'SERVFAIL',
  'refused.example': 'REFUSED',
  'silent.example': 'no answer',
};

/** Replies of the server that says what is wrong, by the mailbox and by the domain. */
export const REPLIES: Readonly<Record<string, readonly [code: number, text: string]>> = {
  'full@codes.example': [552, '5.2.2 Over quota'],
  'full.now@codes.example': [452, '4.2.2 Over quota for now'],
  'full.words@codes.example': [550, 'The mailbox is full'],
  'disabled@codes.example': [550, '5.2.1 The account that you tried to reach is disabled'],
  'disabled.words@codes.example': [550, 'This account is suspended'],
  'moved@codes.example': [551, '5.1.6 The mailbox has moved'],
  'policy.words@codes.example': [550, '<policy.words@codes.example>: no such user'],
  'denied@codes.example': [550, '5.4.1 Recipient address rejected: Access denied'],
  'grey@codes.example': [450, '4.7.1 Greylisted by policy, try again in 300 s'],
  'later@codes.example': [451, '4.2.0 Try again later'],
  'ada@policy.example': [550, '5.7.1 Rejected by policy'],
  'ada@sender.example': [550, '5.1.8 Your domain has no mail server'],
  'ada@system.example': [554, '5.3.0 No such user; the system does not work'],
  'ada@blocklist.example': [550, 'User unknown, or you are on a blocklist'],
  'ada@busy.example': [421, '4.3.2 Too many connections'],
};

import { openTreasury } from '../ledger/ledger.ts';
import { toUsd } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Amount, Id, Input, invalid, Output, Text, Type } from '../../kernel/schema.ts';
import { canonical, parseAddress, type Address } from '../../kernel/mail_address.ts';
import { column, execute, row, rows } from '../../platform/rows.ts';
import { SCOPES } from '../../kernel/caller.ts';
import { makeKey, NewKey, shown } from './keys.ts';
import { hashPassword } from './passwords.ts';
import { assertRegistrable, countRegistration, registrationOf } from './registrations.ts';
import { refuseWeakPassword } from './weak_passwords/weak_passwords.ts';
import { giveWelcomeCredit, isFirstOfMailbox } from './welcome_credit.ts';

export const registerAgent = operation({
  name: 'register_agent',
  title: 'Register an agent',
  summary:
    "Opens an account with a wallet and $0.50 of welcome credit (while the day's budget lasts), " +
    'and shows its API key, once. Free; needs no key. Put the key into the configuration of your ' +
    'client as the header Authorization: Bearer <key>, then connect again.',
  phrasings: `
    open an account; sign up, join the marketplace; get a first API key; create a user; I am
    new, how do I start; create my agent account; need an API key; join and get the free credit;
    sign me up; enroll a bot; onboarding without a key; make an account; register; create
    account; how can I begin; new user; sign up for an API key; I have no account; get started;
    first time here; set up my agent with username and password; open an account for my bot; new
    agent registration; onboard; create login; I do not have an account yet; let me in; how do I
    join; set me up; get me started with a key; make me a user; I would like to take part;
    create credentials for me; new here`,
  access: 'public',
  mode: 'write',
  rest: 'POST /api/v1/agent/register',
  stored: { secret: true },
  refusals: ['rate_limited'],
  input: Input({
    username: Type.String({
      minLength: 3,
      maxLength: 32,
      pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]*$',
      description: 'Public name. Letters, digits and _ . - after the first character.',
    }),
    email: Text(3, 254, 'Email address, also an international one; never shown to others.'),
    password: Text(8, 128, 'Password for the console; API calls use the key.'),
  }),
  output: Output('Registration', {
    success: Type.Literal(true),
    agent_id: Id('The new agent.'),
    username: Type.String({ description: 'Name as requested.' }),
    balance: Amount('Spendable balance.'),
    notice: Type.Optional(Type.String({ description: 'Reason for a missing welcome credit.' })),
    api_key: NewKey,
  }),

  /** Refuses before the costly hash. */
  async prepare(tx, { username, email, password }) {
    if (RESERVED.has(username.toLowerCase())) {
      throw invalid([{ pointer: '/username', message: 'is reserved: choose another name' }]);
    }
    const registration = registrationOf(tx, mailboxOf(email));
    refuseWeakPassword(password, { username, email });
    await assertRegistrable(tx, registration);
    return { address: registration.address, memoryKib: tx.config.agents.passwordMemoryKib };
  },

  gather: (_gateways, { password }, _call, request) => hashPassword(password, request),

  async handle(tx, { username, email: written }, passwordHash) {
    const mailbox = mailboxOf(written);
    await countRegistration(tx, registrationOf(tx, mailbox));
    const email = canonical(mailbox);
    const agentId = await insertRoot(tx, { username, email, passwordHash });
    await openTreasury(tx.db, agentId);
    await execute(tx.db, 'insert into spend (agent_id, root_id) values ($1, $1)', [agentId]);
    const { key } = await makeKey(tx, { agentId, name: 'first', scopes: SCOPES });
    const isFirst = await isFirstOfMailbox(tx, agentId);
    const credit = isFirst ? await giveWelcomeCredit(tx, agentId) : 0n;
    return {
      success: true as const,
      agent_id: agentId,
      username,
      balance: toUsd(credit),
      ...(credit === 0n && { notice: `${isFirst ? NONE_LEFT : NOT_FIRST} ${NO_CREDIT}` }),
      api_key: shown(key),
    };
  },
});

function mailboxOf(email: string): Address {
  const mailbox = parseAddress(email);
  if (mailbox) return mailbox;
  throw invalid([
    { pointer: '/email', message: 'must be an email address, such as ada@example.com' },
  ]);
}

/** Names that look like those of the platform's operators, with which an agent could deceive. */
const RESERVED = new Set(
  ['admin', 'administrator', 'marketplace', 'moderator', 'null', 'official', 'operator'].concat([
    'platform',
    'root',
    'security',
    'staff',
    'support',
    'system',
    'undefined',
  ]),
);

const NONE_LEFT = 'There is no more welcome credit today.';
const NOT_FIRST =
  'Another agent with this mailbox was given the welcome credit: a mailbox is given it once, ' +
  'whatever follows the + of its address.';
const NO_CREDIT =
  'The wallet is empty, and the account works: add money to buy, or sell without any.';

/** Inserts the root. Unique indexes decide who gets a name; a second query finds which is taken. */
async function insertRoot(
  { db }: Tx,
  { username, email, passwordHash }: { username: string; email: string; passwordHash: string },
): Promise<number> {
  const [inserted] = await rows(
    db,
    { id: column.id },
    `insert into agent (id, username, email, password_hash, root_id, lineage)
     select id, $1, $2, $3, id, array [id] from (select nextval('agent_id') as id) as next
     on conflict do nothing returning id`,
    [username, email, passwordHash],
  );
  if (inserted) return inserted.id;

  const taken = await row(
    db,
    { username: column.boolean, email: column.boolean },
    `select exists (select from agent where lower(username) = lower($1)) as username,
            exists (select from agent where lower(email) = lower($2)) as email`,
    [username, email],
  );
  throw invalid(
    (['username', 'email'] as const)
      .filter((field) => taken[field])
      .map((field) => ({ pointer: `/${field}`, message: 'is taken' })),
  );
}

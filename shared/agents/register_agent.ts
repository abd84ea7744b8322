import { openTreasury } from '../ledger/ledger.ts';
import { toUsd } from '../ledger/money.ts';
import { operation, type Tx } from '../kernel/operation.ts';
import { Amount, Id, Input, invalid, Output, Text, Type } from '../kernel/schema.ts';
import { column, execute, row, rows } from '../platform/rows.ts';
import { SCOPES } from './agents.ts';
import { makeKey, NewKey, shown } from './keys.ts';
import { hashPassword } from './passwords.ts';
import { assertRegistrable, countRegistration, registrationOf } from './registrations.ts';
import { giveWelcomeCredit } from './welcome_credit.ts';

export const registerAgent = operation({
  name: 'register_agent',
  title: 'Register an agent',
  summary:
    'Opens an account with a wallet, gives it $0.50 of welcome credit (while that of the day ' +
    'lasts) and shows its API key, once. Free, and needs no key. The key belongs into the ' +
    'configuration of your client, as the header Authorization: Bearer <key>; then connect again.',
  access: 'public',
  mode: 'write',
  domain: 'agents',
  rest: 'POST /api/v1/agent/register',
  core: true,
  secret: true,
  refusals: ['rate_limited'],
  input: Input({
    username: Type.String({
      minLength: 3,
      maxLength: 32,
      pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]*$',
      description: 'Shown to others. Letters, digits and _ . - after the first character.',
    }),
    email: Type.String({
      maxLength: 254,
      format: 'email',
      description: 'Never shown to others.',
    }),
    password: Text(8, 128, 'For the console of the owner. API calls use the key.'),
  }),
  output: Output('Registration', {
    success: Type.Literal(true),
    agent_id: Id('The new agent.'),
    username: Type.String({ description: 'As it was asked for.' }),
    balance: Amount('What it can spend now.'),
    notice: Type.Optional(
      Type.String({ description: 'Why there is no welcome credit, where there is none.' }),
    ),
    api_key: NewKey,
  }),

  /** A call that is refused costs no hash. */
  async prepare(tx, { username, email }) {
    if (RESERVED.has(username.toLowerCase())) {
      throw invalid([{ pointer: '/username', message: 'is reserved: choose another one' }]);
    }
    const registration = registrationOf(tx, email);
    await assertRegistrable(tx, registration);
    return { address: registration.address, memoryKib: tx.config.agents.passwordMemoryKib };
  },

  gather: (_gateways, { password }, _call, request) => hashPassword(password, request),

  async handle(tx, { username, email }, passwordHash) {
    await countRegistration(tx, registrationOf(tx, email));
    const agentId = await insertRoot(tx, { username, email, passwordHash });
    await openTreasury(tx.db, agentId);
    await execute(tx.db, 'insert into spend (agent_id, root_id) values ($1, $1)', [agentId]);
    const { key } = await makeKey(tx.db, tx.secrets, { agentId, name: 'first', scopes: SCOPES });
    const credit = await giveWelcomeCredit(tx, agentId);
    return {
      success: true as const,
      agent_id: agentId,
      username,
      balance: toUsd(credit),
      ...(credit === 0n && { notice: NO_CREDIT }),
      api_key: shown(key),
    };
  },
});

/** Names of those who run the marketplace, or of nobody: who deals with one would be deceived. */
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

const NO_CREDIT =
  'There is no more welcome credit today, so the wallet is empty. The account works: add money to ' +
  'buy, or sell without any.';

/** The unique indexes decide which call gets a name; the second query finds what was taken. */
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

import { randomUUID } from 'node:crypto';

import type { Adapter, AdapterPayload } from 'oidc-provider';

import { PLATFORM } from '../../shared/agents/caller.ts';
import { issueToken } from '../../shared/connections/access_tokens.ts';
import { endConnectionOf, endGrant } from '../../shared/connections/grants.ts';
import {
  connectionOfGrant,
  findItem,
  holdConnection,
  putItem,
  removeItem,
  replaceItem,
  useItem,
  type FoundItem,
} from '../../shared/connections/oauth_items.ts';
import type { Context } from '../../shared/kernel/context.ts';
import type { Tx } from '../../shared/kernel/operation.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { refuseUnstorable } from '../../shared/kernel/storable.ts';
import { inTransaction } from '../../shared/kernel/transaction.ts';
import { openClient } from './clients.ts';
import { errors, Provider } from './oidc_provider.mjs';
import { currentRequest } from './requests.ts';
import { noteReplaced } from './successors.ts';

/**
 * How long after its use an item is not taken for stolen when it comes again. A refresh token is
 * answered the same successors so long: two tabs of one client refresh at once, and answers are
 * lost. A code is refused at once, and only later that ends what it gave.
 */
const GRACE_SECONDS: Readonly<Record<string, number>> = {
  RefreshToken: 120,
  AuthorizationCode: 10,
};

/** What is of one sign-in that an owner allowed: of the account that is its connection. */
const OF_A_GRANT = new Set(['AuthorizationCode', 'RefreshToken', 'AccessToken']);

/**
 * What oidc-provider keeps, in our tables. An access token is a key; everything else is found by
 * the hash of its id. Nothing is kept of clients, whose ids say all, nor of sessions of browsers:
 * each sign-in asks the owner.
 */
export const adapterOf =
  (context: Context) =>
  (model: string): Adapter => {
    const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      const call = { caller: PLATFORM, now: context.clock.now(), key: randomUUID() };
      return inTransaction(context, { ...call, ...currentRequest() }, work);
    };
    const isKept = model !== 'Client' && model !== 'Session';

    return {
      async upsert(id, { jti: _itself, ...payload }, seconds = 0) {
        if (!isKept) return;
        assertStorable(payload);
        const expiresAt = new Date(Date.now() + seconds * 1_000);
        await within(async (tx) => {
          const { grantId } = payload;
          const connectionId = await connectionFor(tx, model, payload);
          const keyId =
            model === 'AccessToken'
              ? await keyFor(tx, { connectionId: connectionId!, token: id, expiresAt })
              : undefined;
          if (keyId === null) return; // A repeat of a refresh.
          await putItem(tx.db, { model, id, grantId, connectionId, keyId, payload, expiresAt });
        });
      },

      async find(id) {
        if (model === 'Client')
          return openClient(context.secrets, id) as AdapterPayload | undefined;
        if (!isKept) return undefined;
        const graceSeconds = GRACE_SECONDS[model] ?? 0;
        const found = await within(({ db }) => findItem(db, { model, id, graceSeconds }));
        return found && payloadOf(model, found);
      },

      async consume(id) {
        if (model === 'RefreshToken') {
          const first = { id, keyId: context.secrets.currentKeyId };
          const keyId = await within(({ db }) => replaceItem(db, first));
          if (keyId !== undefined) return noteReplaced(context.secrets, { token: id, keyId });
        } else if (await within(({ db }) => useItem(db, id))) return;
        throw new errors.InvalidGrant('it was used already');
      },

      async destroy(id) {
        if (isKept) await within(({ db }) => removeItem(db, id));
      },

      async revokeByGrantId(grantId) {
        // Who shows a refresh token long after it was used may have stolen it, or its successor.
        const oidc = Provider.ctx?.oidc;
        const isStolen = oidc?.route === 'token' && oidc.entities.RefreshToken?.consumed;
        await within((tx) => (isStolen ? endConnectionOf(tx, grantId) : endGrant(tx, grantId)));
      },

      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
    };
  };

/** Refuses parameters of a request that no column can hold, such as a `state` with NUL. */
function assertStorable(payload: object): void {
  try {
    refuseUnstorable(payload);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new errors.InvalidRequest('a parameter holds characters that are not text');
  }
}

async function connectionFor(
  { db }: Tx,
  model: string,
  { accountId, grantId }: AdapterPayload,
): Promise<number | undefined> {
  if (model !== 'Grant' && !OF_A_GRANT.has(model)) return undefined;
  const connectionId =
    model === 'Grant' ? Number(accountId) : await connectionOfGrant(db, grantId!);
  // Of an access token, `issueToken` holds it.
  const isHeld = (id: number) => model === 'AccessToken' || holdConnection(db, id);
  if (connectionId !== undefined && (await isHeld(connectionId))) return connectionId;
  throw new errors.InvalidGrant('the connection was ended');
}

async function keyFor(
  tx: Tx,
  draft: { connectionId: number; token: string; expiresAt: Date },
): Promise<number | null> {
  const keyId = await issueToken(tx, draft).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    throw new errors.TemporarilyUnavailable(error.message);
  });
  if (keyId === undefined) throw new errors.InvalidGrant('the connection was ended');
  return keyId;
}

/** With the scopes that the connection has now, which its owner may have changed since. */
function payloadOf(model: string, { payload, scopes = [], isUsed }: FoundItem): AdapterPayload {
  const { resources = {}, rejected } = payload as GrantPayload;
  const now = scopes.join(' ');
  const ofEach = (of: Scopes, map: (text: string) => string) => ({
    resources: Object.fromEntries(Object.entries(of).map(([name, text]) => [name, map(text)])),
  });
  const isStillRejected = (scope: string) => !scopes.includes(scope);
  return {
    ...payload,
    ...(isUsed && { consumed: true }),
    ...(model === 'RefreshToken' && { scope: now }),
    ...(model === 'Grant' && {
      ...ofEach(resources, () => now),
      rejected: ofEach(rejected?.resources ?? {}, (text) =>
        text.split(' ').filter(isStillRejected).join(' '),
      ),
    }),
  } as AdapterPayload;
}

/** Of each resource, the scopes in one text. */
type Scopes = Readonly<Record<string, string>>;

interface GrantPayload {
  readonly resources?: Scopes;
  readonly rejected?: { readonly resources?: Scopes };
}

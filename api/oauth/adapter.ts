import { randomUUID } from 'node:crypto';

import type { Adapter, AdapterPayload } from 'oidc-provider';

import { PLATFORM } from '../../shared/kernel/caller.ts';
import { issueToken } from '../../shared/domains/connections/access_tokens.ts';
import { endConnectionOf, endGrant } from '../../shared/domains/connections/grants.ts';
import {
  connectionOfGrant,
  findItem,
  holdConnection,
  putItem,
  removeItem,
  replaceItem,
  type StoredItem,
} from '../../shared/domains/connections/oauth_items.ts';
import type { Context } from '../../shared/composition/context.ts';
import type { Tx } from '../../shared/kernel/tx.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { refuseUnstorable } from '../../shared/kernel/storable.ts';
import { inTransaction } from '../../shared/performing/transaction.ts';
import { openClient } from './clients.ts';
import { errors, Provider } from './oidc_provider.mjs';
import { currentRequest } from './requests.ts';
import { noteReplaced, repeatsExchange } from './successors.ts';

/**
 * Seconds after its first use in which a repeat by the same client gets the same tokens: two tabs
 * refresh at once, and answers get lost. A code needs less than a refresh token, because its client
 * still waits for it.
 */
const GRACE_SECONDS: Readonly<Record<string, number>> = {
  RefreshToken: 120,
  AuthorizationCode: 10,
};

/** Models that belong to one consent of an owner: their account is its connection. */
const OF_A_GRANT = new Set(['AuthorizationCode', 'RefreshToken', 'AccessToken']);

/**
 * The storage of oidc-provider, in our tables. An access token is a key; everything else is found
 * by the hash of its id. Clients are not stored, because their ids hold everything, nor are browser
 * sessions: each sign-in asks the owner.
 */
export const adapterOf =
  (context: Context) =>
  (model: string): Adapter => {
    const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      const call = { caller: PLATFORM, now: context.clock.now(), key: randomUUID() };
      return inTransaction(context, { ...call, ...currentRequest() }, work);
    };
    const issuer = { secrets: context.secrets, publicUrl: context.config.api.publicUrl };
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
          if (keyId === null) return; // It is a repeat.
          // The sign-in may have ended before its connection was locked.
          if (OF_A_GRANT.has(model) && !(await connectionOfGrant(tx.db, grantId!))) throw ended();
          await putItem(tx.db, { model, id, grantId, connectionId, keyId, payload, expiresAt });
        });
      },

      async find(id) {
        if (model === 'Client') return openClient(issuer, id) as AdapterPayload | undefined;
        if (!isKept) return undefined;
        const graceSeconds = GRACE_SECONDS[model] ?? 0;
        return within(async (tx) => {
          const found = await findItem(tx.db, { model, id, graceSeconds });
          if (!found) return undefined;
          const payload = payloadOf(model, found);
          if (model !== 'AuthorizationCode' || !found.isUsed) return payload;
          if (!found.isUsedLongAgo && repeatsExchange(payload)) {
            return { ...payload, exp: payload.exp! + graceSeconds };
          }
          // RFC 6749, section 4.1.2; RFC 9700, section 4.5: somebody else had the code.
          await endGrant(tx, payload.grantId!);
          return undefined;
        });
      },

      async consume(id) {
        const first = { id, keyId: context.secrets.currentKeyId };
        const keyId = await within(({ db }) => replaceItem(db, first));
        if (keyId === undefined) throw new errors.InvalidGrant('it was used already');
        noteReplaced(context.secrets, { token: id, keyId });
      },

      async destroy(id) {
        if (isKept) await within(({ db }) => removeItem(db, id));
      },

      async revokeByGrantId(grantId) {
        // A refresh token shown long after its use may be stolen, or its successor may be.
        const oidc = Provider.ctx?.oidc;
        const isStolen = oidc?.route === 'token' && oidc.entities.RefreshToken?.consumed;
        await within((tx) => (isStolen ? endConnectionOf(tx, grantId) : endGrant(tx, grantId)));
      },

      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
    };
  };

/** Refuses request parameters that no column can hold, such as a `state` with NUL. */
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
  // `issueToken` locks the connection of an access token.
  const isHeld = (id: number) => model === 'AccessToken' || holdConnection(db, id);
  if (connectionId !== undefined && (await isHeld(connectionId))) return connectionId;
  throw ended();
}

const ended = () => new errors.InvalidGrant('the connection was ended');

async function keyFor(
  tx: Tx,
  draft: { connectionId: number; token: string; expiresAt: Date },
): Promise<number | null> {
  const keyId = await issueToken(tx, draft).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    throw new errors.TemporarilyUnavailable(error.message);
  });
  if (keyId === undefined) throw ended();
  return keyId;
}

/** The payload, with the current scopes of the connection: its owner may have changed them. */
function payloadOf(
  model: string,
  { payload, scopes = [], isUsedLongAgo }: StoredItem,
): AdapterPayload {
  const { resources = {}, rejected } = payload as GrantPayload;
  const now = scopes.join(' ');
  const ofEach = (of: Scopes, map: (text: string) => string) => ({
    resources: Object.fromEntries(Object.entries(of).map(([name, text]) => [name, map(text)])),
  });
  const isStillRejected = (scope: string) => !scopes.includes(scope);
  return {
    ...payload,
    ...(isUsedLongAgo && { consumed: true }),
    ...(model === 'RefreshToken' && { scope: now }),
    ...(model === 'Grant' && {
      ...ofEach(resources, () => now),
      rejected: ofEach(rejected?.resources ?? {}, (text) =>
        text.split(' ').filter(isStillRejected).join(' '),
      ),
    }),
  } as AdapterPayload;
}

/** The scopes of each resource, as one text. */
type Scopes = Readonly<Record<string, string>>;

interface GrantPayload {
  readonly resources?: Scopes;
  readonly rejected?: { readonly resources?: Scopes };
}

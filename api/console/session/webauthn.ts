import { isIP } from 'node:net';

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

import {
  addPasskey,
  findPasskey,
  listPasskeys,
  takeAnswer,
  usePasskey,
  type Passkey,
} from '../../../shared/domains/agents/factors/passkeys.ts';
import type { WebSession } from '../../../shared/domains/agents/sessions/sessions.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { refuseUnstorable } from '../../../shared/kernel/storable.ts';
import { transact } from '../../../shared/platform/database.ts';
import { challengeFor, endOf, type Purpose } from './challenges.ts';

/** Loaded at the first use of a passkey: a process without such users does without. */
const library = () => import('@simplewebauthn/server');

/** Whether passkeys work here: browsers make them for host names, not for addresses. */
export function takesPasskeys(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl);
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0;
}

const partyOf = (publicUrl: string) => {
  const { hostname, origin } = new URL(publicUrl);
  return { expectedRPID: hostname, expectedOrigin: origin };
};

/** Options that tell a browser what to ask the device for. */
type PasskeyOptions = object;

/** Options for a new passkey of this session's owner, on a device that has none of it yet. */
export async function askForNew(context: Context, session: WebSession): Promise<PasskeyOptions> {
  const { generateRegistrationOptions } = await library();
  const { agentId } = session.caller;
  const known = await listPasskeys(context.database, agentId);
  return generateRegistrationOptions({
    rpName: 'Agent Marketplace',
    rpID: partyOf(context.config.api.publicUrl).expectedRPID,
    userName: session.name,
    userID: handleOf(agentId),
    challenge: challengeFor(context, { what: 'add', sessionId: session.id }),
    excludeCredentials: known.map(nameOf),
    // Discoverable, and unlocked by the person: it is two factors by itself.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Counters are compared when the use is recorded: the library does not know of synced passkeys. */
const ANY_COUNTER = -1;

/** Purposes of a passkey before anybody has signed in. */
type PasskeyUse = 'sign in' | 'connect';

/** Options for any passkey, to sign in or to connect an app. */
export const askForAny = (context: Context, what: PasskeyUse): Promise<PasskeyOptions> =>
  ask(context, [], what);

/** Options for a passkey of this session's owner; undefined: it has none. */
export async function askForProof(
  context: Context,
  session: WebSession,
): Promise<PasskeyOptions | undefined> {
  const known = await listPasskeys(context.database, session.caller.agentId);
  return known.length > 0 ? ask(context, known, session) : undefined;
}

async function ask(
  context: Context,
  known: readonly Passkey[],
  by: WebSession | PasskeyUse,
): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: partyOf(context.config.api.publicUrl).expectedRPID,
    challenge: challengeFor(context, purposeOf(by)),
    userVerification: 'required',
    allowCredentials: known.map(nameOf),
  });
}

const nameOf = ({ credential_id: id, transports }: Passkey) => ({ id, transports });

const purposeOf = (by: WebSession | PasskeyUse): Purpose =>
  typeof by === 'string' ? { what: by, sessionId: 0 } : { what: 'prove', sessionId: by.id };

/** Adds the passkey that a browser has made. */
export async function addAnswered(
  context: Context,
  session: WebSession,
  { answer, name }: { answer: string; name: string },
): Promise<void> {
  const { verifyRegistrationResponse } = await library();
  const purpose: Purpose = { what: 'add', sessionId: session.id };
  const challenge = new PasskeyAnswer(context, purpose);
  const { registrationInfo } = await verified(() =>
    verifyRegistrationResponse({
      response: parsed<RegistrationResponseJSON>(answer),
      expectedChallenge: (text) => challenge.isOurs(text),
      ...partyOf(context.config.api.publicUrl),
    }),
  );
  if (!registrationInfo) throw notProven();
  const { credential } = registrationInfo;
  await transact(context.database, async (db) => {
    await challenge.take(db);
    await addPasskey(db, {
      agent_id: session.caller.agentId,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: (credential.transports ?? []).filter((one) => /^[\w-]{1,20}$/.test(one)),
      name,
    });
  });
}

/**
 * The owner whose passkey has answered: that of this session, or the one who signs in or connects
 * an app. An answer counts once, for the purpose of its challenge. Refuses with `invalid_key`.
 */
export async function ownerOfAnswer(
  context: Context,
  answer: string,
  by: WebSession | PasskeyUse,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  const challenge = new PasskeyAnswer(context, purposeOf(by));
  const agentId = typeof by === 'string' ? undefined : by.caller.agentId;
  const { passkey, use } = await verified(async () => {
    const response = parsed<AuthenticationResponseJSON>(answer);
    const known = await findPasskey(context.database, String(response.id));
    const isTheirs = known && (!agentId || known.agent_id === agentId);
    const handle = known && Buffer.from(handleOf(known.agent_id)).toString('base64url');
    const said = response.response.userHandle;
    // A device that was not told which passkey to use names its owner.
    if (!isTheirs || (said !== undefined && said !== handle)) throw notProven();
    const { authenticationInfo, ...done } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (text) => challenge.isOurs(text),
      ...partyOf(context.config.api.publicUrl),
      credential: {
        id: known.credential_id,
        publicKey: new Uint8Array(known.public_key),
        counter: ANY_COUNTER,
      },
    });
    if (!done.verified) throw notProven();
    const { newCounter: counter, credentialBackedUp: isSynced } = authenticationInfo;
    return { passkey: known, use: { counter, isSynced } };
  });
  await transact(context.database, async (db) => {
    await challenge.take(db);
    if (!(await usePasskey(db, passkey, use))) throw notProven();
  });
  return passkey.agent_id;
}

/** Reads the answer of a browser. Escapes of JSON can hold what a form cannot. */
function parsed<T>(answer: string): T {
  const value: unknown = JSON.parse(answer);
  refuseUnstorable(value);
  return value as T;
}

/** The challenge that an answer names: ours, for this purpose, and not answered before. */
class PasskeyAnswer {
  readonly #context: Context;
  readonly #purpose: Purpose;
  #found: { text: string; endsAt: Date } | undefined;

  constructor(context: Context, purpose: Purpose) {
    this.#context = context;
    this.#purpose = purpose;
  }

  isOurs(text: string): boolean {
    const endsAt = endOf(this.#context, text, this.#purpose);
    this.#found = endsAt && { text, endsAt };
    return endsAt !== undefined;
  }

  async take(db: Parameters<typeof takeAnswer>[0]): Promise<void> {
    const isFirst = this.#found && (await takeAnswer(db, this.#found.text, this.#found.endsAt));
    if (!isFirst) throw notProven();
  }
}

/** Errors of the library say only what is wrong with the answer, and nothing of ours. */
async function verified<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refusal || isFault(error) ? error : notProven();
  }
}

/** Errors of the database are not about a browser's answer. */
const isFault = (error: unknown) => (error as Error).name === 'QueryFailedError';

const notProven = () =>
  new Refusal('invalid_key', 'The passkey is unknown here, or took too long.');

/** The owner's id on a device, which names no person. */
const handleOf = (agentId: number) => new Uint8Array(Buffer.from(`owner-${agentId}`));

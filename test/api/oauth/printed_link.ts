import { stripVTControlCharacters } from 'node:util';

import { expect } from 'chai';

import { eventually } from '../../harness.ts';
import type { Consent, OAuthRig } from './rig.ts';

/**
 * Waits until a program that wants to sign in has printed its link, answers as the owner, and goes
 * back to the program, as the owner's browser would.
 */
export async function followLink(rig: OAuthRig, said: () => string, how: Consent): Promise<void> {
  const link = /(http:\S+\/oauth\/authorize\?\S+)\s/;
  const authorize = await eventually(
    async () => link.exec(stripVTControlCharacters(said()))?.[1],
    (found) => found !== undefined,
  );
  const back = await rig.consent(authorize!, how);
  const redirect = new URL(new URL(authorize!).searchParams.get('redirect_uri')!);
  redirect.search = back.toString();
  const answer = await fetch(redirect);
  expect(answer.status, await answer.text()).to.equal(200);
}

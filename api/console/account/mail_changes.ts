import { askToProve } from '../../../shared/domains/agents/addresses/addresses.ts';
import { didYouMean } from '../../../shared/domains/email/did_you_mean.ts';
import { chooseDigest, DIGEST_PERIODS } from '../../../shared/domains/mail/digest_choice.ts';
import { NOTICE_KINDS } from '../../../shared/domains/mail/kinds.ts';
import { chooseKinds } from '../../../shared/domains/mail/unsubscribe.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { invalid } from '../../../shared/kernel/schema.ts';
import { transact } from '../../../shared/platform/database.ts';
import { changeAs } from '../mail/call.ts';
import { oneOf } from '../session/form.ts';
import type { Change } from './change.ts';
import { CHANGE_ADDRESS } from './mail_card.tsx';

/** The address of an owner, and what it is told by mail. */
export function mailChanges(context: Context): Change[] {
  return [
    {
      path: '/address/prove',
      async perform({ ctx, session: { caller } }) {
        assertMail(context);
        const sent = await changeAs(context, ctx, caller, (tx) => askToProve(tx, caller.agentId));
        return { said: sentTo(sent) };
      },
    },
    {
      path: CHANGE_ADDRESS,
      proof: 'Change the email address',
      async perform({ ctx, session: { caller }, given }) {
        assertMail(context);
        const address = oneOf(given, 'address');
        const sent = await changeAs(context, ctx, caller, (tx) =>
          askToProve(tx, caller.agentId, address),
        );
        return { said: sentTo(sent) };
      },
    },
    {
      path: '/notices',
      async perform({ session: { caller }, given }) {
        const chosen = NOTICE_KINDS.filter((kind) => oneOf(given, kind) === 'on');
        const digest = oneOf(given, 'digest');
        const every = DIGEST_PERIODS.find((one) => one === digest);
        if (!every && digest) throw invalid([{ pointer: '/digest', message: 'is no choice' }]);
        const now = context.clock.now();
        await transact(context.database, async (db) => {
          await chooseKinds(db, caller.agentId, chosen);
          await chooseDigest(db, caller.agentId, { every, now });
        });
        return { said: 'Saved.' };
      },
    },
  ];
}

function assertMail({ config }: Context): void {
  if (config.mail.mode !== 'off') return;
  throw new Refusal('forbidden', 'This marketplace sends no mails, so nothing was changed.');
}

function sentTo(address: string): string {
  const meant = didYouMean(address);
  const sent = `A link was sent to ${address}. It works once, for 24 hours.`;
  return meant === undefined ? sent : `${sent} Did you mean ${meant}?`;
}

import { expect } from 'chai';

import { meaningOf } from '../../../workers/gateways/mail/smtp/reply_meaning.ts';

const read = (local: string, domain: string, reply: string) =>
  meaningOf({ code: Number(reply.slice(0, 3)), text: `${reply}\r\n` }, { local, domain });

describe('a reply about a mailbox', () => {
  for (const [reply, meaning] of [
    ['250 2.1.5 Ok', 'accepted'],
    ['251 User not local; will forward', 'accepted'],
    // An enhanced status code weighs as much as words about somebody else.
    ['550 5.1.1 Not here', 'refused'],
    ['550 5.1.1 rejected by policy', 'turned_away'],
    ['550 5.1.10 RESOLVER.ADR.RecipientNotFound; blocked', 'refused'],
    ['550 5.1.8 Sender denied', 'turned_away'],
    ['550 5.2.1 The mailbox is blocked', 'disabled'],
    ['552 5.2.2 Over quota, says our policy', 'full'],
    ['452 4.2.2 Mailbox is blocked: over quota', 'full'],
    ['550 5.4.1 Recipient address rejected: Access denied.', 'refused'],
    ['550 5.4.1 All recipient addresses rejected', 'turned_away'],
    ['550 5.7.1 User unknown', 'refused'],
    ['550 5.1.7 User unknown', 'refused'],
    ['550 5.1.7 Sender unknown', 'turned_away'],
    ['550 5.7.606 Access denied, banned sending IP', 'turned_away'],
    ['554 5.3.0 No such user, and no service', 'turned_away'],
    ['550-5.1.1 The account does not exist.\r\n550 5.1.1 See our anti-spam policy', 'refused'],
    // A number that is no status code of the reply.
    ['550 User unknown (5.7.1 of our rules)', 'refused'],
    ['550 5.1.1.example is not here', 'undecided'],
    // Words, where there is no code.
    ['550 No such user here', 'refused'],
    ['551 User not local', 'refused'],
    ['553 Mailbox name not allowed', 'refused'],
    ['556 Domain does not accept mail', 'refused'],
    ['554 No such user', 'refused'],
    ['554 Transaction failed', 'undecided'],
    ['500 Command not recognised', 'turned_away'],
    ['503 Bad sequence of commands', 'turned_away'],
    ['550 Blocked by Spamhaus', 'turned_away'],
    ['550 Mailbox unavailable: rejected for policy reasons', 'turned_away'],
    ['550 5.5.0 The recipient account is blocked', 'disabled'],
    // A code alone is no statement, about nobody: the next mailbox is asked for all the same.
    ['550 Rejected', 'undecided'],
    ['552 Requested mail action aborted', 'undecided'],
    ['550 Mailbox full', 'full'],
    ['550 Quota exceeded', 'full'],
    ['550 This account has been disabled', 'disabled'],
    ['550 5.1.0 The user is suspended', 'disabled'],
    // For now.
    ['421 4.7.0 No such user', 'turned_away'],
    ['450 4.2.1 The user receives mail too quickly', 'undecided'],
    ['451 4.7.1 Greylisted by policy', 'greylisted'],
    ['451 4.7.1 Blocked by Spamhaus', 'turned_away'],
    ['451 Greylisted, see our page', 'greylisted'],
    ['450 Please retry in 300 s', 'undecided'],
    ['450 4.7.1 Please try again later', 'undecided'],
    ['450 4.7.1 Client host greylisted', 'greylisted'],
    ['450 4.1.1 User unknown', 'undecided'],
    ['451 4.7.1 Greylisted, as Spamhaus lists you', 'turned_away'],
    ['452 4.3.1 Insufficient system storage', 'undecided'],
    ['451 4.3.0 Try again later', 'undecided'],
    ['451 4.4.3 Directory server does not answer', 'undecided'],
    ['451 Local error in processing', 'undecided'],
    ['450 mailbox is full', 'full'],
  ] as const) {
    it(`${JSON.stringify(reply)} says: ${meaning}`, () => {
      expect(read('ada', 'ada.example', reply)).to.equal(meaning);
    });
  }

  for (const [local, domain, reply, meaning] of [
    ['blackburn', 'ada.example', '550 <blackburn@ada.example>: no such user', 'refused'],
    ['blackburn', 'ada.example', '550 No such user: BLACKBURN.', 'refused'],
    ['black-list', 'ada.example', '550 black-list@ada.example... User unknown', 'refused'],
    ["o'black", 'ada.example', "550 User o'black unknown", 'refused'],
    ['"spam box"', 'ada.example', '550 "spam box"@ada.example unknown', 'refused'],
    ['"spam box"', 'ada.example', '550 Unknown user spam box', 'refused'],
    ['spam+policy', 'ada.example', '550 spam+policy unknown', 'refused'],
    ['.*', 'ada.example', '550 You are blocked', 'turned_away'],
    ['blockéd', 'ada.example', '550 <blockÃ©d@ada.example> unknown', 'refused'],
    ['ada', 'blackburn.example', '550 No ada at blackburn.example here', 'refused'],
    ['ada', 'blackburn.example', '550 mx1.blackburn.example: no such user', 'refused'],
    ['ada', 'full.example', '550 <ada@full.example> quota-holder unknown', 'refused'],
    ['disabled', 'ada.example', '550 User disabled unknown', 'refused'],
    // A list that happens to name the mailbox is one all the same.
    ['b', 'ada.example', '550 You are blocked', 'turned_away'],
    ['spam', 'ada.example', '550 spamhaus lists you', 'turned_away'],
    ['blackburn', 'ada.example', '550 <blackburn@ada.example>: blocked', 'turned_away'],
    ['ada', 'ada.example', '550 <blackburn@us.example>: no such user', 'refused'],
  ] as const) {
    it(`of ${local}@${domain}, ${JSON.stringify(reply)} says: ${meaning}`, () => {
      expect(read(local, domain, reply)).to.equal(meaning);
    });
  }

  it('is read in little time, whatever is sent', () => {
    const from = process.cpuUsage(); // By the clock, others on this machine would count too.
    for (const piece of ['a', '@', 'a@', '<', '550-', '. ', 'ada.', '\u00e9', '5.1.']) {
      const reply = `550 ${piece.repeat(4_096)}`.slice(0, 4_096);
      for (let n = 0; n < 20; n += 1) read('ada', 'ada.example', reply);
    }
    expect(process.cpuUsage(from).user / 1_000).to.be.below(1_000);
  });
});

import { expect } from 'chai';

import type { ProbeResult } from '../../../workers/gateways/mail/smtp/answers.ts';
import { patience } from '../../platform/pace.ts';
import { CHARACTERS } from './characters.ts';
import { startOddServer } from './mail_server.ts';
import { openProbeRig, type ProbeRig } from './probe_rig.ts';

/** Findings about a mailbox whose mail server behaves so. */
const EXPECTED: Readonly<Record<keyof typeof CHARACTERS, ProbeResult>> = {
  silent: 'probe_failed',
  'slow-greeting': 'mailbox_accepted',
  'a-byte-at-a-time': 'probe_failed',
  'greeting-without-end': 'probe_failed',
  'line-without-end': 'probe_failed',
  'lines-without-end': 'probe_failed',
  'replies-without-end': 'probe_failed',
  'defers-all': 'probe_failed',
  'refuses-all-by-policy': 'probe_failed',
  'repeats-the-address': 'mailbox_refused',
  'disconnects-after-rcpt': 'probe_failed',
  'resets-after-rcpt': 'probe_failed',
  'resets-at-once': 'probe_failed',
  'hanging-tls': 'probe_failed',
  'catch-all': 'catch_all',
  tarpit: 'probe_failed',
  'endless-tarpit': 'probe_failed',
  'speaks-http': 'probe_failed',
  'answers-before-it-is-asked': 'mailbox_refused',
};

/** These are given up when their time is over, which is short here. */
const WAITED_FOR = new Set([
  'silent',
  'a-byte-at-a-time',
  'greeting-without-end',
  'hanging-tls',
  'tarpit',
  'endless-tarpit',
]);

describe('a hostile mail server', function () {
  this.timeout(60_000);

  let rig: ProbeRig;
  before(async () => {
    rig = await openProbeRig({ 'mx.example': { A: ['127.0.0.1'] } });
  });
  after(() => rig.close());

  it('has an expectation for each character', () => {
    expect(Object.keys(EXPECTED)).to.have.members(Object.keys(CHARACTERS));
  });

  for (const [character, result] of Object.entries(EXPECTED)) {
    it(`that is ${character} gets ${result}`, async () => {
      const server = await startOddServer(CHARACTERS[character]!);
      const ms = WAITED_FOR.has(character) ? 2_000 : patience(20_000);
      const times = { greetingMs: ms, replyMs: ms };
      const address = { local: character.startsWith('repeats') ? 'spam.policy' : 'ada' };
      const asked = { ...address, domain: 'ada.example' };
      const found = await rig.worker(server.port, { times })(asked, ['mx.example'], 1);
      expect(found).to.equal(result);
      await server.close();
    });
  }
});

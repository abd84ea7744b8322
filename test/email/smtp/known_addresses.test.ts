import { expect } from 'chai';

import { audit } from '../../../shared/composition/audit.ts';
import { eventually, TestPlatform } from '../../harness.ts';
import type { NameServer } from '../../name_server.ts';
import { startZone } from '../zone.ts';
import { CHARACTERS, play } from './characters.ts';
import { KNOWN, MACHINES, REPLIES, ZONE } from './known_addresses.ts';
import { startMailServer, startOddServer, type RecipientPolicy } from './mail_server.ts';

const MAILBOXES = new Set(['ada', 'bob.smith', 'grace+tag', "o'neil", 'josé', 'info']);
const CAN_BE_NULL = ['is_catch_all', 'has_full_inbox', 'is_disabled'] as const;

interface Result {
  readonly email: string;
  readonly status: string;
  readonly sub_status: string;
  readonly reachable: string;
  readonly mailbox_asked: boolean;
  readonly is_catch_all: boolean | null;
  readonly has_full_inbox: boolean | null;
  readonly is_disabled: boolean | null;
  readonly charged: number;
}

describe('65 addresses of which it is known what they are', function () {
  this.timeout(120_000);

  let platform: TestPlatform;
  let names: NameServer;
  const servers: { close(): Promise<void> }[] = [];
  let results: Result[];
  let paid: number;

  const only: RecipientPolicy = (recipient) =>
    MAILBOXES.has(recipient.split('@')[0]!) ? undefined : { code: 550, text: '5.1.1 No such user' };
  const codes: RecipientPolicy = (recipient) => {
    const [code, text] = REPLIES[recipient] ?? [550, '5.1.1 No such user'];
    return { code, text };
  };

  before(async () => {
    const strict = await startMailServer(only, { host: MACHINES.strict });
    const { port } = strict;
    servers.push(
      strict,
      await startMailServer(() => undefined, { host: MACHINES.all, port }),
      await startMailServer(codes, { host: MACHINES.codes, port }),
      await startMailServer(only, { host: MACHINES.tls, port, onlyTls: true }),
    );
    for (const [machine, character] of [
      ['slow', CHARACTERS['slow-greeting']!],
      [
        'defers',
        play({ recipient: (name) => (name.startsWith('ada@') ? '250 ok' : '451 4.3.0 Later') }),
      ],
      ['resets', CHARACTERS['resets-after-rcpt']!],
      ['http', CHARACTERS['speaks-http']!],
    ] as const) {
      servers.push(await startOddServer(character, { host: MACHINES[machine], port }));
    }
    names = await startZone(ZONE);
    platform = await TestPlatform.open({
      env: {
        DNS_SERVERS: names.address,
        EGRESS_ALLOW: '127.0.0.0/8',
        SMTP_PROBE_FROM: 'checker@us.example',
        SMTP_PROBE_PORT: String(port),
        SMTP_PROBE_PAUSE_MS: '50',
        SMTP_PROBE_GREYLIST_MS: '1000',
      },
    });
    const agent = await platform.agent({ usd: 1 });
    const { body } = await platform.request('POST /api/v1/email/validate?wait=0', {
      key: agent.key,
      body: { emails: KNOWN.map(([email]) => email) },
    });
    const done = await eventually(
      () => platform.request(`GET ${body.poll}?wait=20`, agent),
      ({ body: job }) => job.status !== 'pending',
    );
    ({ results } = done.body.result);
    paid = 1.5 - (await platform.balance(agent));
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    await names.close();
    await Promise.all(servers.map((server) => server.close()));
  });

  it('are judged right, each of them', () => {
    expect(KNOWN).to.have.length(65);
    const rows = KNOWN.map(([email, found, reachable], n) => {
      const result = results[n]!;
      const isRight =
        result.email === email && result.sub_status === found && result.reachable === reachable;
      return { email, found, reachable, result, isRight };
    });
    for (const { email, result, isRight } of rows) {
      const name = email.length > 34 ? `${email.slice(0, 31)}...` : email;
      const verdict = `${result.status} ${result.sub_status} ${result.reachable}`;
      console.log(`      ${isRight ? 'right' : 'WRONG'}  ${name.padEnd(34)} ${verdict}`);
    }
    const right = rows.filter(({ isRight }) => isRight).length;
    console.log(`      ${right} of ${rows.length} are right`);
    expect(rows.filter(({ isRight }) => !isRight).map(({ email }) => email)).to.deep.equal([]);
  });

  it('say what is known of each mailbox', () => {
    for (const [n, [email, found]] of KNOWN.entries()) {
      const { mailbox_asked: isAsked, ...result } = results[n]!;
      const replied = /^mailbox_(accepted|refused|full|disabled)$|^catch_all$|^greylisted$/;
      expect(isAsked, email).to.equal(replied.test(found));
      expect(result.has_full_inbox === true, email).to.equal(found === 'mailbox_full');
      expect(result.is_disabled === true, email).to.equal(found === 'mailbox_disabled');
      expect(result.is_catch_all === true, email).to.equal(found === 'catch_all');
      const isKnown = CAN_BE_NULL.every((name) => result[name] !== null);
      if (!isAsked) expect(isKnown, email).to.equal(false);
    }
  });

  it('are free where nothing is known, and $0.002 where something is', () => {
    for (const { email, status, charged } of results) {
      expect(charged, email).to.equal(status === 'unknown' ? 0 : 0.002);
    }
    const answered = results.filter(({ status }) => status !== 'unknown').length;
    expect(Math.round(paid * 1_000)).to.equal(answered * 2);
  });
});

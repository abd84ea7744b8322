import { expect } from 'chai';

import type { Settings } from '../../../workers/gateways/mail/probe.ts';
import type { Address } from '../../../shared/kernel/mail_address.ts';
import {
  startMailServer,
  startOddServer,
  type MailServer,
  type RecipientPolicy,
} from './mail_server.ts';
import { openProbeRig, type ProbeRig } from './probe_rig.ts';

const HOSTS = ['mx.example'];

describe('a probe of a mail server', () => {
  let rig: ProbeRig;
  const open: { close(): Promise<void> }[] = [];
  before(async () => {
    rig = await openProbeRig({
      'mx.example': { A: ['127.0.0.1'] },
      'other.example': { A: ['127.0.0.2'] },
      'inner.example': { A: ['10.0.0.1'] },
      'broken.example': 'SERVFAIL',
    });
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()));
  });
  after(() => rig.close());

  function probeAt(port: number, settings: Partial<Settings> = {}) {
    const probe = rig.worker(port, settings);
    return (address: Address, hosts: readonly string[]) => probe(address, hosts, 1);
  }
  async function serve(...given: Parameters<typeof startMailServer>): Promise<MailServer> {
    const server = await startMailServer(...given);
    open.push(server);
    return server;
  }
  async function serveOddly(...given: Parameters<typeof startOddServer>) {
    const server = await startOddServer(...given);
    open.push(server);
    return server;
  }
  const ada = { local: 'ada', domain: 'ada.example' };
  const only =
    (...mailboxes: string[]): RecipientPolicy =>
    (recipient) =>
      mailboxes.includes(recipient) ? undefined : { code: 550, text: '5.1.1 No such user' };

  it('finds a mailbox that it accepts, where it refuses an impossible one', async () => {
    const server = await serve(only('ada@ada.example'));
    expect(await probeAt(server.port)(ada, HOSTS)).to.equal('mailbox_accepted');
    expect(server.senders).to.deep.equal(['checker@us.example']);
    expect(server.recipients).to.have.length(2);
  });

  it('finds a mailbox that it refuses, and asks for no other', async () => {
    const server = await serve(only());
    expect(await probeAt(server.port)(ada, HOSTS)).to.equal('mailbox_refused');
    expect(server.recipients).to.deep.equal(['ada@ada.example']);
  });

  it('finds that it accepts every mailbox', async () => {
    const server = await serve(() => undefined);
    const probe = probeAt(server.port);
    expect(await probe(ada, HOSTS)).to.equal('catch_all');
    // Then there is no need to ask for another mailbox of that domain.
    expect(await probe({ ...ada, local: 'bob' }, HOSTS)).to.equal('catch_all');
    expect(server.sessions.count).to.equal(1);
  });

  for (const text of ['4.7.1 Greylisted, try again in 300 s', '4.2.0 Grey-listed for 300 s']) {
    it(`finds greylisting: ${text}`, async () => {
      const server = await serve(() => ({ code: 450, text }));
      const probe = probeAt(server.port);
      expect(await probe(ada, HOSTS)).to.equal('greylisted');
      await probe(ada, HOSTS);
      expect(server.sessions.count).to.equal(2); // The answer is not cached.
    });
  }

  for (const [code, text] of [
    [554, '5.7.1 Service unavailable; client host blocked using zen.spamhaus.org'],
    [550, '5.7.1 Access denied by policy'],
    [421, '4.3.2 Too many connections'],
    [451, '4.7.650 Your IP is on our block list'],
  ] as const) {
    it(`does not take "${code} ${text}" for an answer about the mailbox`, async () => {
      const server = await serve(() => ({ code, text }), { host: '0.0.0.0' });
      const probe = probeAt(server.port, { backOffMs: 60_000 });
      expect(await probe(ada, HOSTS)).to.equal('probe_failed');
      // It is left alone from then on; another server is not.
      expect(await probe(ada, HOSTS)).to.equal('mailbox_not_asked');
      expect(server.sessions.count).to.equal(1);
      expect(await probe(ada, ['other.example'])).to.equal('probe_failed');
      expect(server.sessions.count).to.equal(2);
    });
  }

  it('fails where it is turned away before it could ask', async () => {
    const connect = () => Object.assign(new Error('no'), { responseCode: 554 });
    const server = await serve(() => undefined, { connect });
    expect(await probeAt(server.port)(ada, HOSTS)).to.equal('probe_failed');
    expect(server.recipients).to.deep.equal([]);
  });

  it('leaves a server alone that turned it away, longer than others', async () => {
    const server = await serve(() => ({ code: 554, text: '5.7.1 blocked using an RBL' }));
    const probe = probeAt(server.port, { backOffMs: 60_000 });
    expect(await probe(ada, HOSTS)).to.equal('probe_failed');
    expect(await probe({ ...ada, local: 'bob' }, HOSTS)).to.equal('mailbox_not_asked');
  });

  it('asks a server that turned it away for one domain for another', async () => {
    const server = await serve((recipient) =>
      recipient.endsWith('@ada.example')
        ? { code: 554, text: '5.7.1 blocked using an RBL' }
        : only('eve@eve.example')(recipient),
    );
    const probe = probeAt(server.port, { backOffMs: 60_000 });
    expect(await probe(ada, HOSTS)).to.equal('probe_failed');
    const eve = { local: 'eve', domain: 'eve.example' };
    expect(await probe(eve, HOSTS)).to.equal('mailbox_accepted');
    expect(await probe({ ...ada, local: 'bob' }, HOSTS)).to.equal('mailbox_not_asked');
  });

  for (const [local, code, text, result] of [
    ['blackburn', 550, '<blackburn@ada.example>: no such user', 'mailbox_refused'],
    ['blackburn', 550, 'No such user: Blackburn.', 'mailbox_refused'],
    ['b', 550, 'You are blocked', 'probe_failed'],
    ['spam', 550, '5.1.1 <spam@ada.example> unknown; see our policy', 'mailbox_refused'],
    ['blackburn', 450, '4.2.0 <Blackburn@ada.example>: greylisted', 'greylisted'],
    ['blackburn', 550, '<blackburn@ada.example>: blocked', 'probe_failed'],
  ] as const) {
    it(`reads "${code} ${text}" as ${result}`, async () => {
      const server = await serve(() => ({ code, text }));
      expect(await probeAt(server.port)({ ...ada, local }, HOSTS)).to.equal(result);
    });
  }

  for (const [code, text, result] of [
    [552, '5.2.2 Mailbox full, by policy', 'mailbox_full'],
    [452, '4.2.2 Over quota', 'mailbox_full'],
    [550, '5.2.1 This account is disabled', 'mailbox_disabled'],
  ] as const) {
    it(`believes "${code} ${text}" unless it is said of an impossible mailbox too`, async () => {
      const server = await serve((recipient) =>
        recipient === 'eve@eve.example' || recipient.endsWith('@ada.example')
          ? { code, text }
          : { code: 550, text: '5.1.1 No such user' },
      );
      const probe = probeAt(server.port);
      expect(await probe({ local: 'eve', domain: 'eve.example' }, HOSTS)).to.equal(result);
      expect(await probe(ada, HOSTS)).to.equal('probe_failed');
    });
  }

  it('does not take a mailbox for one that exists while its server refuses none', async () => {
    const server = await serve((recipient) =>
      recipient === 'ada@ada.example' ? undefined : { code: 451, text: '4.3.0 Try again later' },
    );
    expect(await probeAt(server.port)(ada, HOSTS)).to.equal('probe_failed');
  });

  it('counts what a server says of one mailbox for no other', async () => {
    const server = await serve(only('ada@ada.example'));
    const probe = probeAt(server.port);
    expect(await probe(ada, HOSTS)).to.equal('mailbox_accepted');
    expect(await probe({ ...ada, local: 'bob' }, HOSTS)).to.equal('mailbox_refused');
  });

  it('goes to the next server where one cannot be reached', async () => {
    const server = await serve(only('ada@ada.example'));
    const hosts = ['inner.example', 'mx.example'];
    expect(await probeAt(server.port)(ada, hosts)).to.equal('mailbox_accepted');
  });

  for (const [hosts, result] of [
    [['inner.example'], 'no_mail_server'],
    [['nobody.example'], 'no_mail_server'],
    [['inner.example', 'nobody.example'], 'no_mail_server'],
    [['broken.example'], 'probe_failed'],
    [['mx.example'], 'probe_failed'], // Nothing listens.
  ] as const) {
    it(`finds of ${hosts.join(' and ')}: ${result}`, async () => {
      const server = await startOddServer(() => undefined);
      await server.close();
      expect(await probeAt(server.port)(ada, hosts)).to.equal(result);
    });
  }

  for (const [what, answer] of Object.entries({
    'says nothing': () => undefined,
    'hangs up': (socket) => socket.destroy(),
    'greets and hangs up': (socket) => socket.end('220 hello\r\n'),
    'never ends its greeting': (socket) => {
      socket.write('220-hello\r\n');
      const more = setInterval(() => socket.write('220-and hello\r\n'), 5);
      socket.on('close', () => clearInterval(more));
    },
    'sessions nonsense': (socket) => socket.write('x'.repeat(100_000)),
    'speaks HTTP': (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    dribbles: (socket) => {
      const more = setInterval(() => socket.write('2'), 20);
      socket.on('close', () => clearInterval(more));
    },
  } as Record<string, Parameters<typeof startOddServer>[0]>)) {
    it(`gives up a server that ${what}, when its time is over`, async () => {
      const times = { greetingMs: 300, replyMs: 300 };
      const server = await serveOddly(answer);
      // Nothing else ends the session before the test: by default it has six minutes.
      const result = await probeAt(server.port, { times })(ada, HOSTS);
      expect(result).to.equal('probe_failed');
    });
  }

  it('believes no reply whose lines have several codes', async () => {
    const server = await serveOddly((socket) => {
      socket.write('220 hello\r\n');
      socket.on('data', (data) => {
        const isRecipient = data.toString().startsWith('RCPT');
        socket.write(isRecipient ? '550-no such\r\n250 user\r\n' : '250 ok\r\n');
      });
    });
    expect(await probeAt(server.port)(ada, HOSTS)).to.equal('probe_failed');
  });

  it('asks for international mailboxes only where they are supported', async () => {
    const said: string[] = [];
    const talk = (extension: string) =>
      serveOddly((socket) => {
        socket.write('220 hello\r\n');
        socket.on('data', (data) => {
          const line = data.toString();
          said.push(line);
          if (line.startsWith('EHLO')) socket.write(`250-hi\r\n${extension}250 SIZE\r\n`);
          else if (line.startsWith('RCPT TO:<josé')) socket.write('250 ok\r\n');
          else if (line.startsWith('RCPT')) socket.write('550 5.1.1 no\r\n');
          else socket.write('250 ok\r\n');
        });
      });
    const jose = { local: 'josé', domain: 'ada.example' };
    expect(await probeAt((await talk('')).port)(jose, HOSTS)).to.equal('mailbox_refused');
    const modern = await talk('250-SMTPUTF8\r\n');
    expect(await probeAt(modern.port)(jose, HOSTS)).to.equal('mailbox_accepted');
    expect(said).to.include('MAIL FROM:<checker@us.example> SMTPUTF8\r\n');
  });
});

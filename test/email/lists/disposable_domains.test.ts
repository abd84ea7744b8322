import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import mailchecker from 'mailchecker';

import { exceptionOf } from '../../../shared/platform/egress/addresses.ts';
import { openEgress } from '../../../shared/platform/egress/egress.ts';
import { eventually } from '../../harness.ts';
import { openDisposableDomains } from '../../../workers/gateways/mail/lists/disposable_domains.ts';

describe('the source of disposable domains', () => {
  const packaged = [...mailchecker.blacklist()];
  const egress = openEgress({ egressAllow: [exceptionOf('127.0.0.0/8')], dnsServers: [] });
  let folder: string;
  let source: string;
  let lines: { level: 'info' | 'warn'; fields: Record<string, unknown> }[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'domains-'));
    source = join(folder, 'domains.txt');
    lines = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  function open(from: string | undefined = source) {
    const noted = (level: 'info' | 'warn') => (fields: Record<string, unknown>) =>
      lines.push({ level, fields });
    const log = { info: noted('info'), warn: noted('warn') };
    return openDisposableDomains(from, egress, log as never);
  }
  const write = (domains: readonly string[]) => writeFile(source, domains.join('\n'));

  it('replaces the list of the package', async () => {
    await write(['# a comment', ...packaged.slice(1), 'New.Example  # another', 'no domain']);
    const domains = open();
    // The list in use answers until the source has been read.
    expect(domains.has(packaged[0]!)).to.equal(true);
    await eventually(async () => domains.has('new.example'), Boolean);
    expect(domains.has(packaged[0]!)).to.equal(false);
    expect(domains.has('no domain')).to.equal(false);
    expect(lines.map(({ level }) => level)).to.deep.equal(['info']);
  });

  for (const [what, domains, fault] of [
    ['is much shorter', packaged.slice(0, packaged.length * 0.79), 'it is much shorter than'],
    ['is empty', [], 'it is much shorter than'],
    ['holds gmail.com', [...packaged, 'gmail.com'], 'it holds gmail.com'],
  ] as const) {
    it(`is not believed if it ${what}, and a line of the log says so`, async () => {
      await write([...domains, 'new.example']);
      const used = open();
      await used.refresh();
      expect(used.has('new.example')).to.equal(false);
      expect(packaged.every((domain) => used.has(domain))).to.equal(true);
      expect(lines).to.have.length(1);
      const [{ level, fields }] = lines as [(typeof lines)[number]];
      expect(level).to.equal('warn');
      expect(fields.fault).to.include(fault);
      expect(fields.source).to.equal('domains.txt');
    });
  }

  it('leaves the last good list as it is when it fails', async () => {
    await write([...packaged, 'new.example']);
    const domains = open();
    await domains.refresh();
    await rm(source);
    await domains.refresh();
    expect(domains.has('new.example')).to.equal(true);
    expect(lines.map(({ level }) => level)).to.deep.equal(['info', 'warn']);
  });

  it('never has its query in the log, and goes to no address that is not public', async () => {
    const domains = open('http://10.0.0.1/list?token=abc');
    await domains.refresh();
    expect(domains.has(packaged[0]!)).to.equal(true);
    expect(lines[0]!.fields.source).to.equal('10.0.0.1/list');
    expect(JSON.stringify(lines)).not.to.include('token');
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { openDisposableDomains } from '../../../workers/gateways/mail/lists/disposable_domains.ts';
import { findInLists } from '../../../workers/gateways/mail/lists/lists.ts';

/** The lines of a table beside this file: what something is, and its name. */
function rowsOf(table: string) {
  const text = readFileSync(join(import.meta.dirname, table), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [kind, name] = line.split('\t');
    return { kind: kind!, name: name! };
  });
}

describe('the lists of email validation', () => {
  const silent = { info: () => undefined, warn: () => undefined };
  const disposable = openDisposableDomains(undefined, undefined as never, silent as never);
  const domains = rowsOf('domains.tsv').map(({ kind, name }) => ({
    kind,
    name,
    found: findInLists({ local: 'ada', domain: name }, disposable),
  }));
  const named = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name);

  it('know disposable domains', () => {
    const known = domains.filter(({ kind }) => kind === 'disposable');
    expect(known).to.have.length.at.least(90);
    expect(named(known.filter(({ found }) => !found.disposable))).to.deep.equal([]);
    expect(named(known.filter(({ found }) => found.freeMail || found.relay))).to.deep.equal([]);
  });

  it('take no provider, relay, employer or university for disposable', () => {
    const others = domains.filter(({ kind }) => kind !== 'disposable');
    expect(others).to.have.length.at.least(100);
    expect(named(others.filter(({ found }) => found.disposable))).to.deep.equal([]);
  });

  it('know relays, and take nothing else for one', () => {
    const wrong = domains.filter(({ kind, found }) => found.relay !== (kind === 'relay'));
    expect(named(wrong)).to.deep.equal([]);
  });

  it('know free providers, and take no employer, university or relay for one', () => {
    const judged = domains.filter(({ kind }) => kind !== 'provider');
    const wrong = judged.filter(({ kind, found }) => found.freeMail !== (kind === 'free'));
    expect(named(wrong)).to.deep.equal([]);
  });

  it('know names of functions, and take no town or person for one', () => {
    const names = rowsOf('names.tsv');
    const wrong = names.filter(({ kind, name }) => {
      const { role } = findInLists({ local: name, domain: 'mail.example' }, disposable);
      return role !== (kind === 'role');
    });
    expect(named(wrong)).to.deep.equal([]);
  });
});

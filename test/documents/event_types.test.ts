import { expect } from 'chai';

import { EVENT_KINDS } from '../../console/owner/build/event_kinds.ts';
import { CLAIM_STATUSES } from '../../shared/labor/claims.ts';
import { LABOR_STATUSES } from '../../shared/labor/labor_task.ts';
import { REF_KINDS } from '../../shared/wallet/statement_words.ts';
import { isIn, files } from '../sources.ts';
import { textOf } from './marketplace.ts';

const KINDS = EVENT_KINDS.join('|');
/** Written like types of events, in SQL and JSON pointers of these objects. */
const COLUMNS = /\.(id|status|kind|title)$/;

describe('the page on events', () => {
  const page = textOf('docs/events.md');
  const table = page.slice(page.indexOf('## What events there are'));
  const shown = [...table.matchAll(/`(\w+\.\w+)`/g)].map(([, type]) => type!);

  it('lists each type that the code writes out', () => {
    const written = new RegExp(`'((?:${KINDS})\\.[a-z_]+)'`, 'g');
    const types = files
      .filter(({ path }) => isIn(path, 'shared', 'workers', 'migrations/functions'))
      .flatMap(({ text }) => [...text.matchAll(written)].map(([, type]) => type!))
      .filter((type) => !(type in REF_KINDS) && !COLUMNS.test(type));
    expect([...new Set(types)].filter((type) => !shown.includes(type))).to.deep.equal([]);
    expect(types.length).to.be.greaterThan(30);
  });

  it('has the kinds that the console lets one choose from', () => {
    const kinds = shown.map((type) => type.split('.')[0]!);
    expect([...EVENT_KINDS]).to.have.members([...new Set([...kinds, 'nft', 'collection'])]);
  });

  it('lists each that is a kind and a status of labor, and no type twice', () => {
    const ofLabor = shown.filter((type) => type.startsWith('labor.'));
    const statuses: string[] = [...CLAIM_STATUSES, ...LABOR_STATUSES];
    // What is told by another word, or not at all.
    const words: Record<string, string> = { verifying: 'delivered', open: 'resumed' };
    const silent = ['claimed', 'released'];
    const expected = statuses
      .filter((status) => !silent.includes(status))
      .map((status) => `labor.${words[status] ?? status}`);
    expect(ofLabor).to.have.members([...new Set([...expected, 'labor.ended', 'labor.posted'])]);
    expect(shown).to.deep.equal([...new Set(shown)]);
  });
});

import { expect } from 'chai';

import { EVENT_KINDS, EVENT_TYPES } from '../../shared/domains/events/event_types.ts';
import { REF_KINDS } from '../../shared/domains/wallet/statement_words.ts';
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

  it('lists each type of event, and none twice', () => {
    const all = Object.entries(EVENT_TYPES).flatMap(([kind, names]) =>
      names.map((name) => `${kind}.${name}`),
    );
    const others = (['nft', 'collection'] as const).flatMap((kind) =>
      EVENT_TYPES[kind].map((name) => `${kind}.${name}`),
    );
    expect([...shown, ...others]).to.have.members(all);
  });
});

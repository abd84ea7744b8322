import { randomBytes } from 'node:crypto';
import { expect } from 'chai';

import { openSecrets, type SecretLocation } from '../../shared/platform/secrets.ts';

describe('secrets', () => {
  const key = (id: string) => ({ id, key: randomBytes(32) });
  const old = key('old');
  const secrets = openSecrets([old]);
  const where: SecretLocation = { table: 'stock', column: 'secret', row: 7, owner: 3 };
  const text = 'KEY-ä-💶-0';

  it('opens what it sealed, empty text and long text too, and seals nothing twice alike', () => {
    for (const each of [text, '', 'x'.repeat(65_536)]) {
      expect(secrets.open(secrets.seal(each, where), where)).to.equal(each);
    }
    expect(secrets.seal(text, where).equals(secrets.seal(text, where))).to.equal(false);
    // A nonce that is used twice with one key gives away that key's other texts.
    const noncesOf = (sealed: Buffer) => [
      sealed.subarray(5, 17).toString('hex'),
      sealed.subarray(65, 77).toString('hex'),
    ];
    const nonces = [1, 2, 3].flatMap(() => noncesOf(secrets.seal(text, where)));
    expect(new Set(nonces).size).to.equal(6);
    expect(secrets.seal(text, where).includes(text)).to.equal(false);
  });

  it('opens nothing that was moved to another row, column, table or owner', () => {
    const sealed = secrets.seal(text, where);
    const moved: Partial<SecretLocation>[] = [
      { row: 8 },
      { column: 'content' },
      { table: 't' },
      { owner: 4 },
    ];
    for (const change of moved) {
      expect(
        () => secrets.open(sealed, { ...where, ...change }),
        JSON.stringify(change),
      ).to.throw();
    }
    // A row id comes from PostgreSQL as a number or as a string.
    expect(secrets.open(sealed, { ...where, row: '7' })).to.equal(text);
  });

  it('opens nothing of which a bit was changed, wherever it is', () => {
    const sealed = secrets.seal(text, where);
    for (let at = 0; at < sealed.length; at += 1) {
      for (const bit of [1, 128]) {
        const changed = Buffer.from(sealed);
        changed[at]! ^= bit;
        expect(() => secrets.open(changed, where), `byte ${at}`).to.throw();
      }
    }
  });

  it('opens nothing that was cut short or added to', () => {
    const sealed = secrets.seal(text, where);
    // The seal of an empty text ends with the tag: a shorter tag would be easier to guess.
    for (const whole of [sealed, secrets.seal('', where)]) {
      for (let length = 0; length < whole.length; length += 1) {
        const cut = whole.subarray(0, length);
        expect(() => secrets.open(cut, where), `${length} bytes`).to.throw();
      }
    }
    expect(() => secrets.open(Buffer.concat([sealed, Buffer.from([0])]), where)).to.throw();
  });

  it('opens nothing that is put together from two sealed values of the same location', () => {
    const [one, two] = [secrets.seal('one', where), secrets.seal('two', where)];
    const wrapped = 2 + 3 + 12 + 16 + 32; // version, length, "old", nonce, tag, data key
    const mixed = Buffer.concat([one.subarray(0, wrapped), two.subarray(wrapped)]);
    expect(() => secrets.open(mixed, where)).to.throw();
  });

  it('opens what an older master key sealed, and seals with the new one', () => {
    const rotated = openSecrets([key('new'), old]);
    expect(rotated.open(secrets.seal(text, where), where)).to.equal(text);
    expect(() => secrets.open(rotated.seal(text, where), where)).to.throw('new');
  });

  it('names the master key that is missing', () => {
    const forgotten = openSecrets([key('new')]);
    expect(() => forgotten.open(secrets.seal(text, where), where)).to.throw(
      'MASTER_KEYS lacks the key old',
    );
  });

  it('opens nothing with another key of the same name', () => {
    expect(() => openSecrets([key('old')]).open(secrets.seal(text, where), where)).to.throw();
  });

  it('hashes by key and purpose, and knows its hashes after a rotation', () => {
    const { keyId, hash } = secrets.hash('one', text);
    const rotated = openSecrets([key('new'), old]);
    expect(keyId).to.equal('old');
    expect(secrets.hash('one', text).hash.equals(hash)).to.equal(true);
    expect(secrets.hash('two', text).hash.equals(hash)).to.equal(false);
    expect(rotated.hash('one', text).hash.equals(hash)).to.equal(false);
    expect(rotated.hash('one', text, 'old').hash.equals(hash)).to.equal(true);
    expect(rotated.isHashOf(hash, 'one', text)).to.equal(true);
    expect(rotated.isHashOf(hash, 'two', text)).to.equal(false);
    expect(rotated.hashes('one', text)).to.have.length(2);
    expect(rotated.hashes('one', text)[1]!.equals(hash)).to.equal(true);
    expect(openSecrets([key('new')]).isHashOf(hash, 'one', text)).to.equal(false);
  });
});

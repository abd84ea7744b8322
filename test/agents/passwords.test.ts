import { verify } from '@node-rs/argon2';
import { expect } from 'chai';

import { hashPassword as hashAt } from '../../shared/domains/agents/passwords.ts';
import { PASSWORD_MEMORY_KIB_MIN } from '../../shared/domains/agents/settings.ts';

const hashPassword = (password: string, address: string) =>
  hashAt(password, { address, memoryKib: PASSWORD_MEMORY_KIB_MIN });

describe('passwords', () => {
  it('are hashed by Argon2id at no less than 19 MiB and two passes', async () => {
    const hash = await hashPassword('correct horse battery', '192.0.2.1');
    expect(hash).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verify(hash, 'correct horse battery')).to.equal(true);
    expect(await verify(hash, 'correct horse batterz')).to.equal(false);
  });

  it('are the same however a keyboard composes a letter', async () => {
    const hash = await hashPassword('cafe\u0301 cafe\u0301', '192.0.2.1');
    expect(await verify(hash, 'caf\u00e9 caf\u00e9')).to.equal(true);
  });

  it('are refused to the address that asks for most, and to no other', async () => {
    const refusedOf = async (address: string, count: number) => {
      const calls = Array.from({ length: count }, (_, n) => hashPassword(`password ${n}`, address));
      const settled = await Promise.allSettled(calls);
      return settled.filter(({ status }) => status === 'rejected').length;
    };
    const counts = await Promise.all([refusedOf('192.0.2.1', 40), refusedOf('192.0.2.2', 14)]);
    expect(counts).to.deep.equal([2, 0]);
  });

  it('are hashed two at a time while fifty wait; the next is refused at once', async () => {
    const calls = Array.from({ length: 53 }, (_, n) => hashPassword(`password ${n}`, '192.0.2.1'));
    const settled = await Promise.allSettled(calls);

    const refused = settled.filter(({ status }) => status === 'rejected');
    expect(refused).to.have.length(1);
    expect(settled.at(-1)).to.have.nested.property('reason.code', 'queue_overloaded');
    expect(await hashPassword('once more', '192.0.2.1')).to.match(/^\$argon2id\$/);
  });
});

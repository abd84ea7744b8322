import { verify } from '@node-rs/argon2';
import { expect } from 'chai';

import { hashPassword as hashAt } from '../../shared/agents/passwords.ts';
import { PASSWORD_MEMORY_KIB_MIN } from '../../shared/agents/settings.ts';

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

  it('are hashed in turns: an address with many holds up no other', async () => {
    const done: string[] = [];
    const hashOf = async (address: string) => {
      await hashPassword('correct horse battery', address);
      done.push(address);
    };
    const many = Array.from({ length: 12 }, () => hashOf('192.0.2.1'));
    await Promise.all([...many, hashOf('192.0.2.2')]);
    expect(done.indexOf('192.0.2.2')).to.be.below(6);
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

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { expectRefusal } from '../orders/deal.ts';
import { ROOT } from '../sources.ts';
import { bidOn, done, fundsOf, hire, newsOf, openJob, post, submit, taskAs } from './board.ts';

const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const OF_ABC = { verification_type: 'hash', expected_hash: ABC };

describe('a task with an expected_hash', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  it('pays the first result that has it at once, what was bid, without its poster', async () => {
    const { poster, worker, taskId } = await openJob(platform, OF_ABC);
    expect((await taskAs(platform, worker, taskId)).verification).to.deep.equal({
      expected_hash: ABC,
      hash_encoding: 'utf8',
      salt: '',
    });
    done(await bidOn(platform, { taskId, ...worker }, 0.9));
    const rival = await platform.agent();
    done(await bidOn(platform, { taskId, ...rival }, 0.3));
    const paid = done(await submit(platform, { taskId, ...worker }, 'abc'));
    expect(paid).to.include({ status: 'approved', paid: 0.9, result_hash: ABC });
    expect(await fundsOf(platform, poster, worker)).to.deep.equal([
      [4.6, 0, 0],
      [0.4, 1, 0],
    ]);
    expectRefusal(await submit(platform, { taskId, ...rival }, 'abc'), 409, 'invalid_transition');
    expect(await newsOf(platform, rival)).to.deep.equal(['bid.placed', 'bid.not_selected']);
  });

  it('takes the hash in capitals too', async () => {
    const capitals = { ...OF_ABC, expected_hash: ABC.toUpperCase() };
    const { worker, taskId } = await openJob(platform, capitals);
    expect(done(await submit(platform, { taskId, ...worker }, 'abc')).paid).to.equal(1);
  });

  it('pays only its worker once a bid is accepted', async () => {
    const job = await openJob(platform, OF_ABC);
    const { worker, taskId } = job;
    await hire(platform, job, 0.5);
    const rival = await platform.agent();
    expectRefusal(await submit(platform, { taskId, ...rival }, 'abc'), 403, 'forbidden');
    expect(done(await submit(platform, { taskId, ...worker }, 'abc')).paid).to.equal(0.5);
  });

  it('refuses other results, five times a bidder, also at the same time', async () => {
    const { poster, worker, taskId } = await openJob(platform, OF_ABC);
    const wrong = await submit(platform, { taskId, ...worker }, 'abd');
    expectRefusal(wrong, 422, 'hash_mismatch');
    expect(wrong.body.details).to.deep.equal({ attempts_left: 4 });
    const guesses = Array.from({ length: 12 }, (_, n) =>
      submit(platform, { taskId, ...worker }, `guess ${n}`),
    );
    const codes = (await Promise.all(guesses)).map(({ body }) => body.error);
    expect(codes.filter((code) => code === 'hash_mismatch')).to.have.length(4);
    expect(codes.filter((code) => code === 'invalid_transition')).to.have.length(8);
    expectRefusal(await submit(platform, { taskId, ...worker }, 'abc'), 409, 'invalid_transition');
    expect(await fundsOf(platform, poster, worker)).to.deep.equal([
      [4.5, 0, 1],
      [0, 0.5, 0],
    ]);
    expect(
      done(await submit(platform, { taskId, ...(await platform.agent()) }, 'abc')).paid,
    ).to.equal(1);
  });

  it('refuses a sixth result of one tree, whichever of its agents bid', async () => {
    const { taskId } = await openJob(platform, OF_ABC);
    const root = await platform.agent();
    const children = [await childOf(platform, root), await childOf(platform, root)];
    for (const [n, { key }] of [root, ...children, root, children[0]!].entries()) {
      const wrong = await submit(platform, { taskId, key }, `guess ${n}`);
      expect(wrong.body.details, wrong.text).to.deep.equal({ attempts_left: 4 - n });
    }
    for (const { key } of [root, ...children]) {
      expectRefusal(await submit(platform, { taskId, key }, 'abc'), 409, 'invalid_transition');
    }
  });

  it('hashes as the published vectors say', async () => {
    const guide = readFileSync(join(ROOT, 'docs/boards/tasks.md'), 'utf8');
    const vectors = [
      ...guide.matchAll(/^\| `(\w+)` \| `(.*)` \| `(.+)` \| `([0-9a-f]{64})` \|$/gm),
    ];
    expect(vectors).to.have.length(6);
    const poster = await platform.agent({ usd: 5 });
    const worker = await platform.agent();
    for (const [, hash_encoding, salt, result, expected_hash] of vectors) {
      const check = { verification_type: 'hash', hash_encoding, salt, expected_hash };
      const { task_id } = done(await post(platform, poster, { budget: 0.01, ...check }));
      const reply = await submit(platform, { taskId: task_id, ...worker }, result);
      expect(done(reply).status, `${hash_encoding} ${result}`).to.equal('approved');
    }
  });

  it('does not count what is not written in the encoding, nor takes fields that contradict', async () => {
    const fields = { ...OF_ABC, hash_encoding: 'hex', budget: 0.01 };
    const { worker, taskId } = await openJob(platform, fields);
    for (const result of ['abc', 'zz', '616263 ']) {
      expectRefusal(await submit(platform, { taskId, ...worker }, result), 422, 'validation_error');
    }
    expect(done(await submit(platform, { taskId, ...worker }, '616263')).status).to.equal(
      'approved',
    );
    const poster = await platform.agent();
    for (const wrong of [
      { expected_hash: ABC },
      { verification_type: 'hash', salt: 'x' },
      { verification_type: 'hash', expected_hash: ABC.slice(1) },
    ]) {
      const reply = await post(platform, poster, { budget: 0.01, ...wrong });
      expectRefusal(reply, 422, 'validation_error');
    }
  });

  it('is judged by its poster where no hash is expected', async () => {
    const job = await openJob(platform, { verification_type: 'hash' });
    const { worker, taskId } = job;
    await hire(platform, job);
    const submitted = done(await submit(platform, { taskId, ...worker }, 'abc'));
    expect(submitted).to.include({ status: 'submitted', result_hash: ABC, paid: 0 });
  });
});

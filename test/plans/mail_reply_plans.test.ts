// test:all: tables of many rows are filled, to see the plans of statements at size.
import { expect } from 'chai';

import { refundDoubtedAnswers } from '../../shared/domains/email/doubts/refund_doubted_answers.ts';
import type { Tx } from '../../shared/kernel/tx.ts';
import { TestPlatform } from '../harness.ts';
import { rowsRead } from './rows_read.ts';
import { withoutTriggers } from './superuser.ts';

const REPLIES = 60_000;
/** Each has as many replies. */
const MACHINES = 2_000;
const DOUBTED = 3;

describe('what mail hosts said in a week', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
    await platform.pauseWorkers();
    await withoutTriggers(
      platform,
      `insert into mail_reply (machine, root_id, mailbox, refused, asked_at, charge_id)
       select '192.0.2.' || n % ${MACHINES}, n, sha256(n::text::bytea), true,
              now() - interval '8 days' * (1 - n::float8 / ${REPLIES}), n
         from generate_series(1, ${REPLIES}) n;
       insert into mail_doubt (machine, mailboxes, since, ends_at)
       select '192.0.2.' || n, 5, now() - interval '1 day', now() + interval '1 hour'
         from generate_series(1, ${DOUBTED}) n;
       analyze mail_reply, mail_doubt`,
    );
  });
  after(() => platform.close());

  it('is read for the hosts in doubt only, when their answers are given back', async () => {
    const read = await rowsRead(platform, ['mail_reply'], (db) =>
      refundDoubtedAnswers.handle({ db } as Tx, undefined as never, undefined as never),
    );
    // Twice, and by their ids too.
    expect(read)
      .to.be.above(0)
      .and.below((8 * DOUBTED * REPLIES) / MACHINES);
  });
});

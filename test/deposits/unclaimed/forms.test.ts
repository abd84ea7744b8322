// test:all: every form of these pages is sent.
import { expect } from 'chai';

import { operator, owner, type BrowserLike } from '../../console/browser_like.ts';
import { ADA, inUnclaimed } from './scene.ts';

const ADD = '/console/add';
const CLAIM = '/console/do/claim_deposit';
const DECIDE = '/admin/do/decide_unclaimed_payment';
const WHOLE = 'Copy the whole id of the transaction.';
const STATEMENT = 'Withdrawal <b>4711</b> of my account at the exchange.';

describe('the forms about payments of nobody', () => {
  const scene = inUnclaimed();

  it('say what is wrong with what people enter, and lead from a claim to its credit', async () => {
    const { platform } = scene.base;
    const { browser, agent } = await owner(platform);
    const { txId, payment } = await scene.payNameless(5_000_000n);
    const claim = async (fields: Record<string, string>) => {
      const usual = { rail: 'base', tx_id: txId, statement: STATEMENT };
      return browser.submit(await browser.get(ADD), CLAIM, { ...usual, ...fields });
    };
    for (const [fields, said] of [
      [{ tx_id: ' ' }, 'Fill this in.'],
      [{ tx_id: '1e9' }, WHOLE],
      [{ tx_id: '😀' }, WHOLE],
      [{ tx_id: txId.slice(0, 40) }, WHOLE],
      [{ tx_id: 'x'.repeat(10_000) }, 'Use at most 300 characters.'],
      [{ statement: ' \n' }, 'Fill this in.'],
      [{ statement: 'Mine.' }, 'Use 20 characters or more.'],
    ] as const) {
      const refused = await claim(fields);
      expect(refused.status, JSON.stringify(fields).slice(0, 60)).to.equal(422);
      expect(refused.text).to.include(`<strong class="problem">${said}</strong>`);
    }
    const made = await claim({ tx_id: `\n https://basescan.org/tx/${txId}\n` });
    expect(made.location).to.include('done=claim_deposit');
    expect((await browser.get(ADD)).text)
      .to.include(txId)
      .and.include('>open</span>');

    const path = `/admin/decisions?kind=payments&id=${payment.deposit_id}`;
    const decide = async (who: BrowserLike, fields: Record<string, string>) =>
      who.submit(await who.get(path), DECIDE, { evidence: 'Ticket 12.', ...fields });
    const [ann, ada] = [
      await operator(platform),
      await operator(platform, { name: 'ada', secret: ADA }),
    ];
    expect((await ann.get(path)).text).to.include('Withdrawal &lt;b>4711&lt;/b>');
    const credit = { decision: 'credit', agent_id: String(agent.id) };
    for (const [fields, said] of [
      [{}, 'Fill this in.'],
      [{ decision: 'credit' }, 'Fill this in.'],
      [{ decision: 'credit', agent_id: '-1' }, 'Enter 1 or more.'],
      [{ decision: 'credit', agent_id: '1,5' }, 'Enter a whole number.'],
      [{ decision: 'return' }, 'Fill this in.'],
      [{ decision: 'return', return_tx_id: 'a\nb' }, WHOLE],
      [{ ...credit, return_tx_id: txId }, 'Leave this empty, or choose another decision.'],
      [{ decision: 'refuse', evidence: ' ' }, 'Fill this in.'],
    ] as const) {
      const refused = await decide(ann, fields);
      expect(refused.status, JSON.stringify(fields)).to.equal(422);
      expect(refused.text, JSON.stringify(fields)).to.include(`"problem">${said}</strong>`);
    }
    expect((await decide(ann, { ...credit, agent_id: '999999' })).status).to.equal(404);
    expect((await decide(ann, credit)).status).to.equal(303);
    expect((await decide(ann, credit)).status).to.equal(409);
    expect(await scene.watched.cashOf(agent)).to.equal(0);
    const stale = await ann.get(path);
    expect((await decide(ada, credit)).status).to.equal(303);
    expect(await scene.watched.cashOf(agent)).to.equal(5);
    const late = await ann.submit(stale, DECIDE, { evidence: 'No.', decision: 'refuse' });
    expect(late.status).to.equal(409);
    expect((await browser.get(ADD)).text).to.include('>accepted</span>');
  });
});

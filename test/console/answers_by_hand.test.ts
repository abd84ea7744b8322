import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { claimsAs, openPool, unitsOf, walletOf } from '../labor/pool.ts';
import { owner } from './browser_like.ts';

const TAKE = '/console/do/take_labor_task';
const DELIVER = '/console/do/deliver_labor_task';
const NER = { form: 'ner', labels: ['PER', 'LOC'] };
const BOXES = { form: 'boxes', labels: ['cat'] };
const SEVERAL = { form: 'classification', labels: ['cat', 'dog'], several: true };
const PICTURE = 'https://pictures.example/1.jpg';

describe('answers by hand', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  /** Sends an answer to a unit of a new task, as a browser without scripts. */
  async function answer(
    template: object,
    payload: string,
    filled: Record<string, string | readonly string[]>,
  ) {
    const { poster, taskId } = await openPool(platform, { template, units: unitsOf(payload) });
    const { agent, browser } = await owner(platform);
    const path = `/console/labor/${taskId}/label`;
    await browser.submit(await browser.get(path), TAKE);
    const page = await browser.get(path);
    const before = await walletOf(platform, agent);
    const reply = await browser.submit(page, DELIVER, filled);
    expect(await walletOf(platform, agent)).to.deep.equal(before);
    const [claim] = await claimsAs(platform, poster, taskId);
    const submission = claim!.submission as { content: string } | null;
    return { page, reply, claim, submission: submission?.content };
  }

  const spanOf = (payload: string, words: string, label = 'LOC') => {
    const [before] = payload.split(words);
    const start = Array.from(before!).length;
    return [{ start, end: start + Array.from(words).length, label }];
  };

  const TEXTS = [
    ['line one\r\nShe lives in York City 0', 'LOC: York City', 'York City'],
    ['line one\r\nShe lives in York City 0', 'LOC: York City @23-32', 'York City'],
    ['one\rtwo\n\r\nYork\r\nCity', 'LOC: York City', 'York\r\nCity'],
    ['one\r\nYork\r\nCity', 'loc： York City @5-15', 'York\r\nCity'],
    ['a\u200bb lives in Yo\u200brk', 'LOC: York', 'Yo\u200brk'],
    ['\u202eShe lives in York', 'LOC: York', 'York'],
    ['{"lives":\t"York  City"}', 'LOC: York City', 'York  City'],
    ['https://york.example/a.png', 'LOC: york', 'york'],
    ['Mail me @2-4 today', 'LOC: me @2-4', 'me @2-4'],
    ['می‌خواهم 👨‍👩‍👧‍👦 York', 'LOC: York', 'York'],
  ] as const;

  it('have places of the text as it was posted', async () => {
    for (const [payload, line, words] of TEXTS) {
      const { submission } = await answer(NER, payload, { _lines: line });
      expect(JSON.parse(submission ?? 'null'), payload).to.deep.equal(spanOf(payload, words));
    }
  });

  it('show a text to mark as it is, also one that is JSON or a picture', async () => {
    for (const payload of ['{"lives":"York"}', PICTURE]) {
      const { page } = await answer(NER, payload, { _none: 'true' });
      const shown = payload.replaceAll('"', '&quot;');
      expect(page.text).to.include(`<bdi id="payload">${shown}</bdi>`);
    }
  });

  it('are empty only where their person says so', async () => {
    for (const [template, payload, words] of [
      [SEVERAL, 'x', 'None of these'],
      [NER, 'x', 'The text has none'],
      [BOXES, PICTURE, 'The picture has none'],
    ] as const) {
      const fresh = await answer(template, payload, {});
      expect(fresh.reply.status).to.equal(422);
      expect(fresh.reply.text).to.include(`Nothing was delivered: choose &quot;${words}&quot;`);
      expect(fresh.claim!.status).to.equal('claimed');
      expect((await answer(template, payload, { _none: 'true' })).submission).to.equal('[]');
      const both = { _none: 'true', _label: 'cat', _lines: 'PER: x' };
      if (template !== BOXES) {
        const { reply } = await answer(template, payload, both);
        expect(reply.text).to.include('and something else too');
      }
    }
  });

  it('have boxes in percent, written with its sign or without', async () => {
    const { submission } = await answer(BOXES, PICTURE, { _lines: 'cat: 10% 20,5 % 30 40%' });
    expect(submission).to.equal(undefined);
    const told = await answer(BOXES, PICTURE, { _lines: 'cat: 10% 20,5% 30 40%' });
    expect(told.submission).to.equal('[{"x":10,"y":20.5,"width":30,"height":40,"label":"cat"}]');
  });
});

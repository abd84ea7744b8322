// test:all: Chromium is started and units are labelled by hand.
import { readFile } from 'node:fs/promises';

import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { knownTo, postLabor, take, deliver } from '../labor/pool.ts';
import type { TestPlatform } from '../harness.ts';
import { done } from '../tasks/board.ts';
import { problemsOfLooks, TWO_LOOKS } from './axe.ts';
import { freshPage, type Page } from './chromium.ts';
import { heading, inBrowser, signIn } from './in_browser.ts';

type Agent = Awaited<ReturnType<TestPlatform['agent']>>;

const UNITS = 200;
/** Units that a person labels; two programs label the others. */
const BY_HAND = 20;
const ANIMALS = ['cat', 'dog', 'owl'] as const;
const animalOf = (n: number) => ANIMALS[n % ANIMALS.length]!;

describe('a set labelled by programs and by hand', function () {
  this.timeout(300_000);
  const at = inBrowser();
  let poster: Agent;
  let person: Agent;
  let taskId: number;
  before(async () => {
    const { platform } = at;
    poster = await platform.agent({ usd: 10 });
    person = await platform.agent();
    const [one, other] = [await platform.agent(), await platform.agent()];
    const units = Array.from({ length: UNITS }, (_, n) => ({
      payload: `Picture ${n + 1} shows ${animalOf(n) === 'owl' ? 'an' : 'a'} ${animalOf(n)}.`,
    }));
    const posted = await postLabor(platform, poster, {
      title: 'Animals of 200 pictures',
      instructions: 'Choose the animal that the sentence names.',
      units,
      verification: 'consensus',
      overlap: 2,
      max_overlap: 2,
      template: {
        form: 'classification',
        labels: [...ANIMALS],
        examples: [{ payload: 'Here is a cat.', answer: 'cat', explanation: 'It says so.' }],
      },
    });
    taskId = done(posted).task_id;
    await knownTo(platform, { poster, taskId }, one, other, person);
    const label = async (worker: Agent, count: number) => {
      for (let n = 0; n < count; n += 1) {
        const { claim_id, payload } = await take(platform, taskId, worker);
        const answer = ANIMALS.find((animal) => payload.content.includes(animal));
        done(await deliver(platform, { taskId, key: worker.key }, claim_id, answer));
      }
    };
    await Promise.all([label(one, UNITS), label(other, UNITS - BY_HAND)]);
  });

  const unitOf = (page: Page) => page.locator('#payload').innerText();

  it('is labelled by hand, by the keyboard alone, unit after unit', async () => {
    const { page, context, faults } = await freshPage(at.browser);
    await signIn(page, at, person);
    await page.goto(`${at.platform.url}/market/labor/${taskId}`);
    await page.getByRole('link', { name: 'Label units' }).focus();
    await page.keyboard.press('Enter');
    await heading(page, 'Label: Animals of 200 pictures');
    await page.getByRole('button', { name: 'Take a unit' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Deliver' }).waitFor();
    expect(await problemsOfLooks(page, 'label', [...TWO_LOOKS, ['light', 320]])).to.deep.equal([]);
    for (let n = 0; n < BY_HAND; n += 1) {
      const text = await unitOf(page);
      // The person is wrong once: then its poster decides.
      const right = ANIMALS.findIndex((animal) => text.includes(animal)) + 1;
      await page.keyboard.press(String(n === 7 ? (right % ANIMALS.length) + 1 : right));
      await page.keyboard.press('Enter');
      await page.waitForFunction(
        (before) =>
          document.readyState === 'complete' &&
          document.querySelector('#payload')?.textContent !== before,
        text,
      );
    }
    await page.getByText('has no unit for you now').waitFor();
    expect(await page.getByText('Your answer was delivered.').count()).to.equal(1);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('is judged by its poster where two differ, by the keyboard', async () => {
    const { page, context, faults } = await freshPage(at.browser);
    await signIn(page, at, poster);
    await page.goto(`${at.platform.url}/console/todo`);
    await page.getByRole('link', { name: `Deliveries of labor to judge, #${taskId}` }).click();
    await heading(page, 'Judge: Animals of 200 pictures');
    expect(await page.locator('[data-judge] > li').count()).to.equal(2);
    expect(await problemsOfLooks(page, 'judge', [...TWO_LOOKS, ['dark', 320]])).to.deep.equal([]);
    const [first] = await page.locator('.answer').allInnerTexts();
    const isFirstRight = (await page.locator('.foreign').first().innerText()).includes(first!);
    // The first row, or the second, which `j` leads to.
    await page.keyboard.press('j');
    if (!isFirstRight) await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await page.getByText('The delivery was judged.').waitFor();
    await page.keyboard.press('r');
    await page.keyboard.type('The sentence names another animal.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Nothing of this task waits').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('is downloaded as three files, and as an interface of Label Studio', async () => {
    const { page, context, faults } = await freshPage(at.browser);
    await signIn(page, at, poster);
    await page.goto(`${at.platform.url}/console/labor/${taskId}`);
    await page.getByRole('link', { name: 'Results' }).click();
    await heading(page, 'Results: Animals of 200 pictures');
    await page.getByText('of 200 units with two answers').waitFor();
    expect(await problemsOfLooks(page, 'results', [...TWO_LOOKS, ['light', 320]])).to.deep.equal(
      [],
    );
    const file = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name, exact: true }).click(),
      ]);
      return readFile(await download.path(), 'utf8');
    };
    const lines = (await file('JSONL')).trimEnd().split('\n');
    const answers = lines.map((line) => JSON.parse(line).answer);
    expect(answers).to.deep.equal(Array.from({ length: UNITS }, (_, n) => animalOf(n)));
    expect((await file('CSV')).trimEnd().split('\r\n')).to.have.length(1 + 2 * UNITS);
    const tasks = JSON.parse(await file('Label Studio: tasks'));
    expect(tasks).to.have.length(UNITS);
    const [region] = tasks[1].annotations[0].result;
    expect(region).to.deep.include({ type: 'choices', value: { choices: ['dog'] } });
    expect(await file('Label Studio: interface')).to.include('<Choice value="owl"/>');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('was paid for, and the books are right', async () => {
    const [task] = await at.platform.query(
      'select accepted, status, closed_at is not null as closed from labor_task where id = $1',
      [taskId],
    );
    expect(task.accepted).to.equal(2 * UNITS - 1);
    expect(await audit(at.platform.context.database)).to.deep.equal([]);
  });
});

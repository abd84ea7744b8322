import { expect } from 'chai';

import type { FileResult } from '../../local/test_run/lanes/lane_process.ts';
import { openProgress } from '../../local/test_run/progress.ts';
import { eventually } from '../platform/eventually.ts';

describe('the progress of npm test, where there is no terminal', () => {
  it('is a line for each of few files, and for each tenth of many', () => {
    const few = printed(3);
    expect(few).to.have.lengthOf(3);
    expect(few[1]).to.match(/^2 of 3 files, 4 tests passed, \d+ s left\n$/);
    const many = printed(500);
    expect(many).to.have.lengthOf(10);
    expect(many[0]).to.contain('50 of 500 files');
  });

  it('shows a file that failed at once', () => {
    const { lines, progress } = open(500);
    progress.end({ ...RESULT, failed: ['a test'], failures: 'expected 1 to equal 2' });
    progress.clear();
    expect(lines).to.deep.equal([`\n${RESULT.file}\nexpected 1 to equal 2\n`]);
  });

  it('names the files that run where none has ended for long', async () => {
    const { lines, progress } = open(500, { quietMsMax: 1 });
    progress.begin(RESULT.file);
    await eventually(async () => lines[0], Boolean);
    progress.clear();
    expect(lines[0]).to.equal('0 of 500 files, 0 tests passed: orders/get_order\n');
  });
});

const RESULT: FileResult = {
  file: 'test/orders/get_order.test.ts',
  passed: 2,
  failed: [],
  failures: '',
  ms: 1,
  cpuMs: 1,
  slowness: 1,
};

function open(files: number, options = {}) {
  const lines: string[] = [];
  const output = { isTTY: false, columns: 80, write: (text: string) => lines.push(text) > 0 };
  return { lines, progress: openProgress(files, output, options) };
}

function printed(files: number): readonly string[] {
  const { lines, progress } = open(files);
  for (let n = 0; n < files; n += 1) progress.end(RESULT);
  progress.clear();
  return lines;
}

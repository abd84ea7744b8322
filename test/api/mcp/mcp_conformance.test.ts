import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';
import { launch, MASTER_KEYS, urlOf, type ApiProcess } from '../api_process.ts';
import { conform } from './conformance.ts';

const isText = 'Operations answer in JSON, and prompts and resources are texts.';
const keepsSilent = 'It declares no logging: what became of a call stands in its answer.';
const cannotAsk = 'It asks nothing back: each message has a server of its own, in any process.';
const changesNothing = 'It declares no subscriptions: its resources are read when they are needed.';
const hasNoSession = 'It has no sessions, so there is no stream that one could come back to.';

/** What these scenarios ask for, the marketplace does not offer, and does not say that it does. */
const NOT_OFFERED: Readonly<Record<string, string>> = {
  'tools-call-image': isText,
  'tools-call-audio': isText,
  'tools-call-embedded-resource': isText,
  'tools-call-mixed-content': isText,
  'prompts-get-embedded-resource': isText,
  'prompts-get-with-image': isText,
  'resources-read-binary': isText,
  'resources-templates-read': 'Its one template is that of products; resources.test.ts reads it.',
  'resources-subscribe': changesNothing,
  'resources-unsubscribe': changesNothing,
  'logging-set-level': keepsSilent,
  'tools-call-with-logging': keepsSilent,
  'tools-call-sampling': cannotAsk,
  'tools-call-elicitation': cannotAsk,
  'elicitation-sep1034-defaults': cannotAsk,
  'elicitation-sep1330-enums': cannotAsk,
  'completion-complete': 'It declares no completions.',
  'server-sse-polling': hasNoSession,
  'server-sse-multiple-streams': hasNoSession,
};

/** These are about tools, prompts and resources of certain names. */
const OF_FIXTURES = [
  'json-schema-2020-12',
  'prompts-get-simple',
  'prompts-get-with-args',
  'resources-read-text',
  'tools-call-error',
  'tools-call-simple-text',
  'tools-call-with-progress',
];

const OF_EVERYBODY = [
  'dns-rebinding-protection',
  'ping',
  'prompts-list',
  'resources-list',
  'server-initialize',
  'tools-list',
];

describe("MCP's conformance suite", function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  let fixtures: ApiProcess | undefined;

  before(async () => {
    platform = await TestPlatform.open({ workers: false, env: { MASTER_KEYS } });
  });
  after(async () => {
    fixtures?.child.kill('SIGKILL');
    await platform.close();
  });

  /** A scenario that passes and is not listed is as much a difference as one that fails. */
  async function passedAt(base: string): Promise<string[]> {
    const verdicts = await conform(base, (await platform.agent()).key);
    const known = [...OF_EVERYBODY, ...OF_FIXTURES, ...Object.keys(NOT_OFFERED)];
    expect([...verdicts.keys()].toSorted()).to.deep.equal(known.toSorted());
    return known.filter((scenario) => verdicts.get(scenario) === 'passed').toSorted();
  }

  it('is content with what every server must do', async () => {
    expect(await passedAt(platform.url)).to.deep.equal(OF_EVERYBODY);
  });

  it('is content with its own tools, prompts and resources, served as the marketplace serves its', async () => {
    // Three words of progress, a second apart, are told before the caller's patience ends, even by
    // a process that stands still for some of that time.
    fixtures = launch(platform, { WAIT_MS: '8500' }, 'test/api/fixture_api.ts');
    const passed = await passedAt(await urlOf(fixtures));
    expect(passed).to.deep.equal([...OF_EVERYBODY, ...OF_FIXTURES].toSorted());
  });
});

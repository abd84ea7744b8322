import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';
import { launch, MASTER_KEYS, urlOf, type ApiProcess } from '../api_process.ts';
import { conform } from './conformance.ts';

const isText = 'Operations answer in JSON, and prompts and resources are texts.';
const hasNoLogging = 'It declares no logging: the result of a call is in its answer.';
const cannotAsk = 'It asks the client nothing: each message has its own server, in any process.';
const hasNoSubscriptions = 'It declares no subscriptions where no stream stays open: SSE has them.';
const hasNoSession = 'It has no sessions, so there is no stream to return to.';

/** Scenarios about functions that the marketplace does not offer, and does not declare. */
const NOT_OFFERED: Readonly<Record<string, string>> = {
  'tools-call-image': isText,
  'tools-call-audio': isText,
  'tools-call-embedded-resource': isText,
  'tools-call-mixed-content': isText,
  'prompts-get-embedded-resource': isText,
  'prompts-get-with-image': isText,
  'resources-read-binary': isText,
  'resources-templates-read': 'Its one template is that of products; resources.test.ts reads it.',
  'resources-subscribe': hasNoSubscriptions,
  'resources-unsubscribe': hasNoSubscriptions,
  'logging-set-level': hasNoLogging,
  'tools-call-with-logging': hasNoLogging,
  'tools-call-sampling': cannotAsk,
  'tools-call-elicitation': cannotAsk,
  'elicitation-sep1034-defaults': cannotAsk,
  'elicitation-sep1330-enums': cannotAsk,
  'completion-complete': 'It declares no completions.',
  'server-sse-polling': hasNoSession,
  'server-sse-multiple-streams': hasNoSession,
};

/** Scenarios that need tools, prompts and resources of certain names. */
const NEED_FIXTURES = [
  'json-schema-2020-12',
  'prompts-get-simple',
  'prompts-get-with-args',
  'resources-read-text',
  'tools-call-error',
  'tools-call-simple-text',
  'tools-call-with-progress',
];

const FOR_ALL_SERVERS = [
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

  /** Every scenario must be listed: one that passes and is not listed is a failure too. */
  async function passedAt(base: string): Promise<string[]> {
    const verdicts = await conform(base, (await platform.agent()).key);
    const known = [...FOR_ALL_SERVERS, ...NEED_FIXTURES, ...Object.keys(NOT_OFFERED)];
    expect([...verdicts.keys()].toSorted()).to.deep.equal(known.toSorted());
    return known.filter((scenario) => verdicts.get(scenario) === 'passed').toSorted();
  }

  it('passes in what every server must do', async () => {
    expect(await passedAt(platform.url)).to.deep.equal(FOR_ALL_SERVERS);
  });

  it('passes with its own tools, prompts and resources, which the code of the marketplace serves', async () => {
    // There is time for three reports of progress, a second apart, even if the process stands still
    // for some of it.
    fixtures = launch(platform, { WAIT_MS: '8500' }, 'test/api/fixture_api.ts');
    const passed = await passedAt(await urlOf(fixtures));
    expect(passed).to.deep.equal([...FOR_ALL_SERVERS, ...NEED_FIXTURES].toSorted());
  });
});

// test:all: the conformance suite of MCP is run against processes of their own.
import { expect } from 'chai';

import { TestPlatform } from '../../harness.ts';
import { launch, MASTER_KEYS, urlOf, type ApiProcess } from '../api_process.ts';
import { conform, REVISIONS, type Revision } from './conformance.ts';

const isText = 'Operations answer in JSON, and prompts and resources are texts.';
const hasNoLogging = 'It declares no logging: the result of a call is in its answer.';
const cannotAsk = 'It asks the client nothing: each message has its own server, in any process.';
const hasNoSubscriptions = 'It declares no subscriptions where no stream stays open: SSE has them.';
const hasNoSession = 'It has no sessions, so there is no stream to return to.';
const hasNoTasks = 'It declares no tasks: a call that takes long is a job, which get_job reads.';

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
  'completion-complete': 'It declares no completions.',
};

const NOT_OFFERED_IN: Readonly<Record<Revision, Readonly<Record<string, string>>>> = {
  '2025-11-25': {
    ...NOT_OFFERED,
    'resources-subscribe': hasNoSubscriptions,
    'resources-unsubscribe': hasNoSubscriptions,
    'logging-set-level': hasNoLogging,
    'tools-call-with-logging': hasNoLogging,
    'tools-call-sampling': cannotAsk,
    'tools-call-elicitation': cannotAsk,
    'elicitation-sep1034-defaults': cannotAsk,
    'elicitation-sep1330-enums': cannotAsk,
    'server-session-lifecycle': hasNoSession,
    'server-sse-polling': hasNoSession,
    'server-sse-multiple-streams': hasNoSession,
  },
  '2026-07-28': {
    ...NOT_OFFERED,
    'http-custom-header-server-validation': 'No tool takes a value from a header.',
    // These need tools that ask the client for something.
    'input-required-result-basic-elicitation': cannotAsk,
    'input-required-result-basic-sampling': cannotAsk,
    'input-required-result-basic-list-roots': cannotAsk,
    'input-required-result-request-state': cannotAsk,
    'input-required-result-multiple-input-requests': cannotAsk,
    'input-required-result-multi-round': cannotAsk,
    'input-required-result-non-tool-request': cannotAsk,
    'input-required-result-result-type': cannotAsk,
    'input-required-result-tampered-state': cannotAsk,
    'input-required-result-capability-check': cannotAsk,
    // Its checks that fail are named below.
    'server-stateless': cannotAsk,
    // An extension, which a server may leave out.
    'tasks-capability-negotiation': hasNoTasks,
    'tasks-dispatch-and-envelope': hasNoTasks,
    'tasks-lifecycle': hasNoTasks,
    'tasks-mrtr-composition': hasNoTasks,
    'tasks-mrtr-input': hasNoTasks,
    'tasks-request-headers': hasNoTasks,
    'tasks-request-state-removal': hasNoTasks,
    'tasks-required-task-error': hasNoTasks,
    'tasks-status-notifications': hasNoTasks,
    'tasks-wire-fields': hasNoTasks,
  },
};

/** The checks of `server-stateless` that fail, of thirty: all others succeed. */
const STATELESS_FAILURES: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability': cannotAsk,
  'sep-2575-missing-capability-http-400': cannotAsk,
  'sep-2575-http-server-no-independent-requests-on-stream': cannotAsk,
  'sep-2575-server-no-log-without-loglevel': hasNoLogging,
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

const FOR_ALL_SERVERS: Readonly<Record<Revision, readonly string[]>> = {
  '2025-11-25': [
    'dns-rebinding-protection',
    'ping',
    'prompts-list',
    'resources-list',
    'server-initialize',
    'tools-list',
  ],
  '2026-07-28': [
    'caching',
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-ignore-extra-params',
    'input-required-result-missing-input-response',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
    'prompts-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'tools-list',
  ],
};

describe("MCP's conformance suite", function () {
  this.timeout(240_000);
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
  async function passedAt(base: string): Promise<Record<Revision, string[]>> {
    const { key } = await platform.agent();
    const passed = await Promise.all(
      REVISIONS.map(async (revision) => {
        const { verdicts, failures } = await conform(base, { key, revision });
        const optional = Object.keys(NOT_OFFERED_IN[revision]);
        const known = [...FOR_ALL_SERVERS[revision], ...NEED_FIXTURES, ...optional];
        expect([...verdicts.keys()].toSorted()).to.deep.equal(known.toSorted());
        expect(failures.get('server-stateless') ?? []).to.have.members(
          revision === '2026-07-28' ? Object.keys(STATELESS_FAILURES) : [],
        );
        return [revision, known.filter((name) => verdicts.get(name) === 'passed').toSorted()];
      }),
    );
    return Object.fromEntries(passed) as Record<Revision, string[]>;
  }

  it('passes in what every server must do', async () => {
    expect(await passedAt(platform.url)).to.deep.equal(FOR_ALL_SERVERS);
  });

  it('passes with its own tools, prompts and resources, which the code of the marketplace serves', async () => {
    // There is time for three reports of progress, a second apart, even if the process stands still
    // for some of it.
    fixtures = launch(platform, { WAIT_MS: '8500' }, 'test/api/fixture_api.ts');
    const passed = await passedAt(await urlOf(fixtures));
    for (const revision of REVISIONS) {
      const all = [...FOR_ALL_SERVERS[revision], ...NEED_FIXTURES].toSorted();
      expect(passed[revision], revision).to.deep.equal(all);
    }
  });
});

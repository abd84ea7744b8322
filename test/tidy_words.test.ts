import { expect } from 'chai';

import { files, isIn, naming, under, type Source } from './sources.ts';

/**
 * Each concept has one word, the field's own (docs/architecture.md). The words here had a special
 * meaning once; a reader of code, SQL, tests or docs must not meet them.
 */

interface Rule {
  /** Matched in lower case, with identifiers split into words: `openDoor` and `open_door` match. */
  readonly words: RegExp;
  readonly instead: string;
  /** The only folders or files where the word is checked; without it, everywhere. */
  readonly only?: readonly string[];
  /** Folders or files where the word means something else, and what. */
  readonly except?: Readonly<Record<string, string>>;
}

const RULES: readonly Rule[] = [
  { words: /(?<!\bin )\bflights?\b|\bflown\b|\bfl(y|ies|ew)\b/, instead: 'batch' },
  { words: /\bpassengers?\b|\baboard\b|\bboarded\b/, instead: 'jobs of a batch' },
  {
    words: /\bin the air\b|\bunder way\b/,
    instead: 'in flight',
    except: { 'shared/domains/email/validate_emails.ts': 'a description that callers read' },
  },
  {
    words: /\bdoors?\b/,
    instead: 'interface, invoke, SOCKS5 server',
    except: {
      'shared/domains/proxies/sale/keys.ts': 'a field that callers read, and its description',
      'shared/domains/proxies/sale/proxy_my_key.ts': 'a summary that callers read',
      'shared/domains/proxies/sale/rotate_proxy_key.ts': 'a summary that callers read',
      'test/proxies/proxy_my_key.test.ts': 'a field that callers read',
      'docs/socks5.md': 'an answer that callers read',
    },
  },
  // MCP's openWorldHint is the word of the protocol.
  { words: /(?<!\bopen )\bworlds?\b/, instead: 'context' },
  // A fillfactor leaves room for HOT updates.
  { words: /\brooms?\b(?! for hot\b)/, instead: 'limiter, permit' },
  {
    words: /\bseats?\b|\bseated\b/,
    instead: 'lease, waiter',
    except: {
      'local/demo/catalogue.ts': 'a product',
      'test/products/search_queries.ts': 'the same product',
    },
  },
  {
    words: /\bcolou?rs?\b/,
    instead: 'funds: cash and credit',
    except: {
      'api/console/style': 'CSS',
      'api/docs/pages.ts': 'a question of CSS',
      'test/browser': 'an option of the browser',
      'local/test_run/lanes/test_servers.ts': 'a variable that programs know',
      'test/local/test_run.test.ts': 'the same variable',
      'docs/pictures': 'CSS',
      'sandbox/stripe/page/layout.ts': 'CSS',
    },
  },
  { words: /\bpurses?\b/, instead: 'locked balance' },
  {
    words: /\bpatien(ce|t|tly)\b/,
    instead: 'wait preference',
    except: { test: 'how long a test waits for what it does not measure (platform/pace.ts)' },
  },
  // The interface calls two fields of a policy so.
  {
    words: /(?<!approval |seller )\bthresholds?\b/,
    instead: 'load shedder',
    except: {
      'sandbox/algorand': 'of a multisig account, in the SDK',
      'test/sandbox/algorand': 'the same',
      ...Object.fromEntries(
        [
          'api/console/owner/money/add.tsx',
          'api/console/words/field_words.ts',
          'test/console/fill_forms.ts',
          'docs/first_purchase.md',
          'migrations/0015_deposits.sql',
          'shared/domains/deposits/card',
          'shared/domains/wallet/get_wallet.ts',
          'test/access/rights/deposit_rights.ts',
          'test/api/docs/story.ts',
          'test/deposits',
          'test/faults/killed_charges.test.ts',
        ].map((path) => [path, 'a field of set_auto_recharge']),
      ),
    },
  },
  { words: /\bsilence\b/, instead: 'timeout, no answer' },
  {
    words: /\bcrowds?\b/,
    instead: 'connections, clients',
    except: { 'api/mcp/sets/synonyms.ts': 'a word of people who look for an operation' },
  },
  {
    words: /\bguests?\b|\bvisit(s|ed|ing|ors?)?\b/,
    instead: 'client, session',
    except: { 'sandbox/stripe/cards.ts': 'a message of Stripe' },
  },
  { words: /\bpassages?\b/, instead: 'tunnel' },
  { words: /\bstrangers?\b/, instead: 'client' },
  { words: /\blateness\b|\bhow late\b/, instead: 'queue latency' },
  { words: /\bpostings?\b/, instead: 'balance change' },
  { words: /\bhouses?\b/, instead: 'platform; the lock order; the rules of the code base' },
  { words: /\byards?\b/, instead: 'rig, deployment' },
  { words: /\bfrom place\b|\bto place\b/, instead: 'from_account, to_account' },
  {
    words: /\bledger\.entr(y|ies)\b|\bentry id\b/,
    instead: 'transfer',
    except: {
      'shared/domains/wallet/wallet_statement.ts': 'an entry of a statement',
      'local/pay': 'an entry of a statement',
      'docs/guide/money.md': 'an entry of a statement',
      'test/wallet/wallet_statement.test.ts': 'an entry of a statement',
    },
  },
  { words: /\bdispatch marks?\b/, instead: 'dispatch_watermark' },
  {
    words: /\bmarks?\b|\bwalk(s|ed|ing)?\b/,
    instead: 'watermark, scan',
    only: ['workers'],
    except: { 'workers/gateways': 'no part of the dispatcher' },
  },
  { words: /\breopen(s|ed|ing)?\b/, instead: 'rehydrate' },
  {
    words: /\bplaces?\b/,
    instead: 'permit, lease, waiter',
    only: ['shared/jobs', 'shared/platform', 'shared/kernel', 'workers'],
  },
  {
    words: /\bparts\b/,
    instead: 'child jobs',
    only: ['shared/jobs', 'shared/domains/email', 'shared/domains/proxies', 'workers'],
  },
  {
    words: /\btries\b|\btried again\b/,
    instead: 'attempts',
    only: ['shared/jobs', 'shared/kernel', 'workers', 'migrations'],
    except: { 'workers/gateways': 'queries of a resolver' },
  },
  {
    words: /\b(un)?seal(s|ed|ing)?\b/,
    instead: 'finish a job; `seal` is encryption at rest',
    except: {
      'shared/platform': 'encryption itself, and its keys',
      'shared/domains/agents/factors': 'secrets of authenticator apps',
      'shared/domains/datasets': 'what is delivered',
      'shared/domains/email/files': 'rows of addresses',
      'shared/domains/products': 'what is sold',
      'shared/domains/proxies/sale/keys.ts': 'keys of proxies',
      'shared/domains/receipts/signing_keys.ts': 'keys that sign receipts',
      'shared/domains/webhooks': 'what messages are signed with',
      'shared/jobs/deferred.ts': 'the input of a deferred call',
      'shared/jobs/jobs.ts': 'the input of a deferred call',
      'shared/jobs/deferral.ts': 'the input of a deferred call',
      'shared/kernel/operation.ts': 'what prepare reads',
      'workers/job_row.ts': 'the input of a deferred call',
      'api/mcp/sse/sse_channel.ts': 'messages from one API process to another',
      'shared/domains/messages/message.ts': 'a text at rest is sealed',
      'shared/domains/messages/send_message.ts': 'it seals that',
      'shared/composition/master_keys': 'changes or proves the keys that these are encrypted with',
      'local/reseal.ts': 'the program of that',
      'local/bootstrap.mjs': 'its name',
      migrations: 'columns of the above',
      '.env.example': 'the master keys',
      'README.md': 'the master keys',
      docs: 'the word itself',
      bench: 'what is sold',
      test: 'tests of the above',
    },
  },
];

/** Text as the rules see it: words of identifiers apart, in lower case. */
const wordsOf = (line: string) =>
  line
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();

/** The words of whole files: few have a word of a rule, and only those are read line by line. */
const wordsIn = new Map(files.map(({ path, text }) => [path, wordsOf(text)]));

function found({ words, only, except = {} }: Rule): string[] {
  const others = files.filter(
    ({ path }) =>
      path !== 'test/tidy_words.test.ts' &&
      path !== 'api/docs/examples.json' && // answers, in the words of the interface
      !/^test\/email\/replies\/\w+\.tsv$/.test(path) && // quotations of mail systems
      !/_?intents\.ts$/.test(path) && // quotations of people, who know none of these rules
      (!only || isIn(path, ...only)) &&
      !isIn(path, ...Object.keys(except)),
  );
  return others
    .filter(({ path }) => words.test(wordsIn.get(path)!))
    .flatMap(({ path, lines }: Source) =>
      lines.flatMap((line, n) =>
        words.test(wordsOf(line)) ? `${path}:${n + 1}: ${line.trim()}` : [],
      ),
    );
}

describe('the words of the code base', () => {
  for (const rule of RULES) {
    it(`say ${rule.instead}, and not ${rule.words.source.replaceAll('\\b', '')}`, () => {
      expect(found(rule)).to.deep.equal([]);
    });
  }

  it('say in each comment and description what it is, without the line before', () => {
    // A clause such as "Of the order." or "What it costs." means nothing alone.
    const clause = /^(\s*(\/\/|\/\*\*|--) |.*')(Of|What|Whose|Whom|So many|With this)\b/;
    const own = files.filter(
      ({ path }) =>
        /\.(tsx?|mjs|sql)$/.test(path) &&
        !isIn(path, 'test', 'docs') &&
        !/^migrations\/\d/.test(path), // shipped, and never edited
    );
    expect(naming(own, clause)).to.deep.equal([]);
    const inTests = /^\s*(\/\/|\/\*\*|\*) (Of|What|Whose|Whom|Where|Those|As|So many)\b/;
    expect(naming(under('test'), inTests)).to.deep.equal([]);
  });
});

import type { Mutation } from '../mutation.ts';

const BOARDS = ['test/console/market/boards.test.ts'];
const MARKET = ['test/console/market/market.test.ts'];
const BUY = ['test/console/market/buy.test.ts'];
const LISTS = ['test/products/list_products.test.ts'];

/** The market as everybody sees it, and purchases in the console. */
export const MARKET_PAGES: readonly Mutation[] = [
  {
    name: 'pages_read_everything_without_a_key',
    file: 'api/console/anonymous.ts',
    from: 'SHOWN_TO_ALL.has(operation) ? async () => ANONYMOUS : undefined',
    to: 'async () => ANONYMOUS',
    tests: BOARDS,
    grep: 'read nothing without a key',
  },
  {
    name: 'market_shows_a_task_that_is_over',
    file: 'api/console/market/tasks.tsx',
    from: "if (found.status !== 'open')",
    to: 'if (false)',
    tests: BOARDS,
    grep: 'a task that is over',
  },
  {
    name: 'market_shows_labor_that_is_over',
    file: 'api/console/market/labor.tsx',
    from: "if (found.status !== 'open')",
    to: 'if (false)',
    tests: BOARDS,
    grep: 'show open labor',
  },
  {
    name: 'head_of_a_product_turns_its_direction',
    file: 'api/console/market/product.tsx',
    from: 'title: `${clean(title)}, ',
    to: 'title: `${title}, ',
    tests: MARKET,
    grep: 'in the head too',
  },
  {
    name: 'console_buys_at_any_price',
    file: 'api/console/owner/trade/buy.tsx',
    from: 'quantity, max_total_due: total }',
    to: 'quantity }',
    tests: BUY,
    grep: 'the price has risen',
  },
  {
    name: 'dear_purchase_needs_no_proof',
    file: 'api/console/session/fresh.ts',
    from: "return most === '' || !(Number(most) <= UNPROVEN_MAX);",
    to: 'return false;',
    tests: BUY,
    grep: 'a fresh proof above',
  },
  {
    name: 'purchase_at_any_price_needs_no_proof',
    file: 'api/console/session/fresh.ts',
    from: "most === '' || !(Number(most)",
    to: '!(Number(most)',
    tests: BUY,
    grep: 'a fresh proof above',
  },
  {
    name: 'list_of_a_seller_has_what_is_off_sale',
    file: 'shared/domains/products/list_products.ts',
    from: '`${ON_SALE} and (p.${column}, p.id)',
    to: '`(p.${column}, p.id)',
    tests: LISTS,
    grep: 'lists one seller',
  },
  {
    name: 'list_by_price_has_what_is_off_sale',
    file: 'shared/domains/products/search/matches.ts',
    from: 'from (select p.id, p.price from product p where ${ON_SALE} ',
    to: 'from (select p.id, p.price from product p where true ',
    tests: LISTS,
    grep: 'lists by price',
  },
  {
    name: 'form_that_is_sent_again_after_back_acts_again',
    file: 'api/console/browser/once.ts',
    from: 'if (key && sent) key.value = sent;',
    to: 'if (key && !sent) key.value = sent!;',
    tests: ['test/browser/market.test.ts'],
    grep: 'from looking to buying',
  },
  {
    name: 'a2a_shows_tasks_of_others',
    file: 'api/a2a/methods.ts',
    from: 'if (status < 400 && isPosted(task)) return task;',
    to: 'if (status < 400) return task;',
    tests: ['test/a2a/a2a.test.ts'],
  },
  {
    name: 'a2a_posts_a_message_again',
    file: 'api/a2a/methods.ts',
    from: "await ask('task_post', input, messageId)",
    to: "await ask('task_post', input)",
    tests: ['test/a2a/a2a.test.ts'],
  },
];

// test:all: fuzzing: hard texts through every field and every interface.
import { expect } from 'chai';

import { published } from '../../shared/composition/catalog.ts';
import { TestPlatform } from '../harness.ts';
import { DATASETS, DECISIONS } from './others.ts';
import { fieldsOf } from './fields.ts';
import { HARD_TEXTS } from './hard_texts.ts';
import { LABOR } from './labor.ts';
import {
  callsOf,
  INTERFACES,
  textsIn,
  type Interface,
  type Reading,
  type Story,
} from './market.ts';
import { DISPUTES, LISTINGS } from './orders.ts';
import { CHECKS, TASKS } from './tasks.ts';

const STORIES: Readonly<Record<string, Story>> = {
  listings: LISTINGS,
  disputes: DISPUTES,
  tasks: TASKS,
  checks: CHECKS,
  labor: LABOR,
  datasets: DATASETS,
  decisions: DECISIONS,
};

/** Texts that no other party reads as data, by operation and field, with the reason. */
const OF_NOBODY_ELSE: Readonly<Record<string, string>> = {
  'create_dataset/url/url': 'an address, in one spelling',
  'create_dataset/url/content_type': 'a media type',
  'create_dataset/ftp/host': 'an address, in one spelling',
  'create_dataset/mysql/host': 'an address, in one spelling',
  'create_dataset/mysql/username': 'of the seller at its server: each buyer has another',
  'create_dataset/mysql/password': 'of the seller at its server: each buyer has another',
  'create_webhook/url': 'an address of its own',
  'create_solana_collection/uri': 'an address on a chain',
  'algo_verify_deposit/tx_id': 'an id on a chain',
  'evm_verify/tx_hash': 'an id on a chain',
  'claim_deposit/tx_id': 'an id on a chain',
  'decide_unclaimed_payment/return_tx_id': 'an id on a chain',
  'decide_unclaimed_payment/return_address': 'an address on a chain',
  'give_goodwill/note': 'for the log of operators',
  'link_wallet/address': 'an address on a chain',
  'link_wallet/signature': 'a proof',
  'claim_asa/address': 'an address on a chain',
  'mint_nft/address': 'an address on a chain',
  'mint_nft/uri': 'an address on a chain',
  'operator_resume_agent/note': 'for the log of operators',
  'operator_set_webhook/note': 'for the log of operators',
  'post_labor_task/template/labels[]': 'a label, which is refused where it would not be kept',
  'proxy_list/city': 'the name of a place',
  'solana_verify/tx_id': 'an id on a chain',
  'tron_verify/tx_id': 'an id on a chain',
  'post_labor_task/units[]/expected': 'compared, and shown to nobody',
  'register_agent/email': 'an address of its own',
  'register_agent/password': 'a secret of its own',
  'reset_password/password': 'a secret of its own',
  'retry_job/job_id': 'an id',
  'retry_job/note': 'for the log of operators',
  'rotate_dataset/ftp/host': 'an address, in one spelling',
  'rotate_dataset/mysql/host': 'an address, in one spelling',
  'rotate_dataset/mysql/username': 'of the seller at its server: each buyer has another',
  'rotate_dataset/mysql/password': 'of the seller at its server: each buyer has another',
  'rotate_dataset/url/content_type': 'a media type',
  'rotate_dataset/url/url': 'an address, in one spelling',
  'set_goods_check/json_schema': 'a check of its own, for its own tree',
  'set_goods_check/pattern': 'a check of its own, for its own tree',
  'set_policy/allowed_product_types': 'a list of categories',
  'set_proxy_addresses/addresses[]': 'addresses of its own',
  'task_post/assertions[]/path': 'a pointer, which is checked',
  'unlink_wallet/address': 'an address on a chain',
  'update_webhook/url': 'an address of its own',
  'upload_email_file/column': 'the name of a column of its own file',
  'upload_email_file/content': 'a file of its own',
  'upload_email_file/name': 'of its own file',
  'validate_email/email': 'an address',
  'validate_emails/emails[]': 'addresses',
  'access_dataset/cursor': 'of the platform',
  'disputed_dataset/cursor': 'of the platform',
};

describe('text that one party hands to another', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({
      env: { WAIT_MS: '20000', WITHDRAWAL_REVIEW_ABOVE: '100' },
    });
  });
  after(() => platform.close());

  it('is every text of every operation, except those that nobody else reads', () => {
    const handed = Object.values(STORIES).flatMap(({ fields }) => fields);
    const writes = published.filter(({ mode }) => mode !== 'read');
    const texts = writes.flatMap((op) => fieldsOf(op).filter(({ isName }) => !isName));
    const names = new Set(texts.map(({ name }) => name));
    expect([...names].toSorted()).to.deep.equal(
      [...handed, ...Object.keys(OF_NOBODY_ELSE)].toSorted(),
    );
    expect(handed.filter((name) => Object.hasOwn(OF_NOBODY_ELSE, name))).to.deep.equal([]);
  });

  for (const by of INTERFACES) {
    for (const [name, { fields, tell }] of Object.entries(STORIES)) {
      it(`arrives as it was sent by ${by}: ${name}`, async () => {
        for (const text of HARD_TEXTS) {
          const found = new Set<string>();
          const read = async (reading: Reading) => {
            for (const reader of INTERFACES) await expectText(reader, reading, text);
            found.add(reading.field);
          };
          await tell({ platform, call: callsOf(platform, by), text, read });
          expect([...found].toSorted()).to.deep.equal(fields.toSorted());
        }
      });
    }
  }

  async function expectText(by: Interface, reading: Reading, textOf: (field: string) => string) {
    const { operation, input, key, field, isPart = false } = reading;
    const texts = textsIn(await callsOf(platform, by)(operation, input, key));
    const text = textOf(field);
    const has = isPart ? texts.some((one) => one.includes(text)) : texts.includes(text);
    const near = texts.filter((one) => one.includes(field));
    expect(
      has,
      `${field} in ${operation}: ${JSON.stringify(near)}, not ${JSON.stringify(text)}`,
    ).to.equal(true);
  }
});

// test:all: the client is generated from the marketplace, and programs in Python are started.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { newSecret, signedHeaders } from '../../shared/domains/webhooks/signature.ts';
import { patience } from '../platform/pace.ts';
import type { TestPlatform } from '../harness.ts';
import { issueReceipts, receiptsOf } from '../receipts/receipt_book.ts';
import { snippetsOf } from '../snippets.ts';
import { ROOT } from '../sources.ts';
import { hasPython, PythonClient } from './python.ts';
import { dropAfterAnswer, openRelay, refuseFor } from './relay.ts';

const textOf = (path: string) => readFileSync(join(ROOT, 'client', path), 'utf8');

it('the client for Python has the version of the one for TypeScript', () => {
  const { version } = JSON.parse(textOf('package.json')) as { version: string };
  expect(textOf('python/pyproject.toml')).to.include(`\nversion = "${version}"\n`);
});

if (hasPython) {
  describe('the typed client for Python', () => {
    let client: PythonClient;
    let platform: TestPlatform;
    before(async () => {
      client = await PythonClient.open();
      ({ platform } = client);
    });
    after(() => client.close());
    const ordersOf = async ({ id }: { id: number }) =>
      (await platform.query('select count(*)::int as n from orders where buyer_id = $1', [id]))[0]
        .n;

    it('has types that Python itself can resolve', async () => {
      const program = `
import typing
from agent_marketplace import Market, operations
kinds = [k for k in vars(operations).values() if typing.is_typeddict(k)]
for kind in kinds: typing.get_type_hints(kind)
for name in operations.ROUTES: typing.get_type_hints(getattr(Market, name))
print(len(kinds) > 100, typing.get_type_hints(operations.Purchase)["total_due"].__name__)`;
      expect(await client.python('-c', program)).to.equal('True float');
    });

    it('does what its pages show', async () => {
      const { buyer, seller, id } = await client.scene(1);
      const printed = [];
      for (const page of ['python/README.md', '../docs/first_purchase.md']) {
        const [first] = snippetsOf(textOf(page)).filter(({ language }) => language === 'python');
        const program = first!.text
          .replace('http://localhost:3000', platform.url)
          .replace('vnx_…', buyer.key)
          .replace('product_id=7', 'product_id=10**9');
        printed.push(await client.python('-c', program));
      }
      expect(printed).to.deep.equal(['sun\nnot_found', 'sun']);
      const call = { key: seller.key, body: { active: false } };
      expect((await platform.request(`PATCH /api/v1/products/${id}`, call)).status).to.equal(200);
    });

    it('verifies receipts, and says what it needs for that', async () => {
      const { buyer } = await client.scene();
      await issueReceipts(platform);
      const [held] = await receiptsOf(platform, buyer);
      const keys = JSON.stringify((await platform.request('GET /.well-known/jwks.json')).body);
      const program = `
keys = json.loads('${keys}')
jws = "${held!.receipt}"
head, said, signature = jws.split(".")
forged = [f"{head}.{said[:-4]}AAAA.{signature}", f"{head}.{said}", "", f"{head}.{said}.AA"]
try:
    import cryptography
    print(verify_receipt(jws, keys)["receipt_id"], end=" ")
    for one in forged + [jws]:
        try: verify_receipt(one, keys if one != jws else {"keys": []})
        except NotVerified: print("refused", end=" ")
except ImportError:
    try: verify_receipt(jws, keys)
    except ImportError as error: print(error.name)`;
      const printed = await client.print(buyer, `import json\n${program}`);
      const verified = `${held!.receipt_id} refused refused refused refused refused`;
      expect([verified, 'cryptography']).to.include(printed);
    });

    it('runs its example, which registers by itself', async () => {
      await client.scene();
      const lines = (await client.python('examples/first_purchase.py', platform.url)).split('\n');
      expect(lines[1]).to.match(/^order \d+: escrow, \$0\.099$/);
      expect([lines[0], ...lines.slice(2)]).to.deep.equal([
        'found Weather of today for $0.09',
        'got sun',
        '100 more: add money first',
      ]);
    });

    it('buys once, though two answers are lost and a third comes later', async () => {
      const { buyer, id } = await client.scene();
      const relay = await openRelay(platform.url, [dropAfterAnswer, dropAfterAnswer, refuseFor(1)]);
      const buy = `print(m.purchase_product(product_id=${id})["status"])`;
      try {
        expect(await client.print(buyer, buy, relay.url)).to.equal('escrow');
      } finally {
        await relay.close();
      }
      expect([relay.requests, await ordersOf(buyer)]).to.deep.equal([4, 1]);
    });

    it('says with which key to repeat what was not answered, and repeats nothing without', async () => {
      const { buyer, id } = await client.scene();
      const relay = await openRelay(platform.url, [dropAfterAnswer, dropAfterAnswer]);
      const buy = `
m = Market("${relay.url}", "${buyer.key}", attempts=1)
try: m.purchase_product(product_id=${id})
except Unreachable as lost: key = lost.idempotency_key
who = dict(username="once", email="once@e.example", password="correct horse")
try: Market("${relay.url}").register_agent(**who)
except Unreachable as lost: print(lost.idempotency_key)
print(m.purchase_product(product_id=${id}, options=CallOptions(idempotency_key=key))["status"])`;
      try {
        expect(await client.print(buyer, buy, relay.url)).to.equal('None\nescrow');
      } finally {
        await relay.close();
      }
      expect([relay.requests, await ordersOf(buyer)]).to.deep.equal([3, 1]);
    });

    it('is polled until it is finished, and waits on in another process', async () => {
      const { buyer, id } = await client.scene();
      await platform.pauseWorkers();
      const begin = `
m = Market("${platform.url}", "${buyer.key}", wait_seconds=0, timeout=${patience(250) / 1_000})
try: m.purchase_product(product_id=${id})
except StillPending as pending: print(pending.job_id)`;
      const jobId = await client.print(buyer, begin).finally(() => platform.resumeWorkers());
      const resume = `print(m.resume(m.purchase_product, "${jobId}")["total_due"])`;
      expect(await client.print(buyer, resume)).to.equal('0.099');
      expect(await ordersOf(buyer)).to.equal(1);
    });

    it('reads lists to their end, sends what is given, and follows events', async () => {
      const { buyer, id } = await client.scene();
      const program = `
for _ in range(3): m.purchase_product(product_id=${id})
print(len(list(m.all(m.get_orders, limit=2, status="escrow"))))
try: m.all(m.get_wallet).__next__()
except TypeError as wrong: print(wrong)
feed = m.events(type="order.*")
feed.begin()
order = m.purchase_product(product_id=${id})
print(next(iter(feed))["object"]["id"] == order["order_id"])
try: m.purchase_product(product_id=${id}, quantity=None)
except Refused as refused: print(refused.code)
else: print("null is one")`;
      expect((await client.print(buyer, program)).split('\n')).to.deep.equal([
        '3',
        'get_wallet answers no list',
        'True',
        'null is one',
      ]);
    });

    it('takes an event that the marketplace signed, and no other', async () => {
      const [secret, old] = [newSecret(), newSecret()];
      const body = '{"id": "evt_7"}';
      const headers = (now: Date, by = [secret]) =>
        JSON.stringify(signedHeaders(by, { id: 'evt_7', body, now }));
      const now = new Date();
      const program = `
from agent_marketplace import NotVerified, verify_event
def tried(body, headers, *secrets):
    try: return verify_event(body, headers, *secrets)["id"]
    except NotVerified as error: return str(error)
right = ${headers(now)}
print(tried('${body}', right, "${secret}"))
print(tried(b'${body}', {k.upper(): v for k, v in right.items()}, "${old}", "${secret}"))
print(tried('${body} ', right, "${secret}"))
print(tried('${body}', ${headers(new Date(now.getTime() - 3_600_000))}, "${secret}"))
print(tried('${body}', {}, "${secret}"))`;
      expect((await client.python('-c', program)).split('\n')).to.deep.equal([
        'evt_7',
        'evt_7',
        'no signature is by this secret',
        'its time is too far from ours',
        'a header is missing',
      ]);
    });
  });
}

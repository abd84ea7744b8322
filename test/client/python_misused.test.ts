// test:all: the client is generated from the marketplace, and programs in Python are started.
import { expect } from 'chai';

import { hasPython, PythonClient } from './python.ts';
import { answerWith, openRelay } from './relay.ts';

if (hasPython) {
  describe('the typed client for Python, used wrongly or misled', () => {
    let client: PythonClient;
    before(async () => {
      client = await PythonClient.open();
    });
    after(() => client.close());

    it('follows no redirect: the key goes nowhere else, and a change stays one', async () => {
      const { buyer, id } = await client.scene();
      const other = await openRelay(client.platform.url, []);
      const relay = await openRelay(client.platform.url, [
        answerWith(302, { location: `${other.url}/api/v1/wallet` }),
        answerWith(308, { location: `${other.url}/api/v1/wallet` }),
      ]);
      const program = `
for call in (lambda: m.purchase_product(product_id=${id}), m.get_wallet):
    try: print(call())
    except Unreachable as lost: print(str(lost).split(": ", 1)[1].split("//")[0])`;
      try {
        const one = 'the marketplace did not answer: it redirects to http:';
        expect(await client.print(buyer, program, relay.url)).to.equal(`${one}\n${one}`);
      } finally {
        await relay.close();
        await other.close();
      }
      expect([relay.requests, other.requests]).to.deep.equal([2, 0]);
    });

    it('says what cannot be sent, before it sends anything', async () => {
      const { buyer, id } = await client.scene();
      const relay = await openRelay(client.platform.url, []);
      const program = `
def tried(call):
    try: call()
    except ValueError as wrong: print(str(wrong).split(" must")[0].split(" can't")[0])
for url in ("localhost:3000", "", "ftp://x", "${relay.url}/api/v1", "http://u:p@localhost",
            "${relay.url}?x=1", "file:///etc/hosts", None):
    tried(lambda: Market(url))
tried(lambda: Market(key="vnx_a\\nb"))
tried(lambda: Market(user_agent="a\\nb"))
buying = lambda key: m.purchase_product(product_id=${id}, options=CallOptions(idempotency_key=key))
tried(lambda: buying(""))
tried(lambda: buying("a\\nb"))
tried(lambda: m.get_product(product_id=""))
tried(lambda: m.search_assets(query=chr(0xd800)))`;
      try {
        const said = (await client.print(buyer, program, relay.url)).split('\n');
        expect(said.slice(0, 8)).to.deep.equal(Array(8).fill('base_url'));
        expect(said.slice(8, -1)).to.deep.equal([
          'key',
          'user_agent',
          'idempotency_key',
          'idempotency_key',
          'product_id',
        ]);
        expect(said.at(-1)).to.include("'utf-8' codec");
        expect(relay.requests).to.equal(0);
      } finally {
        await relay.close();
      }
      const fine = `m = Market("${client.platform.url}/", "${buyer.key}\\n")`;
      expect(await client.print(buyer, `${fine}; print(m.get_wallet()["currency"])`)).to.equal(
        'USD',
      );
      expect(await client.print(buyer, 'print(list(m.all(m.get_orders, cursor=None)))')).to.equal(
        '[]',
      );
      expect(await client.print(buyer, `print("${buyer.key}" in repr(m._connection))`)).to.equal(
        'False',
      );
    });

    it('reads what a server between answers, and how long that asks to wait', async () => {
      const { buyer } = await client.scene();
      const web = { 'content-type': 'text/html' };
      const relay = await openRelay(client.platform.url, [
        answerWith(502, web, '<html>'),
        answerWith(200, web, '[]'),
      ]);
      const program = `
from agent_marketplace.sending import seconds_asked
m = Market("${relay.url}", "${buyer.key}", attempts=1)
for _ in range(2):
    try: m.get_wallet()
    except Unreachable as lost: print(lost)
print(seconds_asked("7"), seconds_asked("Mon, 01 Jan 2024 00:00:00 GMT"), seconds_asked("soon"))
print(seconds_asked("Fri, 01 Jan 2100 00:00:00 GMT") > 1e9, seconds_asked(chr(178)))`;
      try {
        const said = (status: number) =>
          'get_wallet: the marketplace did not answer: something else did, ' +
          `with status ${status} and no object of JSON`;
        expect((await client.print(buyer, program, relay.url)).split('\n')).to.deep.equal([
          said(502),
          said(200),
          '7.0 0 None',
          'True None',
        ]);
      } finally {
        await relay.close();
      }
    });

    it('has errors that pass between processes', async () => {
      const program = `
import copy, pickle
from agent_marketplace import *
asked = {"poll": "/api/v1/jobs/j", "approval_id": 1, "expires_at": "t"}
errors = (Refused("a", 400, {"error": "x"}), StillPending("a", "j"), ApprovalRequired("a", asked),
    Unreachable("a", "k", "why"), NotVerified("x"))
for error in errors:
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert (type(other), str(other), vars(other)) == (type(error), str(error), vars(error))
print(copy.deepcopy(ABSENT) is pickle.loads(pickle.dumps(ABSENT)) is ABSENT)`;
      expect(await client.python('-c', program)).to.equal('True');
    });
  });
}

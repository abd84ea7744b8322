import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';
import { parse } from 'yaml';

import { openSocksMetrics } from '../../api/socks/records/metrics.ts';
import { TestPlatform } from '../harness.ts';
import { buy, meet, runTimer } from '../orders/trade.ts';
import { ROOT } from '../sources.ts';
import { namesIn } from './promql.ts';
import { Scrape } from './scrape.ts';

const textOf = (path: string) => readFileSync(join(ROOT, 'docs', path), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}
interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}
const rules: readonly Rule[] = parse(textOf('monitoring/alerts.yml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
);
const panels: readonly Panel[] = JSON.parse(textOf('monitoring/grafana_dashboard.json')).panels;
const page = textOf('operations.md');

/** Names that Prometheus adds to a scrape. */
const OF_PROMETHEUS = { metrics: ['up'], labels: ['job', 'instance'] };

const CONNECTIONS = { connections: 10, connectionsPerAgent: 2, connectionsOnCredit: 10 };

describe('monitoring', () => {
  let platform: TestPlatform;
  let scrape: Scrape;
  before(async () => {
    // Rails that are on, whose providers do not answer.
    const env = {
      SANDBOX: 'base,x402',
      EVM_DEPOSIT_ADDRESS: `0x${'12'.repeat(20)}`,
      X402_FACILITATOR_URL: 'http://127.0.0.1:9',
      X402_RPC_URL: 'http://127.0.0.1:9',
      X402_PAY_TO: `0x${'34'.repeat(20)}`,
    };
    platform = await TestPlatform.open({ env });
    await runTimer(platform, 'watch_chains');
    await runTimer(platform, 'watch_balances');
    const { buyer, product } = await meet(platform);
    const key = 'operator-token-of-the-tests';
    const read = async () => new Scrape((await platform.request('GET /metrics', { key })).text);
    await read(); // What moved is counted from the first one on.
    await buy(platform, buyer, product);
    await read();
    scrape = await read();
    // The metrics of the other sort of process.
    const settings = { port: 0, healthPort: undefined, targetPorts: [443], ...CONNECTIONS };
    const ofSocks = new Scrape(await openSocksMetrics(platform.context, settings, () => 0).text());
    for (const [name, type] of ofSocks.types) scrape.types.set(name, type);
    scrape.samples.push(...ofSocks.samples);
  });
  after(() => platform.close());

  /** `market_call_seconds_bucket` is a sample of the histogram `market_call_seconds`. */
  const typeOf = (metric: string) =>
    scrape.types.get(metric) ?? scrape.types.get(metric.replace(/_(bucket|sum|count)$/, ''));

  /** Faults of an expression, in words. */
  function faultsOf(expr: string, where: string): string[] {
    const { metrics, labels } = namesIn(expr);
    const missing = metrics
      .filter((metric) => !OF_PROMETHEUS.metrics.includes(metric) && !typeOf(metric))
      .map((metric) => `${where} names ${metric}, which no process has`);
    const known = new Set([
      ...OF_PROMETHEUS.labels,
      ...scrape.samples
        .filter(({ name }) => metrics.includes(name))
        .flatMap(({ labels: found }) => Object.keys(found)),
    ]);
    const unknown = labels.filter((label) => !known.has(label));
    return [...missing, ...unknown.map((label) => `${where} names the label ${label}`)];
  }

  it('has alerts of what a running platform shows, each with a severity', () => {
    expect(rules.flatMap(({ alert, expr }) => faultsOf(expr, alert))).to.deep.equal([]);
    for (const { alert, labels, annotations } of rules) {
      expect(labels.severity, alert).to.match(/^(page|ticket)$/);
      expect(annotations.summary, alert).to.have.length.greaterThan(10);
    }
    expect(faultsOf('sum(market_no_such_total{queue="x"}) > 0', 'this')).to.have.lengthOf(2);
    expect(() => namesIn('sum(up > 0')).to.throw();
  });

  it('has a dashboard of what a running platform shows', () => {
    const targets = panels.flatMap(({ title, targets: of = [] }) =>
      of.map((target) => ({ title, ...target })),
    );
    expect(targets.length).to.be.greaterThan(20);
    expect(targets.flatMap(({ title, expr }) => faultsOf(expr, title))).to.deep.equal([]);
    for (const { title, expr, legendFormat } of targets) {
      const labels = [...namesIn(expr).labels, ...OF_PROMETHEUS.labels];
      const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
      expect(labels, title).to.include.members(named);
    }
  });

  it('explains every alert and every metric of ours, and no other', () => {
    const named = (text: string, pattern: RegExp) =>
      [...text.matchAll(pattern)].map(([, name]) => name!);
    const explained = named(page, /^\| ([A-Z]\w+) \|/gm);
    expect(explained.toSorted()).to.deep.equal(rules.map(({ alert }) => alert).toSorted());
    const ours = [...scrape.types.keys()].filter((name) => name.startsWith('market_'));
    const metrics = new Set(named(page, /`(market_\w+)`/g));
    expect([...metrics].toSorted()).to.deep.equal(ours.toSorted());
  });
});

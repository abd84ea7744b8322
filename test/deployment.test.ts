import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { localSettings } from '../local/settings.ts';
import { configOf } from '../shared/composition/config.ts';
import { queues } from '../shared/composition/queues.ts';
import { readEnvironment } from '../shared/platform/config/environment.ts';
import { FORMER_NAMES } from '../shared/platform/config/former_names.ts';
import { newMasterKey } from '../shared/platform/config/setting_values.ts';
import { ROOT } from './sources.ts';

const textOf = (name: string) => readFileSync(join(ROOT, name), 'utf8');

/** Settings of .env.example, with its values. */
const shown = Object.fromEntries(
  [...textOf('.env.example').matchAll(/^# ([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(
    ([, name, value]) => [name!, value!] as const,
  ),
);

describe('.env.example', () => {
  /** Settings that `npm start` makes when they are not set. */
  const made = {
    DATABASE_URL: 'postgres://127.0.0.1/market',
    REDIS_URL: 'redis://127.0.0.1',
    OPERATOR_TOKEN: 'a-token-of-24-characters',
    MASTER_KEYS: newMasterKey('example'),
  };
  const read = (settings: object) =>
    readEnvironment((reader) => ({ ...configOf(reader), ...localSettings(reader) }), {
      ...made,
      ...settings,
    });

  it('has no value that would stop the start, alone or with all others', () => {
    // An empty setting is one that is not set.
    const values = Object.entries(shown).filter(([, value]) => value !== '');
    for (const [name, value] of values) {
      expect(() => read({ [name]: value }), name).not.to.throw();
    }
    const { jobs } = read(Object.fromEntries(values));
    expect(jobs.queues.length).to.be.greaterThan(0);
    expect(queues).to.include.members(jobs.queues as typeof queues);
  });
});

describe('docker-compose.yml', () => {
  const compose = textOf('docker-compose.yml');
  const passed = [...compose.matchAll(/^ +([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name!);
  /** Settings of one machine, where `npm start` runs the servers. */
  const LOCAL = ['DATA_DIR', 'EMBEDDED_REDIS', 'WORKERS', 'DEMO', 'DEMO_PROXIES', 'START_LINK'];

  it('passes every setting on', () => {
    const wanted = Object.keys(shown).filter((name) => !LOCAL.includes(name));
    expect(passed).to.include.members(wanted);
  });

  it('passes nothing on that is no setting, by its present or by its former name', () => {
    const others = passed.filter((name) => !(name in shown));
    expect(others).to.have.members(['POSTGRES_PASSWORD', ...Object.keys(FORMER_NAMES)]);
  });

  it('asks every process that stays whether it is well', () => {
    const [, text = ''] = /\nservices:\n([^]*?)\n(?=\w)/.exec(compose) ?? [];
    const services = text.split(/\n {2}(?=\w+:\n)/);
    const unwatched = services.filter((service) => !/^ {4}healthcheck:/m.test(service));
    // It runs once.
    expect(unwatched.map((service) => service.trim().split(':')[0])).to.deep.equal(['release']);
  });
});

describe('deploy/hosts', () => {
  const HOSTS = 'deploy/hosts';
  const files = readdirSync(join(ROOT, HOSTS), { recursive: true, encoding: 'utf8' }).filter(
    (file) => statSync(join(ROOT, HOSTS, file)).isFile(),
  );
  const readme = textOf('deploy/README.md');

  it('names values that its README explains, and no others', () => {
    const named = files.flatMap((file) => textOf(`${HOSTS}/${file}`).match(/\$\{\w+\}/g) ?? []);
    const table = readme.slice(readme.indexOf('## Values'), readme.indexOf('## Versions'));
    const explained = [...table.matchAll(/`([A-Z]+[A-Z0-9_]*)`/g)].map(([, name]) => name!);
    // `DB1` … `DB3` stand for `DB2` too.
    const all = [...explained, 'DB2', 'DB2_CLUSTER'];
    expect(all).to.have.members([...new Set(named.map((name) => name.slice(2, -1)))]);
  });

  it('has each file in the table of its README', () => {
    for (const file of files.map((path) => (path.includes('/') ? 'systemd/' : path))) {
      expect(readme, file).to.include(`\`${file}\``);
    }
  });

  it('has units that start the programs of the Procfile', () => {
    const started = (text: string) =>
      /(?:QUEUES=(\S+).*?)?node (.+)$/ms
        .exec(text)!
        .slice(1)
        .map((part) => part?.split('\n')[0]);
    const procfile = new Map(
      textOf('Procfile')
        .split('\n')
        .map((line) => line.split(/: (.*)/s) as [string, string]),
    );
    for (const name of ['web', 'worker', 'webhooks']) {
      const unit = textOf(`${HOSTS}/systemd/market-${name}.service`);
      expect(started(unit), name).to.deep.equal(started(procfile.get(name)!));
    }
  });
});

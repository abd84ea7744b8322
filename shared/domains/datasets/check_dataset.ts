import { randomBytes } from 'node:crypto';

import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Id, ID_MAX, Input, OneOf, Output, Type } from '../../kernel/schema.ts';
import { oneOf, row } from '../../platform/rows.ts';
import { findDataset, STATUSES, type DatasetStatus } from '../products/dataset/dataset.ts';
import type { UrlDelivery } from './delivery.ts';
import type { FtpDelivery } from './ftp_delivery.ts';
import type { MysqlDelivery } from './mysql_delivery.ts';
import type { CheckFault, DatasetGateway, FileFacts } from './gateway.ts';
import { newPassword } from './grants.ts';
import { activate, fail, openPart, type VersionFacts } from './versions.ts';

/** Longer than the timeout of the gateway. */
const GATHER_MS = 70_000;

/** Checks once, from outside, that the delivery of a version exists and is as described. */
export const checkDataset = operation({
  name: 'check_dataset',
  title: 'Check a dataset',
  summary: 'Internal: checks that the delivery of a dataset version exists.',
  access: 'operator',
  mode: 'job',
  queue: 'network',
  gatherMs: GATHER_MS,
  input: Input({
    dataset_id: Id('The dataset.'),
    version: Type.Integer({ minimum: 1, maximum: ID_MAX, description: 'The version.' }),
  }),
  output: Output({ status: OneOf(STATUSES, 'Status of the version.') }),

  async prepare(tx, { dataset_id, version }): Promise<Delivered | undefined> {
    const dataset = (await findDataset(tx.db, dataset_id))!;
    if ((await statusOf(tx, dataset_id, version)) !== 'checking') return undefined;
    const text = await openPart(tx, dataset, { version });
    return { [dataset.type]: JSON.parse(text!) as unknown } as Delivered;
  },

  async gather({ datasets }, _input, _call, delivery): Promise<VersionFacts | CheckFault | null> {
    if (delivery?.url) return checkUrl(datasets, delivery.url);
    if (delivery?.ftp) return datasets.checkFtp(delivery.ftp);
    return delivery?.mysql ? checkMysql(datasets, delivery.mysql) : null;
  },

  async handle(tx, { dataset_id, version }, facts) {
    const dataset = (await findDataset(tx.db, dataset_id, 'for no key update'))!;
    const status = await statusOf(tx, dataset_id, version);
    if (!facts || status !== 'checking') return { status };
    if ('fault' in facts) await fail(tx, dataset, { version, fault: facts.fault });
    else await activate(tx, dataset, { version, ...facts });
    return { status: 'fault' in facts ? ('failed' as const) : ('active' as const) };
  },

  ends: {
    async onGiveUp(tx, { dataset_id, version }) {
      const dataset = (await findDataset(tx.db, dataset_id, 'for no key update'))!;
      if ((await statusOf(tx, dataset_id, version)) === 'checking') {
        await fail(tx, dataset, {
          version,
          fault: 'The check could not be made. Call rotate_dataset again.',
        });
      }
      return 'fail';
    },
  },
});

async function statusOf({ db }: Tx, id: number, version: number): Promise<DatasetStatus> {
  const { status } = await row(
    db,
    { status: oneOf<DatasetStatus>() },
    'select status from dataset_version where dataset_id = $1 and version = $2',
    [id, version],
  );
  return status;
}

interface Delivered {
  readonly url?: UrlDelivery;
  readonly ftp?: FtpDelivery;
  readonly mysql?: MysqlDelivery;
}

async function checkMysql(
  datasets: DatasetGateway,
  server: MysqlDelivery,
): Promise<VersionFacts | CheckFault> {
  const trial = {
    username: `vnx_trial_${randomBytes(4).toString('hex')}`,
    password: newPassword(),
  };
  return datasets.checkMysql(server, trial);
}

async function checkUrl(
  datasets: DatasetGateway,
  declared: UrlDelivery,
): Promise<VersionFacts | CheckFault> {
  const found = await datasets.fetchUrl(declared.url);
  if ('fault' in found) return found;
  const differing = differenceOf(declared, found);
  if (differing) return { fault: differing };
  return { ...found, content_type: declared.content_type ?? found.content_type };
}

function differenceOf({ sha256, size_bytes }: UrlDelivery, found: FileFacts): string | undefined {
  if (size_bytes !== undefined && size_bytes !== found.size_bytes) {
    return `The file has ${found.size_bytes} bytes, not ${size_bytes}.`;
  }
  if (sha256 !== undefined && sha256 !== found.sha256) {
    return `The SHA-256 of the file is ${found.sha256}, not ${sha256}.`;
  }
  return undefined;
}

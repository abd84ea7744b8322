import { decodeMsgpack, encodeAddress, modelsv2 } from 'algosdk';

import { assemble, TealError } from '../avm/assembler.ts';
import { GENESIS_HASH, GENESIS_ID } from '../genesis.ts';
import { FEE_MIN, type Chain, type TakenTransaction } from '../ledger/chain.ts';
import { Rejected } from '../ledger/rejected.ts';
import { accountOf, type Application } from '../ledger/state.ts';
import {
  accountModel,
  applicationModel,
  assetModel,
  assetParamsModel,
  groupBytes,
  pendingModel,
} from './algod_models.ts';
import { asJson, asMsgpack, asText, type Answer, type Route } from './answer.ts';
import { blockModel, PROTOCOL } from './block_model.ts';
import { defined } from './defined.ts';

/** The node as algod needs it. */
interface Node {
  readonly chain: Chain;
  /** Takes a group, durably. */
  take(bytes: Uint8Array): readonly TakenTransaction[];
  /** Resolves when the round is over, or after some time. */
  over(round: bigint): Promise<void>;
}

/** Rounds after which a node forgets a transaction. Then the indexer knows it. */
const REMEMBERED_ROUNDS = 1_000n;

/** The paths of algod that the SDK uses. */
export function algodRoutes(node: Node): readonly Route[] {
  const { chain } = node;
  const { state } = chain;
  return [
    ['GET', /^\/health$/, () => asText('null')],
    ['GET', /^\/ready$/, () => asText('null')],
    ['GET', /^\/versions$/, () => asJson(VERSION)],
    ['GET', /^\/v2\/status$/, () => status(chain)],
    [
      'GET',
      /^\/v2\/status\/wait-for-block-after\/(\d+)$/,
      async (_, round) => {
        await node.over(BigInt(round!));
        return status(chain);
      },
    ],
    ['GET', /^\/v2\/transactions\/params$/, () => suggestedParams(chain)],
    [
      'POST',
      /^\/v2\/transactions$/,
      ({ body }) => asText(JSON.stringify({ txId: node.take(body)[0]!.id })),
    ],
    ['POST', /^\/v2\/transactions\/simulate$/, ({ body }) => simulate(chain, body)],
    ['GET', /^\/v2\/transactions\/pending$/, () => asMsgpack(waitingModel(chain))],
    ['GET', /^\/v2\/transactions\/pending\/(\w+)$/, (_, id) => pending(chain, id!)],
    ['POST', /^\/v2\/teal\/compile$/, ({ body }) => compile(body.toString())],
    [
      'GET',
      /^\/v2\/accounts\/(\w{58})$/,
      (_, address) => asJson(accountModel(state, address!, chain.lastRound())),
    ],
    [
      'GET',
      /^\/v2\/accounts\/(\w{58})\/assets\/(\d+)$/,
      (_, address, asset) => accountAsset(chain, address!, BigInt(asset!)),
    ],
    [
      'GET',
      /^\/v2\/assets\/(\d+)$/,
      (_, id) => asJson(assetModel(BigInt(id!), found(state.assets.get(BigInt(id!)), 'asset'))),
    ],
    [
      'GET',
      /^\/v2\/applications\/(\d+)$/,
      (_, id) => asJson(applicationModel(BigInt(id!), applicationOf(chain, id!))),
    ],
    [
      'GET',
      /^\/v2\/applications\/(\d+)\/boxes$/,
      (_, id) => asJson(boxNames(applicationOf(chain, id!))),
    ],
    [
      'GET',
      /^\/v2\/applications\/(\d+)\/box$/,
      ({ query }, id) => box(chain, id!, query.get('name') ?? ''),
    ],
    ['GET', /^\/v2\/blocks\/(\d+)$/, (_, round) => block(chain, BigInt(round!))],
  ];
}

const VERSION = new modelsv2.Version({
  build: new modelsv2.BuildVersion({
    branch: 'sandbox',
    buildNumber: 0,
    channel: 'sandbox',
    commitHash: '',
    major: 4,
    minor: 4,
  }),
  genesisHashB64: GENESIS_HASH,
  genesisId: GENESIS_ID,
  versions: ['v2'],
});

const status = (chain: Chain): Answer =>
  asJson(
    new modelsv2.NodeStatusResponse({
      catchupTime: 0,
      lastRound: chain.lastRound(),
      lastVersion: PROTOCOL,
      nextVersion: PROTOCOL,
      nextVersionRound: chain.lastRound() + 1n,
      nextVersionSupported: true,
      stoppedAtUnsupportedRound: false,
      timeSinceLastRound: 0,
    }),
  );

const suggestedParams = (chain: Chain): Answer =>
  asJson(
    new modelsv2.TransactionParametersResponse({
      consensusVersion: PROTOCOL,
      fee: 0,
      genesisHash: GENESIS_HASH,
      genesisId: GENESIS_ID,
      lastRound: chain.lastRound(),
      minFee: FEE_MIN,
    }),
  );

function pending(chain: Chain, id: string): Answer {
  const taken = chain.find(id);
  if (taken && chain.lastRound() - taken.round < REMEMBERED_ROUNDS) {
    return asMsgpack(pendingModel(taken, chain.lastRound()));
  }
  throw new Rejected(
    'could not find the transaction in the transaction pool or in the last 1000 confirmed rounds',
    404,
  );
}

const waitingModel = (chain: Chain) =>
  new modelsv2.PendingTransactionsResponse({
    topTransactions: chain.waiting().map(({ signed }) => signed),
    totalTransactions: chain.waiting().length,
  });

function simulate(chain: Chain, body: Buffer): Answer {
  const request = decodeMsgpack(body, modelsv2.SimulateRequest);
  const txnGroups = request.txnGroups.map((group) => {
    let taken: readonly TakenTransaction[] = [];
    let failureMessage: string | undefined;
    try {
      taken = chain.simulate(groupBytes(group), request.allowEmptySignatures ?? false);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      failureMessage = error.message;
    }
    const txnResults = group.txns.map((txn, n) => {
      const one = taken[n];
      const txnResult = one
        ? pendingModel(one, one.round)
        : new modelsv2.PendingTransactionResponse({ poolError: '', txn });
      return new modelsv2.SimulateTransactionResult({ txnResult });
    });
    const fields = { txnResults, failureMessage, failedAt: failureMessage ? [0] : undefined };
    return new modelsv2.SimulateTransactionGroupResult(defined(fields));
  });
  const lastRound = chain.lastRound();
  return asMsgpack(new modelsv2.SimulateResponse({ lastRound, version: 2, txnGroups }));
}

function compile(source: string): Answer {
  try {
    const { bytes, hash } = assemble(source);
    const result = Buffer.from(bytes).toString('base64');
    return asJson(new modelsv2.CompileResponse({ hash: encodeAddress(hash), result }));
  } catch (error) {
    if (error instanceof TealError) throw new Rejected(error.message);
    throw error;
  }
}

function accountAsset(chain: Chain, address: string, asset: bigint): Answer {
  const holding = accountOf(chain.state, address).holdings.get(asset);
  const params = chain.state.assets.get(asset);
  const isCreator = params?.creator === address;
  if (!holding && !isCreator) throw new Rejected('account asset info not found', 404);
  const fields = {
    round: chain.lastRound(),
    assetHolding: holding && new modelsv2.AssetHolding({ ...holding, assetId: asset }),
    createdAsset: isCreator ? assetParamsModel(params) : undefined,
  };
  return asJson(new modelsv2.AccountAssetResponse(defined(fields)));
}

const boxNames = ({ boxes }: Application) =>
  new modelsv2.BoxesResponse({
    boxes: [...boxes.keys()].map(
      (name) => new modelsv2.BoxDescriptor({ name: Buffer.from(name, 'hex') }),
    ),
  });

/** The name is encoded twice, as `b64%3A…`. */
function box(chain: Chain, application: string, given: string): Answer {
  const name = Buffer.from(decodeURIComponent(given).replace(/^b64:/, ''), 'base64');
  const value = found(applicationOf(chain, application).boxes.get(name.toString('hex')), 'box');
  return asJson(new modelsv2.Box({ name, round: chain.lastRound(), value }));
}

function block(chain: Chain, round: bigint): Answer {
  if (round > chain.lastRound()) throw new Rejected('failed to retrieve information', 404);
  return asMsgpack(new modelsv2.BlockResponse({ block: blockModel(chain, round) }));
}

const applicationOf = (chain: Chain, id: string): Application =>
  found(chain.state.applications.get(BigInt(id)), 'application');

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Rejected(`${what} does not exist`, 404);
  return value;
}

import { crashPoint } from '../../../platform/crash_point.ts';
import { COSTS, type TokenGateway } from '../token_gateway.ts';
import { lookUp, type Finding, type LookUp } from './look_up.ts';
import type { Contract, OpenToken } from './open_tokens.ts';

/** The NFTs of a round, in the order of their numbers, and what there is for them. */
interface Minting {
  readonly nfts: readonly OpenToken[];
  /** Undefined: no contract holds the NFTs of the wallet yet. */
  readonly contract: Contract | undefined;
  readonly spendable: bigint;
}

interface Minted {
  readonly findings: readonly Finding[];
  readonly fault?: string;
  readonly needsContract?: true;
}

/**
 * The result of a round for NFTs. They are minted in a group of transactions, which pass or fail
 * together, and the next group is signed when the one before is there: only then the number of its
 * first is known. The bytes of a group are stored with its first.
 */
export async function mintGroup(tokens: TokenGateway, minting: Minting): Promise<Minted> {
  const { nfts, contract, spendable } = minting;
  if (nfts.length === 0) return { findings: [] };
  const seen = await lookAtGroup(tokens, nfts);
  const findings = seen.map(({ finding }) => finding);
  const toSign = seen.flatMap(({ finding, isToSign }) => (isToSign ? finding.token : []));
  // All of a group that was sent are to be signed again, or none.
  if (toSign.length < nfts.length) return { findings };
  if (!contract) return { findings, needsContract: true };
  const cost = COSTS.nft;
  const isNew = toSign.every(({ transactions }) => transactions.length === 0);
  const affordable = Number(spendable / cost);
  if (affordable < (isNew ? 1 : toSign.length)) {
    return { findings, fault: `It can spend ${spendable} micro-ALGO, and a token needs ${cost}.` };
  }
  const group = toSign.slice(0, affordable);
  const next = (await tokens.supplyOf(contract.app_id)) + 1;
  const moved = group.find(
    ({ number, contract_id }, at) =>
      (number ?? next + at) !== next + at || (contract_id ?? contract.id) !== contract.id,
  );
  if (moved) {
    const { id, number } = moved;
    return {
      findings,
      fault: `NFT ${id} was signed as number ${number}, and the next is ${next}.`,
    };
  }
  const signed = await tokens.mint(
    contract.app_id,
    group.map(({ key, address, uri }, at) => ({
      key,
      number: next + at,
      address: address!,
      uri: uri!,
    })),
  );
  crashPoint(
    'T0',
    group.map(({ id }) => String(id)),
  );
  const { txIds, bytes, lastValid } = signed;
  const stored = group.map((token, at) => ({
    token,
    signed: { txId: txIds[at]!, bytes: at === 0 ? bytes : '', lastValid },
    place: { contractId: contract.id, number: next + at },
  }));
  return { findings: [...findings, ...stored] };
}

/** Looks for the first of a group: the others passed with it, or can no more pass either. */
async function lookAtGroup(
  tokens: TokenGateway,
  nfts: readonly OpenToken[],
): Promise<readonly LookUp[]> {
  const [first, ...others] = nfts;
  if (!first) return [];
  const seen = await lookUp(tokens, first);
  const { fate, isGivenUp } = seen.finding;
  const attempt =
    fate?.status === 'confirmed'
      ? first.transactions.findIndex(({ tx_id }) => tx_id === fate.txId)
      : -1;
  const followers: LookUp[] = [];
  for (const token of others) {
    const isTogether = token.transactions.length === first.transactions.length;
    // One that an older release has signed alone is looked for alone.
    if (!isTogether) followers.push(await lookUp(tokens, token));
    else if (fate?.status === 'confirmed') {
      const txId = token.transactions[attempt]!.tx_id;
      followers.push({ finding: { token, fate: { ...fate, txId } }, isToSign: false });
    } else {
      const finding = {
        token,
        ...(fate && { fate }),
        ...(isGivenUp && { isGivenUp }),
      };
      followers.push({ finding, isToSign: seen.isToSign });
    }
  }
  return [seen, ...followers];
}

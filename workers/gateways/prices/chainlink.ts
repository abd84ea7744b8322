import { ONE, textOf } from '../../../shared/domains/deposits/chain/decimal.ts';
import type { ChainlinkSettings } from '../../../shared/domains/deposits/prices/settings.ts';
import { openJsonRpc } from '../rpc/json_rpc.ts';
import { openProfiles } from '../rpc/profiles.ts';
import type { Question } from '../rpc/question.ts';
import { shareAnswers } from './shared_answers.ts';
import { partOf, type PriceSource, type Quote } from './source.ts';

/** Ethereum. On other chains a feed may stand still while the sequencer is down. */
const CHAIN_ID = 1;
/** `decimals()` and `latestRoundData()` of AggregatorV3Interface. */
const DECIMALS = '0x313ce567';
const LATEST_ROUND = '0xfeaf968c';
const WORD_DIGITS = 64;
/** Age of a block after which the provider is stale. A block takes 12 s. */
const BLOCK_AGE_SECONDS_MAX = 300;
const ANSWER_MS_MAX = 5_000;
const DECIMALS_MAX = 18;

/** Feeds of Chainlink, as a node of Ethereum has them: https://docs.chain.link/data-feeds. */
export function openChainlink(
  { rpcUrl, feeds }: ChainlinkSettings,
  profiles = openProfiles(),
): PriceSource {
  const rpc = openJsonRpc(rpcUrl, {
    answerMsMax: ANSWER_MS_MAX,
    profile: profiles.of(rpcUrl),
  });
  const read = shareAnswers(async (address) => {
    const call = (data: string): Question => ['eth_call', [{ to: address, data }, 'latest']];
    const [chain, block, decimals, round] = await rpc.askAll([
      ['eth_chainId', []],
      ['eth_getBlockByNumber', ['latest', false]],
      call(DECIMALS),
      call(LATEST_ROUND),
    ]);
    if (Number(chain) !== CHAIN_ID) throw new Error('its provider is not of Ethereum');
    const age = Date.now() / 1_000 - Number(partOf(block, 'timestamp'));
    if (!(age <= BLOCK_AGE_SECONDS_MAX)) throw new Error('its provider stands still');
    return { decimals: wordsIn(decimals, 1)[0]!, round: wordsIn(round, 5) };
  });
  return {
    name: 'chainlink',
    quoteOf(sign) {
      const feed = feeds.get(sign);
      if (!feed) return undefined;
      return read(feed.address).then((said) => ({ ...quoteIn(said), ageMaxMs: feed.ageMaxMs }));
    },
  };
}

function quoteIn({ decimals, round }: { decimals: bigint; round: readonly bigint[] }): Quote {
  const [roundId, answer, , updatedAt] = round as [bigint, bigint, bigint, bigint, bigint];
  // An incomplete round has no time.
  if (roundId === 0n || updatedAt === 0n) throw new Error('has no complete round');
  if (decimals > DECIMALS_MAX) throw new Error(`has ${decimals} decimals`);
  // The value is signed: a negative number has the highest bit set.
  if (answer === 0n || answer >> 255n === 1n) throw new Error('has no positive price');
  const price = textOf((answer * ONE) / 10n ** decimals);
  return { price, at: new Date(Number(updatedAt) * 1_000) };
}

/** The words of a contract's answer. An address without a contract answers nothing. */
function wordsIn(answer: unknown, count: number): bigint[] {
  const digits = typeof answer === 'string' ? answer.slice(2) : '';
  if (digits.length !== count * WORD_DIGITS) throw new Error('is no feed');
  return Array.from({ length: count }, (_, word) =>
    BigInt(`0x${digits.slice(word * WORD_DIGITS, (word + 1) * WORD_DIGITS)}`),
  );
}

import { expect } from 'chai';

import { judged, JUDGEMENTS, repliesIn, type KnownReply } from './replies.ts';

/** The share that is judged right, and those that are charged wrongly. */
function judge(replies: readonly KnownReply[]) {
  const wrong = replies.filter(({ text, meaning }) => judged(text) !== meaning);
  const charged = wrong.filter(({ text }) => judged(text) !== 'unknown');
  const right = replies.length - wrong.length;
  console.log(`      ${right} of ${replies.length} are judged right`);
  return { share: right / replies.length, charged: charged.map(({ text }) => text) };
}

describe('replies of mail systems', () => {
  const documented = repliesIn('corpus.tsv');
  const others = repliesIn('held_out.tsv');

  it('are many, of each meaning, and say where they are documented', () => {
    expect(documented.length).to.be.at.least(500);
    expect(others.length).to.be.at.least(200);
    const texts = [...documented, ...others].map(({ text }) => text);
    expect(new Set(texts).size).to.equal(texts.length);
    for (const meaning of JUDGEMENTS) {
      expect(documented.filter((reply) => reply.meaning === meaning).length).to.be.at.least(14);
    }
    expect(documented.filter(({ source }) => source === undefined)).to.deep.equal([]);
    expect(new Set([...documented, ...others].map(({ meaning }) => meaning))).to.deep.equal(
      new Set(JUDGEMENTS),
    );
  });

  it('are judged right where rules were made for them, and none is charged wrongly', () => {
    const { share, charged } = judge(documented);
    expect(charged).to.deep.equal([]);
    expect(share).to.be.at.least(0.99);
  });

  it('are judged right where no rule was made for them, and none is charged wrongly', () => {
    const { share, charged } = judge(others);
    expect(charged).to.deep.equal([]);
    expect(share).to.be.at.least(0.98);
  });
});

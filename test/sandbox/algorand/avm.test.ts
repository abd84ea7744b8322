// test:all: the own test of a double.
import algosdk from 'algosdk';
import { expect } from 'chai';

import { assemble } from '../../../sandbox/algorand/avm/assembler.ts';
import { run, withoutInstruction } from '../../../sandbox/algorand/avm/run.ts';
import type { ProgramCall } from '../../../sandbox/algorand/program.ts';

const ACCOUNT = algosdk.generateAccount().addr;
const BOX = Buffer.from('box').toString('hex');

function callOf(source: string, budget = { left: 700 }): ProgramCall {
  const call = algosdk.makeApplicationNoOpTxnFromObject({
    sender: ACCOUNT,
    appIndex: 7n,
    appArgs: [Buffer.from('one'), Buffer.from('two')],
    boxes: [{ appIndex: 0, name: Buffer.from('box') }],
    suggestedParams: {
      fee: 1_000n,
      flatFee: true,
      minFee: 1_000n,
      firstValid: 5n,
      lastValid: 9n,
      genesisHash: new Uint8Array(32),
      genesisID: 'a test',
    },
  });
  return {
    program: assemble(source).bytes,
    group: [call],
    index: 0,
    application: {
      id: 7n,
      address: algosdk.getApplicationAddress(7n),
      creator: ACCOUNT,
      ints: 1,
      byteSlices: 1,
    },
    isCreation: false,
    round: 6n,
    timestamp: 1_700_000_000n,
    genesisHash: new Uint8Array(32),
    budget,
    global: new Map(),
    boxes: new Map(),
    boxNames: new Set([BOX]),
  };
}

const program = (lines: string) => `#pragma version 11\n${lines.split('; ').join('\n')}\n`;
/** The log, in hex, where it passes. */
const logged = (lines: string) =>
  run(callOf(program(`${lines}; log; pushint 1; return`))).logs.map((log) =>
    Buffer.from(log).toString('hex'),
  );
const numbered = (lines: string) => BigInt(`0x${logged(`${lines}; itob`)[0]}`);
const failing = (lines: string, budget?: { left: number }) =>
  expect(() => run(callOf(program(lines), budget)), lines);

describe('the machine that runs programs of Algorand applications', () => {
  it('has each of its opcodes', () => {
    expect(withoutInstruction()).to.deep.equal([]);
  });

  it('calculates with numbers of 64 bits, and with longer ones as bytes', () => {
    for (const [lines, result] of [
      ['pushint 7; pushint 3; -', 4n],
      ['pushint 7; pushint 3; /', 2n],
      ['pushint 7; pushint 3; %', 1n],
      ['pushint 7; pushint 3; &', 3n],
      ['pushint 7; pushint 3; ^', 4n],
      ['pushint 2; pushint 63; exp', 2n ** 63n],
      ['pushint 1; pushint 63; shl; pushint 1; shl', 0n],
      ['pushint 18446744073709551615; sqrt', 4_294_967_295n],
      ['pushint 0; ~', 2n ** 64n - 1n],
      ['pushint 18446744073709551615; pushint 2; mulw; pop', 1n],
      ['pushint 1; pushint 0; pushint 2; divw', 2n ** 63n],
      ['pushint 300; bitlen', 9n],
      ['pushbytes 0x0100; btoi', 256n],
      ['pushbytes 0x010203; pushint 1; extract_uint16', 0x0203n],
      ['pushbytes 0x80; pushint 0; getbit', 1n],
      ['pushint 1; pushint 0; getbit', 1n],
      ['pushint 5; pushint 0; pushint 0; setbit', 4n],
      ['pushint 4; pushint 5; pushint 1; select', 5n],
      ['pushint 4; pushint 5; pushint 6; cover 2; pop', 4n],
      ['pushint 4; pushint 5; pushint 6; uncover 2', 4n],
      ['pushint 4; pushint 5; pushint 6; bury 2; pop', 6n],
      ['pushint 9; store 3; load 3', 9n],
      ['pushints 1 2 3; dig 2', 1n],
      ['txn FirstValid; global Round; +', 11n],
      ['txn ApplicationID', 7n],
      ['pushint 1; txnas ApplicationArgs; pushbytes "two"; ==', 1n],
    ] as const) {
      expect(numbered(lines), lines).to.equal(result);
    }
    for (const [lines, result] of [
      ['pushbytes 0xff; pushbytes 0x01; b+', '0100'],
      ['pushbytes 0x0100; pushbytes 0x01; b-', 'ff'],
      ['pushbytes 0x00; pushbytes 0x00; b*', ''],
      ['pushbytes 0x0f; pushbytes 0xf000; b|', 'f00f'],
      ['pushbytes 0x0f; b~', 'f0'],
      ['pushbytes 0x010203; extract 1 0', '0203'],
      ['pushbytes 0x010203; substring 0 2', '0102'],
      ['pushbytes 0x010203; pushbytes 0xff; replace2 1', '01ff03'],
      ['pushbytes 0x00; pushint 7; pushint 1; setbit', '01'],
      [
        'pushbytes "box"; pushint 4; box_create; pop; pushbytes "box"; pushint 1; pushint 0; ' +
          'pushbytes 0xaabb; box_splice; pushbytes "box"; box_get; pop',
        '00aabb00',
      ],
    ] as const) {
      expect(logged(lines), lines).to.deep.equal([result]);
    }
  });

  it('jumps, counts and returns', () => {
    const loop = 'pushint 0; again:; pushint 1; +; dup; pushint 5; <; bnz again';
    expect(numbered(loop)).to.equal(5n);
    const call =
      'pushint 4; pushint 5; callsub sum; b end; ' +
      'sum:; proto 2 1; pushint 100; frame_dig -2; frame_dig -1; +; retsub; end:';
    expect(numbered(call)).to.equal(9n);
    expect(numbered('pushint 2; switch a b c; a:; err; b:; err; c:; pushint 8')).to.equal(8n);
    const match = 'pushbytess 0x01 0x02; pushbytes 0x02; match a b; err; a:; err; b:; pushint 3';
    expect(numbered(match)).to.equal(3n);
  });

  it('stops a program that does what it may not', () => {
    for (const [lines, why] of [
      ['pushint 0', /rejected/],
      ['pushint 1; pushint 1', /something else than one number/],
      ['pushbytes 0x01', /something else than one number/],
      ['err', /gave up \(err at byte 1\)/],
      ['pushint 0; assert', /asserts is not so/],
      ['pushint 1; pushint 2; -', /no number of 64 bits/],
      ['pushint 1; pushint 0; /', /division by 0/],
      ['pushbytes 0x01; pushint 1; +', /found bytes|found a number|takes a number/],
      ['pushbytes 0x01; pushint 1; ==', /compares bytes with a number/],
      ['pop', /not on the stack/],
      ['again:; pushint 1; b again', /stack overflow|budget/],
      ['pushint 4097; bzero', /asks for 4097 bytes/],
      ['pushbytes 0x0102; extract 1 2', /up to 3 of 2/],
      ['pushbytes "other"; box_len', /no transaction refers to the box/],
      ['pushint 65; bzero; box_len', /1 to 64/],
      ['pushbytes "box"; pushint 1025; box_create', /too few to write/],
      ['pushbytes "box"; pushint 0; pushint 1; box_extract', /there is no box/],
      [
        'pushbytes "box"; pushbytes 0x01; box_put; pushbytes "box"; pushbytes 0x; box_put',
        /1 bytes/,
      ],
      [
        'pushbytes "a"; pushint 1; app_global_put; pushbytes "b"; pushint 1; app_global_put',
        /schema/,
      ],
      ['pushint 1025; bzero; log', /logs too much/],
      ['txna ApplicationArgs 2', /no argument 2/],
      ['retsub', /in no subroutine/],
      ['callsub a; a:; proto 1 0', /not on the stack/],
      ['txn VotePK', /no field VotePK/],
    ] as const) {
      failing(lines).to.throw(why);
    }
    const later = { ...callOf(program('err')), program: Uint8Array.of(7, 0xbe) };
    expect(() => run(later)).to.throw(/box_get is of a later version/);
    const unknown = { ...later, program: Uint8Array.of(11, 0xe0) };
    expect(() => run(unknown)).to.throw(/no opcode 0xe0/);
    expect(() => run({ ...later, program: Uint8Array.of(99) })).to.throw(/version 99/);
    expect(() => run({ ...later, program: Uint8Array.of(11, 0x81) })).to.throw(/ends inside/);
  });

  it('counts what instructions cost over all calls of a group', () => {
    const hash = 'pushbytes 0x01; sha256; pop; pushint 1';
    const budget = { left: 80 };
    run(callOf(program(hash), budget));
    expect(budget.left).to.equal(80 - 1 - 35 - 1 - 1);
    failing(hash, budget).to.not.throw();
    failing(hash, budget).to.throw(/budget/);
  });

  it('assembles no line that it does not know', () => {
    for (const [lines, why] of [
      ['int 1', /line 2: there is no opcode int here/],
      ['pushint', /lacks an operand/],
      ['pushint 1 2', /an operand too many/],
      ['pushint 18446744073709551616', /no number of 64 bits/],
      ['dig 256', /from 0 to 255/],
      ['b nowhere', /line 2: no label nowhere/],
      ['a:; a:', /line 3: the label a is there twice/],
      ['txn Nothing', /no field Nothing/],
      ['pushbytes hello', /neither 0x/],
    ] as const) {
      expect(() => assemble(program(lines)), lines).to.throw(why);
    }
    expect(() => assemble('#pragma version 7\nbox_get')).to.throw(/box_get is of version 8/);
    expect(() => assemble('pushint 1')).to.throw(/#pragma version/);
  });
});

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { expect } from 'chai';

import { ROOT } from '../sources.ts';

/** A contract of a Solidity file in the checkout, by the pinned compiler; takes some seconds. */
export function compiled(file: string, contract: string) {
  const { abi, evm } = contractsIn(file)[contract];
  const { bytecode, deployedBytecode } = evm;
  return { abi, bytecode: `0x${bytecode.object}`, deployed: `0x${deployedBytecode.object}` };
}

const known = new Map<string, ReturnType<typeof compile>>();

function contractsIn(file: string) {
  if (!known.has(file)) known.set(file, compile(file));
  return known.get(file);
}

function compile(file: string) {
  const content = readFileSync(join(ROOT, file), 'utf8');
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const settings = {
    optimizer: { enabled: true, runs: 200 },
    viaIR: true, // Some functions have more values than the stack that the EVM can reach.
    evmVersion: 'cancun',
    metadata: { appendCBOR: false, bytecodeHash: 'none' },
    outputSelection: {
      '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] },
    },
  };
  const input = { language: 'Solidity', sources: { [file]: { content } }, settings };
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input)));
  expect(errors).to.deep.equal([]);
  return contracts[file];
}

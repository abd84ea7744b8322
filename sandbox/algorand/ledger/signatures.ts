import { createPublicKey, verify } from 'node:crypto';

import { decodeAddress, encodeAddress, multisigAddress, type SignedTransaction } from 'algosdk';

import { rejected } from './rejected.ts';

/** DER prefix of the 32 bytes of an ed25519 key. */
const ED25519_DER = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Refuses a transaction that `signer` has not signed: with its key, or with as many keys as a
 * multisig account needs. Signing programs (LogicSig) and Falcon signatures are not accepted here.
 */
export function assertSigned(signed: SignedTransaction, signer: string): void {
  const { txn, sig, msig, lsig, pqsig, sgnr } = signed;
  const kinds = [sig, msig, lsig, pqsig].filter(Boolean).length;
  if (kinds !== 1) throw rejected('signedtxn has no sig, or more than one');
  const claimed = (sgnr ?? txn.sender).toString();
  if (claimed !== signer) {
    throw rejected(
      `transaction ${txn.txID()}: should have been authorized by ${signer} but was actually ` +
        `authorized by ${claimed}`,
    );
  }
  if (sig) assertSignature(decodeAddress(signer).publicKey, txn.bytesToSign(), sig);
  else if (msig) assertMultisig(signed, signer);
  else throw rejected('this sandbox takes no logic signatures and none by Falcon');
}

function assertMultisig({ txn, msig }: SignedTransaction, signer: string): void {
  const { v: version, thr: needed, subsig } = msig!;
  const addrs = subsig.map(({ pk }) => encodeAddress(pk));
  if (multisigAddress({ version, threshold: needed, addrs }).toString() !== signer) {
    throw rejected('multisig: address does not match its keys');
  }
  const given = subsig.filter(({ s }) => s !== undefined);
  if (given.length < needed) {
    throw rejected(`multisig: ${given.length} signatures of ${needed} that are needed`);
  }
  for (const { pk, s } of given) assertSignature(pk, txn.bytesToSign(), s!);
}

function assertSignature(key: Uint8Array, message: Uint8Array, signature: Uint8Array): void {
  const der = Buffer.concat([ED25519_DER, key]);
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
  if (verify(null, message, publicKey, signature)) return;
  throw rejected("At least one signature didn't pass verification");
}

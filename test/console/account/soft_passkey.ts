import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

import type { TestPlatform } from '../../harness.ts';

/** A device's report of one use, as WebAuthn orders it. */
interface Use {
  readonly challenge: Uint8Array;
  readonly counter?: number;
  readonly origin?: string;
  readonly party?: string;
  readonly type?: string;
  /** User present and verified (0x05). */
  readonly flags?: number;
  readonly handle?: string;
}

export const ORIGIN = 'http://localhost:3000';

/** A passkey of an owner whose private half is in the test, which may say anything with it. */
export class SoftPasskey {
  readonly id = randomBytes(16).toString('base64url');
  readonly #privateKey: KeyObject;
  readonly #publicKey: Buffer;
  readonly #agentId: number;

  constructor(agentId: number) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = publicKey.export({ format: 'jwk' });
    this.#agentId = agentId;
    this.#privateKey = privateKey;
    // COSE (RFC 9053): {1: EC2, 3: ES256, -1: P-256, -2: x, -3: y}.
    this.#publicKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x!, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y!, 'base64url'),
    ]);
  }

  async keep(platform: TestPlatform, counter = 0): Promise<this> {
    await platform.query(
      `insert into passkey (agent_id, credential_id, public_key, counter, transports, name)
       values ($1, $2, $3, $4, '{}', 'soft')`,
      [this.#agentId, this.id, this.#publicKey, counter],
    );
    return this;
  }

  /** The field that a form is sent with. */
  answer(use: Use): string {
    const { challenge, counter = 0, origin = ORIGIN, party = 'localhost', flags = 0x05 } = use;
    const said = {
      type: use.type ?? 'webauthn.get',
      challenge: Buffer.from(challenge).toString('base64url'),
      origin,
      crossOrigin: false,
    };
    const client = Buffer.from(JSON.stringify(said));
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const data = Buffer.concat([digest(Buffer.from(party)), Buffer.from([flags]), count]);
    const signature = sign('sha256', Buffer.concat([data, digest(client)]), this.#privateKey);
    const handle = use.handle ?? `owner-${this.#agentId}`;
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: Buffer.from(handle).toString('base64url'),
      },
    });
  }
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

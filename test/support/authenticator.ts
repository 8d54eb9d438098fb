import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const HAS_CREDENTIAL = 0x40;

const hash = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** What an authenticator or a page may do wrong. */
export interface Deviations {
  origin?: string;
  domain?: string;
  challenge?: string;
  type?: string;
  crossOrigin?: boolean;
  isUserVerified?: boolean;
  counter?: number;
  credentialId?: string;
  userHandle?: string;
  attestationStatement?: Map<string, unknown>;
  attestationFormat?: string;
}

/** An authenticator with one ES256 passkey, which answers the options of a site with real signatures. */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32).toString('base64url');
  /** Count of uses. A synchronized passkey stays at 0. */
  counter = 0;
  #userHandle = '';
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Returns the JSON of a new credential for the creation options in `nonce`. */
  create(nonce: string, deviations: Deviations = {}): string {
    const { challenge, user } = JSON.parse(nonce) as { challenge: string; user: { id: string } };
    this.#userHandle = user.id;
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const decode = (text: string | undefined) => new Uint8Array(Buffer.from(text ?? '', 'base64url'));
    const publicKey = isoCBOR.encode(
      new Map<number, number | Uint8Array<ArrayBuffer>>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, decode(x)],
        [-3, decode(y)],
      ]),
    );
    const id = Buffer.from(this.credentialId, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const authData = Buffer.concat([
      this.#createAuthenticatorData(HAS_CREDENTIAL, deviations),
      Buffer.alloc(16),
      length,
      id,
      publicKey,
    ]);
    const attestation = new Map<string, unknown>([
      ['fmt', deviations.attestationFormat ?? 'none'],
      ['attStmt', deviations.attestationStatement ?? new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return this.#toJson(deviations, {
      clientDataJSON: this.#createClientData('webauthn.create', challenge, deviations).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
      transports: ['internal', 'hybrid', 'unknown'],
    });
  }

  /** Returns the JSON of a signature for the request options in `nonce`. */
  sign(nonce: string, deviations: Deviations = {}): string {
    const { challenge } = JSON.parse(nonce) as { challenge: string };
    const authData = this.#createAuthenticatorData(0, deviations);
    const clientData = this.#createClientData('webauthn.get', challenge, deviations);
    const signature = sign('sha256', Buffer.concat([authData, hash(clientData)]), this.#keys.privateKey);
    return this.#toJson(deviations, {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: deviations.userHandle ?? this.#userHandle,
    });
  }

  #createAuthenticatorData(flags: number, deviations: Deviations): Buffer {
    const { isUserVerified = true, counter = this.counter, domain = new URL(this.#origin).hostname } = deviations;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const allFlags = flags | USER_PRESENT | BACKUP_ELIGIBLE | BACKED_UP | (isUserVerified ? USER_VERIFIED : 0);
    return Buffer.concat([hash(domain), Buffer.from([allFlags]), count]);
  }

  #createClientData(type: string, challenge: string, deviations: Deviations): Buffer {
    const fields = { type, challenge, origin: this.#origin, crossOrigin: deviations.crossOrigin ?? false };
    const { origin = fields.origin, challenge: otherChallenge = challenge, type: otherType = type } = deviations;
    return Buffer.from(JSON.stringify({ ...fields, type: otherType, challenge: otherChallenge, origin }));
  }

  #toJson({ credentialId: id = this.credentialId }: Deviations, response: object): string {
    return JSON.stringify({ id, rawId: id, type: 'public-key', response });
  }
}

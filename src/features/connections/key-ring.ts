import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Location of a ciphertext. Decryption fails in any other location. */
export interface EncryptionContext {
  table: string;
  /** Null if the row has no member. */
  idpId: string | null;
  row: string;
  field: string;
}

/** Thrown if no key of the ring decrypts a ciphertext, or if the ciphertext belongs to another location. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
}

export interface KeyRing {
  encrypt(text: string, context: EncryptionContext): Buffer;
  /** Throws `DecryptionError`. */
  decrypt(ciphertext: Buffer, context: EncryptionContext): string;
  /** Returns whether the current key encrypted the text. */
  isCurrent(ciphertext: Buffer): boolean;
  /** Returns whether one of the keys encrypted the text. */
  hasKeyOf(ciphertext: Buffer): boolean;
  /** Id of each key, which is the bytes 2 to 5 of its ciphertexts. */
  keyIds: readonly Buffer[];
}

const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

/**
 * Creates a key ring with AES-256-GCM and a random nonce: version (1 byte), key id (4), nonce (12), ciphertext, tag
 * (16). The ciphertext is bound to its location. The current key encrypts, and all keys decrypt. A key has 64
 * hexadecimal characters.
 */
export function createKeyRing(current: string, previous: readonly string[] = []): KeyRing {
  const keys = [current, ...previous].map((hex) => {
    const key = Buffer.from(hex, 'hex');
    return { key, id: createHash('sha256').update('tally key id').update(key).digest().subarray(0, KEY_ID_BYTES) };
  });
  const [currentKey] = keys;
  return {
    encrypt(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', currentKey!.key, nonce).setAAD(toAdditionalData(context));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), currentKey!.id, nonce, ciphertext, cipher.getAuthTag()]);
    },
    decrypt(ciphertext, context) {
      const matchingKey = keys.find(({ id }) => id.equals(readKeyId(ciphertext)));
      if (ciphertext[0] !== VERSION || !matchingKey || ciphertext.length < HEADER_BYTES + TAG_BYTES)
        throw new DecryptionError(`No key decrypts ${context.table}.${context.field}.`);
      const decipher = createDecipheriv(
        'aes-256-gcm',
        matchingKey.key,
        ciphertext.subarray(1 + KEY_ID_BYTES, HEADER_BYTES),
      )
        .setAAD(toAdditionalData(context))
        .setAuthTag(ciphertext.subarray(-TAG_BYTES));
      try {
        return (
          decipher.update(ciphertext.subarray(HEADER_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
        );
      } catch {
        throw new DecryptionError(`${context.table}.${context.field} was changed or moved since its encryption.`);
      }
    },
    keyIds: keys.map(({ id }) => id),
    hasKeyOf: (ciphertext) => keys.some(({ id }) => id.equals(readKeyId(ciphertext))),
    isCurrent: (ciphertext) => ciphertext[0] === VERSION && currentKey!.id.equals(readKeyId(ciphertext)),
  };
}

const readKeyId = (ciphertext: Buffer): Buffer => ciphertext.subarray(1, 1 + KEY_ID_BYTES);

const toAdditionalData = ({ table, idpId, row, field }: EncryptionContext): Buffer =>
  Buffer.from([table, idpId ?? '', row, field].join('|'));

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Where a sealed text stands; opened anywhere else it is refused. */
export interface SealedPlace {
  table: string;
  /** Null where the row names no member. */
  idpId: string | null;
  row: string;
  field: string;
}

/** A sealed text that no key of the ring opens, or that stands where it was not sealed for. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen';
}

export interface KeyRing {
  seal(text: string, place: SealedPlace): Buffer;
  /** Throws `CannotOpen`. */
  open(sealed: Buffer, place: SealedPlace): string;
  /** Whether the current key sealed it. */
  isCurrent(sealed: Buffer): boolean;
}

const VERSION = 1;
const [KEY_ID, NONCE, TAG] = [4, 12, 16];
const HEAD = 1 + KEY_ID + NONCE;

/**
 * AES-256-GCM with a random nonce: version (1 byte), key id (4), nonce (12), ciphertext, tag (16). What is sealed is
 * bound to its place. The first key seals, all of them open. A key has 64 hexadecimal characters.
 */
export function createKeyRing(current: string, previous: readonly string[] = []): KeyRing {
  const keys = [current, ...previous].map((hex) => {
    const key = Buffer.from(hex, 'hex');
    return { key, id: createHash('sha256').update('tally key id').update(key).digest().subarray(0, KEY_ID) };
  });
  const [first] = keys;
  return {
    seal(text, place) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', first!.key, nonce).setAAD(nameOf(place));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), first!.id, nonce, body, cipher.getAuthTag()]);
    },
    open(sealed, place) {
      const found = keys.find(({ id }) => id.equals(keyIdOf(sealed)));
      if (sealed[0] !== VERSION || !found || sealed.length < HEAD + TAG)
        throw new CannotOpen(`No key of the ring opens ${place.table}.${place.field}.`);
      const decipher = createDecipheriv('aes-256-gcm', found.key, sealed.subarray(1 + KEY_ID, HEAD))
        .setAAD(nameOf(place))
        .setAuthTag(sealed.subarray(-TAG));
      try {
        return decipher.update(sealed.subarray(HEAD, -TAG), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw new CannotOpen(`${place.table}.${place.field} was changed, or stands where it was not sealed for.`);
      }
    },
    isCurrent: (sealed) => sealed[0] === VERSION && first!.id.equals(keyIdOf(sealed)),
  };
}

const keyIdOf = (sealed: Buffer): Buffer => sealed.subarray(1, 1 + KEY_ID);

const nameOf = ({ table, idpId, row, field }: SealedPlace): Buffer =>
  Buffer.from([table, idpId ?? '', row, field].join('|'));

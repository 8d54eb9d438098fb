import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

type IdPrefix = 'user' | 'idn' | 'client' | 'sess' | 'sit' | 'sia' | 'sua' | 'ins' | 'msg' | 'tok';

/** A fresh id in the hosted provider's form: prefix, underscore, 27 letters and digits (about 160 random bits). */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomLetters(27)}`;
}

/** `length` letters and digits, each equally likely. */
export function randomLetters(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

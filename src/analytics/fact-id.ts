import { createHash } from 'node:crypto';

/** Of this house alone: made once, at random. */
const NAMESPACE = Buffer.from('6f1d3c0e9a744b0f8c5b2f6d1e0a7c93', 'hex');

/** A UUID of version 5: the same name has the same id in every process. */
export function factId(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}

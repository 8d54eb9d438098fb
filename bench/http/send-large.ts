/**
 * Sends 32 MB bodies one after the other until standard input ends; says when the first is counted and, at the end, how
 * many.
 */
import { mediaBody, textBody } from './bodies.ts';
import { load } from './load.ts';

const [url, key, kind] = process.argv.slice(2);
const target = { url: url!, key };
const bodies = Array.from({ length: 3 }, () => (kind === 'media' ? mediaBody : textBody)(31.5 * 1024 * 1024));
let over = false;
process.stdin.on('end', () => (over = true)).resume();
let sent = 0;
for (; !over; sent += 1) {
  const { failures } = await load(target, [bodies[sent % bodies.length]!], 1);
  if (failures > 0) throw new Error('a large body was refused');
  if (sent === 0) console.log('first');
}
console.log(`${sent} large bodies`);

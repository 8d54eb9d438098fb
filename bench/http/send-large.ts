/**
 * Sends 32 MB bodies one after another until standard input ends. Prints when the first is counted, and finally the
 * number of bodies.
 */
import { mediaBody, textBody } from './bodies.ts';
import { load } from './load.ts';

const [url, key, kind] = process.argv.slice(2);
const target = { url: url!, key };
const bodies = Array.from({ length: 3 }, () => (kind === 'media' ? mediaBody : textBody)(31.5 * 1024 * 1024));
let isStopped = false;
process.stdin.on('end', () => {
  isStopped = true;
});
process.stdin.resume();
let sentCount = 0;
for (; !isStopped; sentCount += 1) {
  await load(target, [bodies[sentCount % bodies.length]!], 1);
  if (sentCount === 0) console.log('first');
}
console.log(`${sentCount} large bodies`);

/**
 * `npm run lab -- contract-fuzz [--requests 4000] [--seed n]`: sends requests that are made of docs/openapi.json, half
 * of them with something that it does not ask for, to every operation of a local service: as three members, a viewer of
 * the demo account, the operators and a key's holder, a forger and nobody. Each answer must be one that the document
 * describes, no 5xx but 503, without another member's data, a secret or words of the program, a refusal with code and
 * message; and the rows of somebody who never asks stay as they are. Prints each finding once and ends with 1.
 */
import { parseArgs } from 'node:util';
import { fuzzContract } from '../test/support/contract-fuzz/run.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '4000' }, seed: { type: 'string' } },
});
const [requests, seed] = [Number(values.requests), Number(values.seed ?? Date.now() % 1_000_000)];
if (!Number.isSafeInteger(requests) || requests < 1 || !Number.isSafeInteger(seed)) {
  console.error('--requests and --seed are whole numbers.');
  process.exit(2);
}
const from = performance.now();
const { findings, statuses, succeeded, neverSucceeded } = await fuzzContract({ requests, seed });
for (const finding of findings) console.log(`WRONG  ${finding}`);
console.log(
  `${requests} requests from seed ${seed} in ${Math.round((performance.now() - from) / 1_000)} s: ` +
    `${JSON.stringify(statuses)}; ${succeeded} operations succeeded, ` +
    `never: ${neverSucceeded.join(', ') || 'none'}; ${findings.length} findings`,
);
process.exitCode = findings.length > 0 ? 1 : 0;

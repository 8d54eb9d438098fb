/**
 * Searches recorded texts and requests for those that we count too high: there the measured package lacks a piece that
 * the service has. usage: npx node packages/token-counter/research/measure-vocabulary/find-corrections.ts <folder of recorded token counts> It proposes; a proposal
 * enters corrections.ts by hand, with its witness, and only where no other piece explains the record: best with two
 * witnesses of different sources.
 */
import { countConcatenated, countContent } from '../../src/tokenizer/index.ts';
import { loadPieces } from './load-pieces.ts';
import { mark, normalise, type Vocabulary } from './marked-stream.ts';
import { proposeCorrections, type Witness } from './propose-corrections.ts';
import { requestWitnesses } from './recorded-requests.ts';
import { recordedDocuments, recordedFragments, recordedMessages, type Recorded } from './recorded-texts.ts';

/** A sign around a fragment, as the recorded surroundings were: no piece of ours reaches across it, save `![`. */
const SIGN = '!';
const SIGN_BEFORE_BRACKET = '^';
/** Control characters, which the normalised text leaves out, and then the bracket. */
const BRACKET_FIRST = /^[\u0001-\u0008\u000b-\u001f]*\[/;

/** The marked stream of a text in the middle of a prompt. */
function streamOf(text: string, vocabulary: Vocabulary): Uint16Array {
  return mark(normalise(text, vocabulary), vocabulary).slice();
}

function report(vocabulary: Vocabulary, witnesses: readonly Witness[]): void {
  const tooHigh = witnesses.filter((witness) => witness.excess > 0);
  console.log(
    `${vocabulary}: ${tooHigh.length} of ${witnesses.length} too high, ` +
      `${witnesses.filter((witness) => witness.excess < 0).length} too low`,
  );
  for (const { id, excess } of tooHigh) console.log(`  +${excess} ${id}`);
  for (const { piece, saves } of proposeCorrections(loadPieces(vocabulary), witnesses)) {
    console.log(
      `  proposal ${JSON.stringify(piece)}: ${[...saves]
        .slice(0, 4)
        .map(([id, tokens]) => `−${tokens} ${id}`)
        .join(', ')}, ${saves.size} witnesses`,
    );
  }
}

function fragmentWitness([fragment, recorded]: [string, number]): Witness {
  const price = (...parts: string[]): number => countConcatenated(parts, 'v4.7');
  const before = BRACKET_FIRST.test(fragment) ? SIGN_BEFORE_BRACKET : SIGN;
  const excess = price(before, fragment, SIGN) - price(before) - price(SIGN) - recorded;
  return { id: JSON.stringify(fragment), stream: streamOf(before + fragment + SIGN, 'v4.7'), excess };
}

function textWitness({ id, family, text, count }: Recorded): Witness {
  const vocabulary = family === 'v3' ? 'v3' : 'v4.7';
  return {
    id: `${id} (${family}, ${text.length} characters)`,
    stream: streamOf(text, vocabulary),
    excess: countContent(text, family) - count,
  };
}

const folder = process.argv[2];
if (folder === undefined)
  throw new Error(
    'usage: npx node packages/token-counter/research/measure-vocabulary/find-corrections.ts <folder of recorded token counts>',
  );
const texts = [...recordedDocuments(folder), ...recordedMessages(folder)];
report('v3', [...texts.filter((text) => text.family === 'v3').map(textWitness), ...requestWitnesses(folder, 'v3')]);
report('v4.7', [
  ...texts.filter((text) => text.family !== 'v3').map(textWitness),
  ...recordedFragments(folder).map(fragmentWitness),
  ...requestWitnesses(folder, 'v4.7'),
]);

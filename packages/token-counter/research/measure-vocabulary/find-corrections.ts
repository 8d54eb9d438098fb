/**
 * Searches recorded texts and requests whose count is too high because the measured package lacks a piece of the
 * service: `npx node packages/token-counter/research/measure-vocabulary/find-corrections.ts <folder of recorded token
 * counts>`. The script only proposes pieces. A proposal is added to corrections.ts by hand with its witness, if no
 * other piece explains the record. Two witnesses of different sources are best.
 */
import { countConcatenated, countContent } from '../../src/tokenizer/index.ts';
import { loadPieces } from './load-pieces.ts';
import { markStream, normalize, type Vocabulary } from './marked-stream.ts';
import { proposeCorrections, type CountEvidence } from './propose-corrections.ts';
import { createRequestEvidence } from './recorded-requests.ts';
import { recordedDocuments, recordedFragments, recordedMessages, type RecordedCount } from './recorded-texts.ts';

/** A sign around a fragment, as in the recordings. No piece crosses it, except for `![`. */
const SEPARATOR = '!';
const SEPARATOR_BEFORE_BRACKET = '^';
/** Control characters, which normalized text omits, followed by a bracket. */
const BRACKET_FIRST = /^[\u0001-\u0008\u000b-\u001f]*\[/;

/** Returns the marked stream of a text within a prompt. */
function toMarkedStream(text: string, vocabulary: Vocabulary): Uint16Array {
  return markStream(normalize(text, vocabulary), vocabulary).slice();
}

function reportProposals(vocabulary: Vocabulary, evidenceList: readonly CountEvidence[]): void {
  const overcounted = evidenceList.filter((evidence) => evidence.excess > 0);
  console.log(
    `${vocabulary}: ${overcounted.length} of ${evidenceList.length} too high, ` +
      `${evidenceList.filter((evidence) => evidence.excess < 0).length} too low`,
  );
  for (const { id, excess } of overcounted) console.log(`  +${excess} ${id}`);
  for (const { piece, savedTokensById } of proposeCorrections(loadPieces(vocabulary), evidenceList)) {
    console.log(
      `  proposal ${JSON.stringify(piece)}: ${[...savedTokensById]
        .slice(0, 4)
        .map(([id, tokens]) => `−${tokens} ${id}`)
        .join(', ')}, ${savedTokensById.size} witnesses`,
    );
  }
}

function createFragmentEvidence([fragment, recorded]: [string, number]): CountEvidence {
  const countTokens = (...parts: string[]): number => countConcatenated(parts, 'v4.7');
  const before = BRACKET_FIRST.test(fragment) ? SEPARATOR_BEFORE_BRACKET : SEPARATOR;
  const excess = countTokens(before, fragment, SEPARATOR) - countTokens(before) - countTokens(SEPARATOR) - recorded;
  return { id: JSON.stringify(fragment), stream: toMarkedStream(before + fragment + SEPARATOR, 'v4.7'), excess };
}

function createTextEvidence({ id, family, text, count }: RecordedCount): CountEvidence {
  const vocabulary = family === 'v3' ? 'v3' : 'v4.7';
  return {
    id: `${id} (${family}, ${text.length} characters)`,
    stream: toMarkedStream(text, vocabulary),
    excess: countContent(text, family) - count,
  };
}

const folder = process.argv[2];
if (folder === undefined)
  throw new Error(
    'usage: npx node packages/token-counter/research/measure-vocabulary/find-corrections.ts <folder of recorded token counts>',
  );
const texts = [...recordedDocuments(folder), ...recordedMessages(folder)];
reportProposals('v3', [
  ...texts.filter((text) => text.family === 'v3').map(createTextEvidence),
  ...createRequestEvidence(folder, 'v3'),
]);
reportProposals('v4.7', [
  ...texts.filter((text) => text.family !== 'v3').map(createTextEvidence),
  ...recordedFragments(folder).map(createFragmentEvidence),
  ...createRequestEvidence(folder, 'v4.7'),
]);

import { MODEL_ROWS } from '../../../packages/token-counter/src/models/models-data.ts';
import { seeded } from '../../support/seeded.ts';
import { forModels, createRotation, type NamedRequest, toNamedRequest, createUserMessage } from './body.ts';
import { languages } from './languages.ts';
import { notations } from './notations.ts';

/** Creates a request with each text as its only message, for a model of each tokenizer family. */
export function createTextRequests(): NamedRequest[] {
  // One model per family, in rotation.
  const families = [...new Set(MODEL_ROWS.map((row) => row.text))].map((family) =>
    createRotation(MODEL_ROWS.filter((row) => row.text === family).map(({ id }) => id)),
  );
  const all = { ...languages, ...notations, ...createLongTexts() };
  return Object.entries(all).flatMap(([name, content]) =>
    forModels(
      toNamedRequest(`text: ${name}`, [createUserMessage(content)]),
      families.map((next) => next()),
    ),
  );
}

/** Creates texts of a few thousand characters from the words of the short texts. */
function createLongTexts(): Record<string, string> {
  const draw = seeded(20_261_122);
  const pickWords = (words: readonly string[], count: number): string =>
    Array.from({ length: count }, () => words[draw(words.length)]).join(' ');
  const readWords = (...names: string[]): string[] =>
    names.flatMap((name) => (languages[name] ?? notations[name]!).split(/\s+/));
  return {
    'long prose': pickWords(readWords('english', 'german', 'french', 'contractions'), 900),
    'long code': pickWords(readWords('typescript', 'python', 'rust', 'sql', 'shell', 'json'), 500),
    'long babel': pickWords(readWords(...Object.keys(languages)), 400),
    'long lines': Array.from(
      { length: 150 },
      (_, row) => `${row}\t${pickWords(readWords('whole', 'capitals'), 4)}`,
    ).join('\n'),
  };
}

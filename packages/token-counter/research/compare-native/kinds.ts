/** Texts of forty kinds from seeded generators: code in thirty languages, and texts of people and programs. */
import { codeLines } from './code-lines.ts';

type RandomBelow = (below: number) => number;
type TextGenerator = (random: RandomBelow) => string;

const WORD_LIST =
  'the of boat harbour value count token never always because README function request answer über naïve Straße ' +
  'façade it’s don’t NASA JSON iPhone camelCase snake_case kebab-case v1.2.3 e.g. 3.14 42 1,000 $5 50% http README.md';
const words = WORD_LIST.split(' ');
const pick = <T>(random: RandomBelow, list: readonly T[]): T => list[random(list.length)]!;
const randomLetters = (random: RandomBelow, min: number, max: number): string =>
  Array.from({ length: min + random(max - min + 1) }, () => String.fromCharCode(97 + random(26))).join('');
const repeatRandom = (random: RandomBelow, max: number, generate: () => string, glue = ''): string =>
  Array.from({ length: 1 + random(max) }, generate).join(glue);
const randomSentence = (random: RandomBelow): string =>
  `${repeatRandom(random, 12, () => pick(random, words), ' ')}${pick(random, ['.', '!', '?', ':', ' –', '…', ',', ';'])}`;
const createRangeGenerator =
  (from: number, to: number, extra: string, glue = ''): TextGenerator =>
  (random) =>
    repeatRandom(
      random,
      60,
      () => (random(8) === 0 ? pick(random, [...extra]) : String.fromCodePoint(from + random(to - from + 1))),
      glue,
    );

const randomName = (random: RandomBelow): string =>
  pick(random, [randomLetters(random, 2, 9), `${randomLetters(random, 2, 5)}_${randomLetters(random, 2, 6)}`]);
const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function createCodeGenerator(lines: readonly string[]): TextGenerator {
  return (random) => {
    const a = randomName(random);
    const b = randomName(random);
    return repeatRandom(random, 20, () => pick(random, lines), '\n')
      .replaceAll('$T', capitalize(a))
      .replaceAll('$B', capitalize(b))
      .replaceAll('$a', a)
      .replaceAll('$b', b)
      .replaceAll('$n', () => String(random(10 ** (1 + random(5)))))
      .replaceAll('$w', () => pick(random, words));
  };
}

const emoji = ['😀', '👍🏽', '👨‍💻', '❤️', '🇩🇪', '👩‍👧‍👦', '1️⃣', '🏳️‍🌈', '🫠', '⚠️', '☕', '🤷🏻‍♀️', '‼️'];
const markdown: TextGenerator = (random) =>
  repeatRandom(
    random,
    15,
    () =>
      pick(random, [
        `# ${randomSentence(random)}`,
        `- [ ] **${randomSentence(random)}** \`${randomName(random)}\``,
        `| ${randomName(random)} | ${random(1000)} |\n|---|---|`,
        `[${randomName(random)}](https://${randomName(random)}.example/${randomName(random)}#${random(99)})`,
        `\`\`\`ts\n${createCodeGenerator(codeLines['typescript']!)(random)}\n\`\`\``,
        `> _${randomSentence(random)}_`,
        `${random(20)}. ${randomSentence(random)}`,
      ]),
    '\n\n',
  );
const edgeCases: TextGenerator = (random) =>
  repeatRandom(random, 40, () =>
    pick(random, [
      '\u200d',
      '\ufe0f',
      '\u0301',
      '\u00a0',
      '\u3000',
      ' ',
      '\n',
      '\t',
      '\r\n',
      '\u0130',
      'ﷺ',
      'ﬁ',
      '²',
      '½',
      'Ⅷ',
      '\ufeff',
      '\ue000',
      '\u0001',
      '<|x|>',
      'a',
      'B',
      '9',
      '文',
      'かな',
      '한',
      'ไ',
      'न',
      'ع',
      'א',
      '=',
      '-',
      '--',
      '\u{1d400}',
    ]),
  );

/** The kinds by name. Each generator returns another text in every call. */
export const generatorByKind: Readonly<Record<string, TextGenerator>> = {
  ...Object.fromEntries(Object.entries(codeLines).map(([language, lines]) => [language, createCodeGenerator(lines)])),
  prose: (random) => repeatRandom(random, 20, () => randomSentence(random), ' '),
  markdown,
  json: (random) =>
    JSON.stringify(
      Array.from({ length: 1 + random(8) }, () => ({
        [randomName(random)]: [random(1e6), randomSentence(random), null, random(2) === 0],
      })),
      null,
      random(3),
    ),
  chinese: createRangeGenerator(0x4e00, 0x9fff, '，。！？《》“”1234 A'),
  japanese: (random) =>
    repeatRandom(random, 40, () =>
      pick(random, [
        createRangeGenerator(0x3041, 0x3096, 'ー、。')(random).slice(0, 6),
        createRangeGenerator(0x30a1, 0x30fa, 'ー・')(random).slice(0, 6),
        createRangeGenerator(0x4e00, 0x9000, '々')(random).slice(0, 4),
      ]),
    ),
  korean: createRangeGenerator(0xac00, 0xd7a3, ' .,!?'),
  emoji: (random) =>
    repeatRandom(random, 30, () => (random(3) === 0 ? `${pick(random, words)} ` : pick(random, emoji))),
  scripts: (random) =>
    repeatRandom(
      random,
      12,
      () =>
        pick(random, [
          createRangeGenerator(0x410, 0x44f, ' .,'),
          createRangeGenerator(0x5d0, 0x5ea, ' '),
          createRangeGenerator(0x627, 0x64a, ' '),
          createRangeGenerator(0x905, 0x939, ' \u094d'),
          createRangeGenerator(0xe01, 0xe2e, '\u0e31\u0e48'),
        ])(random).slice(0, 15),
      ' ',
    ),
  logs: (random) =>
    repeatRandom(
      random,
      12,
      () =>
        `2026-11-${10 + random(20)}T0${random(10)}:${10 + random(50)}:00.${random(1000)}Z ` +
        `${pick(random, ['INFO', 'WARN', 'ERROR'])} [${randomName(random)}] ${randomSentence(random)} ` +
        `0x${random(1e9).toString(16)} ${randomLetters(random, 8, 8)}-${random(9999)}`,
      '\n',
    ),
  torture: edgeCases,
};

/** Texts of forty kinds from seeded generators: code of thirty languages, and what people and programs write. */
import { codeLines } from './code-lines.ts';

type Next = (below: number) => number;
type Make = (next: Next) => string;

const WORDS =
  'the of boat harbour value count token never always because README function request answer über naïve Straße ' +
  'façade it’s don’t NASA JSON iPhone camelCase snake_case kebab-case v1.2.3 e.g. 3.14 42 1,000 $5 50% http README.md';
const words = WORDS.split(' ');
const pick = <T>(next: Next, list: readonly T[]): T => list[next(list.length)]!;
const letters = (next: Next, least: number, most: number): string =>
  Array.from({ length: least + next(most - least + 1) }, () => String.fromCharCode(97 + next(26))).join('');
const many = (next: Next, most: number, make: () => string, glue = ''): string =>
  Array.from({ length: 1 + next(most) }, make).join(glue);
const sentence = (next: Next): string =>
  `${many(next, 12, () => pick(next, words), ' ')}${pick(next, ['.', '!', '?', ':', ' –', '…', ',', ';'])}`;
const range =
  (from: number, to: number, extra: string, glue = ''): Make =>
  (next) =>
    many(
      next,
      60,
      () => (next(8) === 0 ? pick(next, [...extra]) : String.fromCodePoint(from + next(to - from + 1))),
      glue,
    );

const name = (next: Next): string => pick(next, [letters(next, 2, 9), `${letters(next, 2, 5)}_${letters(next, 2, 6)}`]);
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function code(lines: readonly string[]): Make {
  return (next) => {
    const [a, b] = [name(next), name(next)];
    return many(next, 20, () => pick(next, lines), '\n')
      .replaceAll('$T', capital(a))
      .replaceAll('$B', capital(b))
      .replaceAll('$a', a)
      .replaceAll('$b', b)
      .replaceAll('$n', () => String(next(10 ** (1 + next(5)))))
      .replaceAll('$w', () => pick(next, words));
  };
}

const emoji = ['😀', '👍🏽', '👨‍💻', '❤️', '🇩🇪', '👩‍👧‍👦', '1️⃣', '🏳️‍🌈', '🫠', '⚠️', '☕', '🤷🏻‍♀️', '‼️'];
const markdown: Make = (next) =>
  many(
    next,
    15,
    () =>
      pick(next, [
        `# ${sentence(next)}`,
        `- [ ] **${sentence(next)}** \`${name(next)}\``,
        `| ${name(next)} | ${next(1000)} |\n|---|---|`,
        `[${name(next)}](https://${name(next)}.example/${name(next)}#${next(99)})`,
        `\`\`\`ts\n${code(codeLines['typescript']!)(next)}\n\`\`\``,
        `> _${sentence(next)}_`,
        `${next(20)}. ${sentence(next)}`,
      ]),
    '\n\n',
  );
const torture: Make = (next) =>
  many(next, 40, () =>
    pick(next, [
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

/** The kinds by name; each makes another text at every call. */
export const kinds: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(Object.entries(codeLines).map(([language, lines]) => [language, code(lines)])),
  prose: (next) => many(next, 20, () => sentence(next), ' '),
  markdown,
  json: (next) =>
    JSON.stringify(
      Array.from({ length: 1 + next(8) }, () => ({ [name(next)]: [next(1e6), sentence(next), null, next(2) === 0] })),
      null,
      next(3),
    ),
  chinese: range(0x4e00, 0x9fff, '，。！？《》“”1234 A'),
  japanese: (next) =>
    many(next, 40, () =>
      pick(next, [
        range(0x3041, 0x3096, 'ー、。')(next).slice(0, 6),
        range(0x30a1, 0x30fa, 'ー・')(next).slice(0, 6),
        range(0x4e00, 0x9000, '々')(next).slice(0, 4),
      ]),
    ),
  korean: range(0xac00, 0xd7a3, ' .,!?'),
  emoji: (next) => many(next, 30, () => (next(3) === 0 ? `${pick(next, words)} ` : pick(next, emoji))),
  scripts: (next) =>
    many(
      next,
      12,
      () =>
        pick(next, [
          range(0x410, 0x44f, ' .,'),
          range(0x5d0, 0x5ea, ' '),
          range(0x627, 0x64a, ' '),
          range(0x905, 0x939, ' \u094d'),
          range(0xe01, 0xe2e, '\u0e31\u0e48'),
        ])(next).slice(0, 15),
      ' ',
    ),
  logs: (next) =>
    many(
      next,
      12,
      () =>
        `2026-11-${10 + next(20)}T0${next(10)}:${10 + next(50)}:00.${next(1000)}Z ` +
        `${pick(next, ['INFO', 'WARN', 'ERROR'])} [${name(next)}] ${sentence(next)} ` +
        `0x${next(1e9).toString(16)} ${letters(next, 8, 8)}-${next(9999)}`,
      '\n',
    ),
  torture,
};

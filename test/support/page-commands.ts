/** Programs that pages run. */
const PROGRAMS =
  'bash|cat|chmod|claude|cp|createdb|curl|docker|fail2ban-client|fail2ban-regex|git|haproxy|install|kubectl|nginx|node|npm|npx|openssl|promtool|psql|sh|systemctl|tally|touch|useradd';
const COMMAND = new RegExp(
  [
    // A block of commands, statements or settings.
    '^ *```(?:sh|sql|ini)\\n(?<block>[^]*?)^ *```$',
    // A command in a sentence has an argument. A program's name alone is no command.
    `(?<!\`)\`(?<inline>(?:[A-Z_]+=\\S+ )?(?:${PROGRAMS}) [^\`\\n]+)\``,
  ].join('|'),
  'gm',
);

/** Returns the commands of a Markdown text in their order, a block as one. */
export const listCommands = (text: string): string[] =>
  [...text.matchAll(COMMAND)].map(({ groups }) => {
    const { block, inline } = groups as { block?: string; inline?: string };
    return (block?.replace(/^ +/gm, '') ?? inline!).trim();
  });

/** Returns the text of a page below a heading, up to the next one of the same or a higher level. */
export function readSection(page: string, heading: string): string {
  const [, level, rest] = new RegExp(`^(#+) ${heading}\\n([^]*)`, 'm').exec(page) ?? [];
  if (level === undefined) throw new Error(`The page has no section "${heading}".`);
  return rest!.split(new RegExp(`^#{1,${level.length}} `, 'm'))[0]!;
}

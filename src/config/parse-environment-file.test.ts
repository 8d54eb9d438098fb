import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { parseEnvironmentFile } from './parse-environment-file.ts';

const cases: readonly (readonly [title: string, text: string, values: Record<string, string>])[] = [
  ['a plain value', 'A=one', { A: 'one' }],
  ['several lines, one of them empty', 'A=one\n\nB=two\n', { A: 'one', B: 'two' }],
  ['lines that end as in Windows', 'A=one\r\nB=two\r\n', { A: 'one', B: 'two' }],
  ['the last of two values', 'A=one\nA=two', { A: 'two' }],
  ['an empty value', 'A=\nB=""\nC= ', { A: '', B: '', C: '' }],
  ['comments', '# A=one\n; B=two\n  # C=three\nD=four', { D: 'four' }],
  ['a comment that ends with a backslash', '# one \\\\\nA=two', { A: 'two' }],
  ['spaces around name and value', '  A =  one two  \n', { A: 'one two' }],
  ['# and ; inside a value', 'A=one#two\nB=one # two\nC=one ; two', { A: 'one#two', B: 'one # two', C: 'one ; two' }],
  ['= inside a value', 'A=postgres://tally:a=b@db/tally?x=y', { A: 'postgres://tally:a=b@db/tally?x=y' }],
  ['double quotes', 'A="one # two"', { A: 'one # two' }],
  ['single quotes', "A='one \\ \" two'", { A: 'one \\ " two' }],
  ['spaces inside quotes', 'A=" one "  \n', { A: ' one ' }],
  ['quotes inside a value', 'A=one"two"\nB=it\'s', { A: 'one"two"', B: "it's" }],
  ['quoted parts beside each other', 'A="one" \'two\'three', { A: 'onetwothree' }],
  ['text behind a quoted part', 'A="one" # two', { A: 'one# two' }],
  ['escapes inside double quotes', 'A="\\"\\\\ \\n"', { A: '"\\ \\n' }],
  ['escapes outside quotes', 'A=one\\ttwo\\\\three\\ ', { A: 'onettwo\\three ' }],
  ['a line that continues', 'A=one\\\ntwo\nB="one\\\ntwo"', { A: 'onetwo', B: 'onetwo' }],
  ['a value of several lines inside quotes', 'A="one\ntwo"\nB=three', { A: 'one\ntwo', B: 'three' }],
  ['a line without =', 'nothing\nA=one', { A: 'one' }],
  ['a quote that nothing closes', 'A="one\nB=two\n', { A: 'one\nB=two\n' }],
];

test.each(cases)('reads %s as systemd does', (_title, text, values) => {
  assert.deepEqual(parseEnvironmentFile(text), values);
});

test('omits names that systemd rejects', () => {
  assert.deepEqual(parseEnvironmentFile('export A=one\n1B=two\nC-D=three\nE=four'), { E: 'four' });
});

test('expands no variable', () => {
  assert.deepEqual(parseEnvironmentFile('A=$HOME ${HOME}\nB="$HOME"'), { A: '$HOME ${HOME}', B: '$HOME' });
});

/* systemd reads its environment.d with the same rules, except that it expands variables. It prints no line ends. */
const GENERATOR = '/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator';

const printableCases = cases.filter(([, , values]) => Object.values(values).every((value) => /^[^\n]+$/.test(value)));

test.for(printableCases)('systemd itself reads %s so', ([, text, values], t) => {
  t.skip(!existsSync(GENERATOR), 'no systemd; bash test/slow/install-parts.sh installs it');
  const home = mkdtempSync(join(tmpdir(), 'tally-environment-'));
  try {
    mkdirSync(join(home, 'environment.d'));
    writeFileSync(join(home, 'environment.d/10-tally.conf'), text);
    const printed = execFileSync(GENERATOR, { env: { XDG_CONFIG_HOME: home }, encoding: 'utf8' });
    const script = `${printed}\nfor name in ${Object.keys(values).join(' ')}; do printf '%s\\0' "\${!name-missing}"; done`;
    const read = execFileSync('bash', ['--norc', '-c', script], { env: {}, encoding: 'utf8' }).split('\0').slice(0, -1);
    assert.deepEqual(read, Object.values(values));
  } finally {
    rmSync(home, { recursive: true });
  }
});

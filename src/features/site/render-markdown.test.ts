import assert from 'node:assert/strict';
import { test } from 'vitest';
import { renderMarkdown } from './render-markdown.ts';

const render = (text: string): string => renderMarkdown(text).html;
/** Returns the elements and attributes of HTML, without its texts. */
const listTags = (html: string): string => [...html.matchAll(/<[^>]*>/g)].join('');

test('takes the heading at the start as the title and gives the page no second one', () => {
  assert.deepEqual(renderMarkdown('# Privacy **policy**\n\nText.\n\n# Data\n'), {
    title: 'Privacy policy',
    html: '<p>Text.</p>\n<h2>Data</h2>\n',
  });
  assert.deepEqual(renderMarkdown('Text.\n\n# Data\n'), { title: null, html: '<p>Text.</p>\n<h2>Data</h2>\n' });
});

test('shows HTML of the author as text', () => {
  for (const html of [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<style>body{display:none}</style>',
    '<!-- comment --><b>x</b>',
    '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  ]) {
    assert.equal(listTags(render(html)), '<p></p>', html);
    assert.equal(listTags(render(`a ${html} b`)), '<p></p>', html);
  }
});

test('makes no link with a scheme that a browser would run or read from a file', () => {
  for (const target of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java&#115;cript:alert(1)',
    '&#x6A;avascript:alert(1)',
    '<javascript:alert(1)>',
    'vbscript:msgbox(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    '//example.com',
  ]) {
    assert.doesNotMatch(render(`[x](${target})`), /<a/i, target);
    assert.doesNotMatch(render(`[x]\n\n[x]: ${target}`), /<a/i, target);
    assert.doesNotMatch(render(`![x](${target})`), /<(a|img)/i, target);
  }
  assert.doesNotMatch(render('<javascript:alert(1)>'), /<a/i);
});

test('escapes what could leave an attribute', () => {
  assert.equal(
    render('[x](https://example.com/"onmouseover=alert(1) "a\\" onclick=alert(1)")'),
    '<p><a href="https://example.com/%22onmouseover=alert(1)" title="a&quot; onclick=alert(1)">x</a></p>\n',
  );
});

test('keeps links to the web, to addresses and to pages of the site', () => {
  for (const target of [
    'https://example.com/a',
    'http://example.com',
    'mailto:me@example.com',
    'tel:+4912345',
    '/terms',
  ])
    assert.equal(render(`[x](${target})`), `<p><a href="${target}">x</a></p>\n`);
});

test('shows a picture by its description', () => {
  assert.equal(render('![A <b>seal</b>](https://example.com/seal.png)'), '<p>A &lt;b&gt;seal&lt;/b&gt;</p>\n');
  assert.equal(render('![Seal](/seal.png)'), '<p>Seal</p>\n');
});

test('aligns columns of a table by class, since style attributes are blocked', () => {
  const html = render('| a | b | c |\n|---|--:|:-:|\n| 1 | 2 | 3 |\n');
  assert.doesNotMatch(html, /style/);
  assert.match(html, /<td>1<\/td>\n<td class="align-right">2<\/td>\n<td class="align-center">3<\/td>/);
  assert.match(html, /^<div class="document-table" tabindex="0"><table>/);
});

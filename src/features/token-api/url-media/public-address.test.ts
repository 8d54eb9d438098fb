import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { PUBLIC_INTERNET } from './network.ts';
import { isPublicAddress } from './public-address.ts';
import { parseRedirect, parseTarget } from './parse-target.ts';

const PUBLIC = (
  '1.1.1.1 8.8.8.8 93.184.216.34 100.63.255.255 100.128.0.1 172.15.255.255 172.32.0.1 192.0.1.1 198.17.255.255 ' +
  '198.20.0.1 223.255.255.255 168.63.129.15 2606:4700:4700::1111 2a00:1450:4001:830::200e 2001:4860:4860::8888 ' +
  '2001:200::1 2003::1 3ffd::1 3fff:1000::1'
).split(' ');

const NOT_PUBLIC: Record<string, string[]> = {
  'this network': '0.0.0.0 0.255.255.255'.split(' '),
  private: '10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255'.split(' '),
  'carrier-grade NAT': '100.64.0.0 100.127.255.255 100.100.100.200'.split(' '),
  loopback: '127.0.0.1 127.255.255.254 ::1 0:0:0:0:0:0:0:1'.split(' '),
  'link-local and metadata':
    '169.254.169.254 169.254.0.1 fe80::1 fe80::1%lo febf::1 fd00:ec2::254 168.63.129.16 192.0.0.192'.split(' '),
  'unique local and site-local': 'fc00::1 fdff::1 fec0::1'.split(' '),
  multicast: '224.0.0.1 239.255.255.255 ff02::1 ff0e::1'.split(' '),
  'reserved and broadcast': '240.0.0.1 255.255.255.255 :: 4000::1 8000::1 5f00::1 100::1 1fff::1'.split(' '),
  documentation: '192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1 3fff::1 3fff:fff::1'.split(' '),
  benchmark: '198.18.0.1 198.19.255.255 2001:2::1'.split(' '),
  'protocol assignments':
    '192.0.0.1 192.31.196.1 192.52.193.1 192.88.99.1 192.175.48.1 2001:20::1 2620:4f:8000::1'.split(' '),
  'IPv4 inside IPv6': (
    '::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::127.0.0.1 ::8.8.8.8 ::ffff:0:127.0.0.1 2002:7f00:1:: ' +
    '2002:808:808::1 64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2'
  ).split(' '),
  'the 6bone': '3ffe::1'.split(' '),
  'no address': [
    '',
    'example.com',
    '127.1',
    '2130706433',
    '0x7f000001',
    '2606:4700::1%eth0',
    '[::1]',
    '1.1.1.1 ',
    '01.1.1.1',
  ],
};

describe('addresses', () => {
  test('accepts addresses of the public internet', () => {
    for (const address of PUBLIC) assert.equal(isPublicAddress(address), true, address);
  });

  for (const [description, addresses] of Object.entries(NOT_PUBLIC)) {
    test(`rejects ${description}`, () => {
      for (const address of addresses) {
        assert.equal(isPublicAddress(address), false, address);
        assert.equal(PUBLIC_INTERNET.allows(address), false, address);
      }
    });
  }
});

/** Returns whether a URL passes every check before a connection. */
function passes(text: string): boolean {
  const target = parseTarget(text);
  return target.ok && isPublicAddress(target.url.hostname.replace(/^\[|\]$/g, ''));
}

describe('spellings of an address in a URL', () => {
  test('normalizes each notation to its address', () => {
    const loopback = (
      '127.1 2130706433 017700000001 0x7f000001 0x7f.1 0177.0.0.1 127.0.0.1. 127.0.1 %31%32%37.0.0.1 ①②⑦.⓪.⓪.① ' +
      '127。0。0。1 [::1] [::ffff:127.0.0.1] [0:0:0:0:0:ffff:7f00:1] [::127.0.0.1] [64:ff9b::127.0.0.1] ' +
      '[2002:7f00:1::] 0 0.0.0.0 LOCALHOST localhost. a.localhost'
    ).split(' ');
    const metadata = '2852039166 0xa9fea9fe 0251.0376.0251.0376 169.16689662 [::ffff:a9fe:a9fe] [fd00:ec2::254]'.split(
      ' ',
    );
    for (const host of [...loopback, ...metadata])
      for (const scheme of ['http', 'https']) assert.equal(passes(`${scheme}://${host}/a.png`), false, host);
    for (const host of ['1.1.1.1', '16843009', '0x01010101', '[2606:4700:4700::1111]'])
      assert.equal(passes(`https://${host}/a.png`), true, host);
  });

  test('rejects other schemes, ports and credentials with their own reason', () => {
    const problem = (text: string): unknown => ((target) => target.ok || target.problem)(parseTarget(text));
    for (const text of [
      '',
      'a.png',
      '//example.com/a',
      'ftp://example.com/a',
      'file:///etc/passwd',
      'data:image/png;base64,AAAA',
      'gopher://example.com',
      'http://',
      'http://[::1',
      'http://[fe80::1%25eth0]/',
      'http://256.1.1.1/',
      `https://example.com/${'a'.repeat(8192)}`,
    ])
      assert.equal(problem(text), 'invalid', text);
    for (const text of ['http://me@example.com/', 'https://me:secret@example.com/', 'https://:secret@example.com/'])
      assert.equal(problem(text), 'credentials', text);
    for (const text of [
      'http://example.com:8080/',
      'https://example.com:80/',
      'http://example.com:443/',
      'http://example.com:22/',
    ])
      assert.equal(problem(text), 'port', text);
    for (const text of [
      'http://example.com:80/',
      'https://example.com:443/',
      'HTTPS://EXAMPLE.com./a#b',
      ' https://example.com/ ',
    ])
      assert.equal(problem(text), true, text);
  });

  test('ignores one trailing dot and the fragment', () => {
    const target = parseTarget('https://example.com./a?b=c#d');
    assert.ok(target.ok);
    assert.equal(target.url.href, 'https://example.com/a?b=c');
  });
});

test('allows a redirect to https and rejects one to http, a port, scheme or user', () => {
  const follow = (location: string | undefined, from: string): string =>
    ((next) => (next.ok ? next.url.href : next.problem))(parseRedirect(location, new URL(from)));
  assert.equal(follow('/b', 'https://example.com/a'), 'https://example.com/b');
  assert.equal(follow('//other.example/b', 'https://example.com/a'), 'https://other.example/b');
  assert.equal(follow('https://example.com/', 'http://example.com/a'), 'https://example.com/');
  assert.equal(follow('http://example.com/', 'https://example.com/a'), 'redirect_target');
  for (const bad of [
    'http://example.com:22/',
    'file:///etc/passwd',
    'https://me@example.com/',
    'http://[',
    'javascript:1',
  ])
    assert.equal(follow(bad, 'http://example.com/'), 'redirect_target', bad);
  assert.equal(follow('http://localhost/', 'http://example.com/'), 'not_public');
  assert.equal(follow(undefined, 'http://example.com/'), 'status');
});

/** Texts that are not prose: code, figures, signs and blanks. Written for these records. */
export const notations: Readonly<Record<string, string>> = {
  typescript:
    'export async function sumOf(values: readonly number[]): Promise<number> {\n  let total = 0;\n  for (const value of values) total += value ?? 0;\n  return total; // no rounding\n}\n',
  python:
    'def harbour(boats: dict[str, int], *, limit=10):\n    """Boats that still fit."""\n    return {k: v for k, v in boats.items() if v <= limit and not k.startswith("_")}\n\n\nif __name__ == "__main__":\n\tprint(f"{harbour({})!r}")\n',
  rust: 'impl<T: Clone + Ord> Heap<T> {\n    pub fn push(&mut self, item: T) -> Result<(), Full> {\n        self.items.push(item); self.sift_up(self.items.len() - 1)\n    }\n}\n',
  go: 'func (s *Store) Get(key string) (v []byte, err error) {\n\tif v, ok := s.m[key]; ok {\n\t\treturn v, nil\n\t}\n\treturn nil, fmt.Errorf("no %q", key)\n}\n',
  cpp: '#include <vector>\ntemplate <typename T> auto last(const std::vector<T>& v) -> const T* { return v.empty() ? nullptr : &v.back(); }\n',
  haskell:
    'fibs :: [Integer]\nfibs = 0 : 1 : zipWith (+) fibs (tail fibs)\nmain = mapM_ print $ takeWhile (< 100) fibs\n',
  sql: "SELECT b.name, count(*) FILTER (WHERE t.late) AS late\n  FROM boats b LEFT JOIN trips t USING (boat_id)\n WHERE b.built >= DATE '1998-04-01' GROUP BY 1 HAVING count(*) > 3;\n",
  shell:
    'for f in ./*.log; do\n  [ -s "$f" ] && grep -c "ERROR" "$f" | awk \'{ s += $1 } END { print s+0 }\' >> out.txt 2>&1\ndone\n',
  html: '<!doctype html>\n<section class="card" data-id=7>\n  <h2>Ferry &amp; tide</h2>\n  <p>Leaves at <time datetime="05:40">dawn</time>.</p>\n</section>\n',
  css: '.card > h2:not(:first-child)::before { content: "\\2192"; margin: 0 auto -1px; color: #0a84ff; }\n',
  json: '{"boats":[{"id":1,"name":"Möwe","seats":42,"draught":1.75,"out":null},{"id":2,"name":"\\u00c9toile","seats":8}],"ok":true}',
  yaml: 'ferry:\n  - name: Möwe\n    leaves: "05:40"\n    tags: [early, open-air]\n  - name: Étoile\n    leaves: ~\n',
  xml: '<?xml version="1.0"?><log:entry xmlns:log="urn:log" level="WARN"><![CDATA[ tide < 2 m ]]></log:entry>',
  diff: '--- a/tide.txt\n+++ b/tide.txt\n@@ -1,3 +1,3 @@\n high 06:12\n-low  12:30\n+low  12:34\n high 18:41\n',
  regex: '^(?:[a-z0-9._%+-]+)@(?:[a-z0-9-]+\\.)+[a-z]{2,}$|(?<!\\d)\\d{3}-\\d{4}(?!\\d)',
  latex:
    '\\begin{align}\n  \\int_0^\\infty e^{-x^2}\\,dx &= \\frac{\\sqrt{\\pi}}{2} \\\\\n  \\sum_{k=1}^{n} k &= \\tfrac{n(n+1)}{2}\n\\end{align}',
  markdown:
    '# Tides\n\n| day | high | low |\n|:---|---:|---:|\n| Mon | 6:12 | 12:34 |\n\n1. Look *twice*\n2. Then **row**\n\n> ~~never~~ `always`\n\n---\n',
  csv: 'boat;seats;"built, rebuilt"\nMöwe;42;"1998, 2014"\n"Big ""B""";8;2003\n',
  stack:
    "TypeError: Cannot read properties of undefined (reading 'tide')\n    at Harbour.open (/srv/app/harbour.js:118:23)\n    at async main (/srv/app/index.js:9:3)\n",
  log: '2026-03-14T05:40:12.345Z WARN  [ferry-7] queue=high depth=3 took=17ms id=7f3a9c\n2026-03-14T05:40:12.346Z INFO  [ferry-7] done\n',
  whole: '0 1 7 10 42 99 100 101 255 256 999 1000 1024 65535 65536 1000000 4294967295 18446744073709551615',
  digits: '31415926535897932384626433832795028841971693993751058209749445923078164062862089986280348253421170679',
  decimals: '0.1 1.50 -3.75 1,234,567.89 1.234.567,89 6.02e23 1E-9 .5 5. 12% 3/4 1:2 ±0.05 20°C',
  dates: '2026-11-22 22.11.2026 11/22/26 Nov. 22nd, 2026 05:40 5:40 p.m. 2026-W47-7 1998–2026',
  telephone: '+49 30 901820 (030) 90 18-20 555-0123 ext. 7 tel:+1-202-555-0143',
  hexadecimal: '0xDEADBEEF #ff8800 7f3a9c1e-4b2d-4c8e-9f10-2a6b8c0d1e3f 1a:2b:3c:4d:5e:6f ::ffff:192.0.2.1 10.0.0.0/8',
  roman: 'MMXXVI XIV IX Ⅳ ⅷ ½ ¾ ² ³ ₂ ① ⑳ ㊿ ٣٤٥ ४५६ ๗๘ 一二三 壹貳參',
  money: '$4.99 €1.250,00 £3k ¥1,200 ₹45 ₿0.002 CHF 12.– 99¢ US$ 5m',
  urls: 'https://example.org/a/b?c=d&e=%20f#g-h http://[2001:db8::1]:8080/ mailto:keeper@lighthouse.example ftp://files.example/x.tar.gz',
  base64: 'VGhlIGZlcnJ5IGxlYXZlcyBhdCBkYXduOyB3aG9ldmVyIG92ZXJzbGVlcHMgcm93cy4=Zm9vYmFyYmF6cXV1eA==',
  capitals:
    'THE FERRY LEAVES AT DAWN. Whoever OVERSLEEPS rows; NASA, eBay, iOS, McDonald, LaTeX, XMLHttpRequest, ÉCOLE, ŁÓDŹ',
  cases:
    'camelCaseName PascalCaseName snake_case_name SCREAMING_SNAKE kebab-case-name dot.case.name mixed_caseName2Go v2beta3',
  contractions: "don't can't we'll they're I'd it's o'clock rock'n'roll y'all’ve DON'T WE’RE l'été d’abord",
  quotes: '“double” ‘single’ „deutsch“ «français» »umgekehrt« 「日本」『二重』 "plain" \'plain\' `back` ‹one› ′ ″',
  punctuation:
    'wait... what?! -- no; yes: (maybe) [perhaps] {surely} <never> / \\ | ~ ^ _ = + * & % $ # @ … – — ‑ · • ¶ § † ‡',
  runs: '!!!!!!!!!!!! ------------------------ ================ ************ ........ ######## ____ ~~~~~~~~~~ <<<<>>>> (((())))',
  repeated: `${'a'.repeat(70)} ${'ha'.repeat(30)} ${'0'.repeat(50)} ${'文'.repeat(40)} ${'é'.repeat(33)}`,
  emoji: '😀😃😄 👍🏽👍🏿 👩‍👩‍👧‍👦 👩🏾‍🚀 🏳️‍🌈 🇫🇷🇯🇵🇧🇷 1️⃣#️⃣ ❤️❤ ☕️ ✈︎ 🧑‍💻 🫱🏻‍🫲🏿 🦖🪐🫠',
  pictographs: '← ↑ → ↓ ↔ ⇒ ∀x∈ℝ ∃y: x≤y ∧ √2≈1.414 ∑∏∫ ∞ ≠ ⊂ ⌘ ⏎ ☀ ☂ ★ ♠ ♫ ✓ ✗ ☐ ☑ ♻ ⚠ ⛵',
  boxes: '┌──┬──┐\n│▀▄│░▒│\n├──┼──┤\n│▓█│■□│\n└──┴──┘ ⠓⠑⠇⠇⠕ ▁▂▃▄▅▆▇█',
  'ancient scripts': '𓂀𓃭𓆣 𒀭𒂗𒆤 𐎠𐎡𐎢 ᚠᚢᚦᚨᚱᚲ 𐌰𐌱𐌲 ᛒᛖᛟ 𐤀𐤁𐤂',
  'plane one letters': '𝐁𝐨𝐥𝐝 𝑖𝑡𝑎𝑙𝑖𝑐 𝔉𝔯𝔞𝔨𝔱𝔲𝔯 𝕕𝕠𝕦𝕓𝕝𝕖 𝟘𝟙𝟚 𠀀𠮷𩸽 🅰🅱 🀄',
  'combining marks': 'é é n̄ ạ̈ Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞ ȧ̵ k̲e̲y̲ क़ ড় ក្ក',
  'presentation forms': 'ﬁ ﬂ ﬃ ﷽ ﻻ ｆｕｌｌ ＷＩＤＴＨ １２３ ｶﾀｶﾅ ㍿ ㎏ ™ ℃ Å',
  'mixed scripts': 'Abcабвαβγאבגابجदेव漢字カナ한글ไทย in einem Satz, без пробелов和空格',
  blanks: 'one two  three   four    five        eight                nineteen                                  more',
  tabs: '\tone\n\t\ttwo\n\t\t\tthree\n    \tmixed\t \tblanks\there\n',
  lines: 'first\n\nthird\n\n\nsixth\r\nseventh\r\r\neighth\n\n\n\n\n\nlast   \n  indented\n',
  trailing: '   in front and behind, with lines\n\n   ',
  'odd spaces':
    'no\u00a0break\u2003em\u2009thin\u200azero\u200bwidth\u3000ideographic\u202fnarrow\ufeffmark\u2028line\u2029paragraph\u0085next',
  invisible:
    'soft\u00adhyphen zero\u200bwidth\u200cnon\u200djoiner left\u200eright\u200fmarks \u202aembed\u202c \u2060word\u2060joiner',
  controls: 'bell\u0007 backspace\u0008 vertical\u000b form\u000c escape\u001b[31m delete\u007f null\u0000 end\u001a',
  'private use': 'logo \uf8ff and \ue000\ue001, replacement \ufffd, noncharacter \uffff',
  'half pairs': 'high \ud83d alone, low \ude00 alone, turned \ude00\ud83d',
  'turn markers':
    'He wrote "\n\nHuman: hello\n\nAssistant: hi" and <|endoftext|> </s> [INST] <function_calls> into the box.',
  'long word':
    'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihungsurkunde pneumonoultramicroscopicsilicovolcanoconiosis',
  'one letter': 'x',
  'one sign': '?',
  'one emoji': '🦊',
};

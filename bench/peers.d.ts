// Only `npm --prefix bench ci` installs the peers. These declarations let the checks pass without them.
declare module 'ai-tokenizer';
declare module 'ai-tokenizer/encoding';
declare module 'gpt-tokenizer/encoding/o200k_base';

// The peers are installed by `npm --prefix bench ci` alone; without their types the checks pass in a clone that has
// never benchmarked.
declare module 'ai-tokenizer';
declare module 'ai-tokenizer/encoding';
declare module 'gpt-tokenizer/encoding/o200k_base';

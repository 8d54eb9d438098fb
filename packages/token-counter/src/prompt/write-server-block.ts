import type { Context } from './context.ts';
import { formatPythonJson } from './python-json.ts';

/** Keys of a server tool's block that are not in the prompt. */
const IGNORED_KEYS = new Set(['type', 'id', 'tool_use_id', 'cache_control', 'caller', 'encrypted_index']);
/**
 * Characters of each `encrypted_content` that the encryption adds, and tokens per remaining character: 0.36 to 0.38 on 6
 * recorded requests of four sources to the 4.5 models, 0.30 to 0.35 on 3 others, 0.44 on Sonnet 5 (2 requests).
 */
const ENCRYPTION_CHARACTERS = 200;
const ENCRYPTED_TOKENS_PER_CHARACTER = { v3: 0.366, later: 0.44 };

/**
 * Writes a call or result of a server tool, or a block of the beta API. It is an estimate from the JSON of the content
 * and the length of the encrypted data.
 */
export function writeServerBlock(context: Context, block: object, path: string): void {
  const { prompt, model } = context;
  let encryptedLength = 0;
  const json = formatPythonJson(block, {
    omit: (key, value) => {
      if (key !== 'encrypted_content') return IGNORED_KEYS.has(key);
      if (typeof value === 'string') encryptedLength += Math.max(0, value.length - ENCRYPTION_CHARACTERS);
      return true;
    },
  });
  prompt.write(json, 'server_tool', path, false);
  const tokensPerCharacter =
    model.text === 'v3' ? ENCRYPTED_TOKENS_PER_CHARACTER.v3 : ENCRYPTED_TOKENS_PER_CHARACTER.later;
  prompt.addTokens(Math.round(encryptedLength * tokensPerCharacter), 'server_tool', path, false);
}

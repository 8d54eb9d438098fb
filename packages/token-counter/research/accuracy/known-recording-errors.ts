const LOST_CITATIONS =
  'Bedrock body lost its citations setting, which its test is named for: with it the count is 1 off';

/** Recordings whose count does not belong to their body, with the evidence. They are included in the statistics. */
export const KNOWN_RECORDING_ERRORS: Readonly<Record<string, string>> = {
  '4dbd1c58de55c9eb': 'usage edited by hand: `input_tokens` is 1,231, a round 1,200 was added as cache creation',
  '690b659e9f47b506':
    'Bedrock body lost its citations setting: the same file with citations is recorded at 4,250 over the API',
  a0e603a4a6d11e34: LOST_CITATIONS,
  '8bffc15e60b68295': LOST_CITATIONS,
  b9f5ac176794d7b0: 'recorded 3 is below the frame of any message: the usage was edited',
  '8e684da03dcd7be1': 'usage edited by hand: `input_tokens` is 17, a cache of one token and of two was added',
  e933c524a51d7d2e: 'usage edited by hand: a cache of eight tokens and of five, where nothing below 1,024 is cached',
};

const OLD_PROMPT = 'of autumn 2025, when the 4.5 models had the tool prompt of Claude 4';
const OLD_HAIKU_PROMPT = 'of autumn 2025, when Haiku 4.5 had a tool prompt of about 261 tokens';
const OLD_THINKING = 'of 2025, when thinking cost a token less';

/** Recordings of an older version of the service. They are included in the statistics. */
export const OUTDATED: Readonly<Record<string, string>> = {
  '66485982a104319f': OLD_PROMPT,
  e46db2bf6672271e: OLD_PROMPT,
  '630bc83d49e52624': OLD_PROMPT,
  '7aa03708d14cb977': OLD_PROMPT,
  '07a61a6c53ca6f37': OLD_PROMPT,
  d2c6a52ef1029e80: OLD_PROMPT,
  fc08bb038c80b2ec: OLD_HAIKU_PROMPT,
  '0cc93ef11373cf12': OLD_HAIKU_PROMPT,
  '55d68956baca4218': OLD_THINKING,
  '379923e4e551edcd': OLD_THINKING,
};

const IN_RESULT = 'Bedrock does not count a document directly in a result';
const NO_PDF = 'its documents are placeholders of about 50 bytes instead of PDFs; ours counts 2,000 tokens for each';
const UNKNOWN_SCHEMA = 'Bedrock takes an output schema for Claude 3 Sonnet; how it is written there is not known';

const UNDATED_THINKING = 'a token less for a thinking budget, as in dated recordings of 2025; this one has no date';

/** Reasons why a correct recording differs from our count. These recordings are included in the statistics. */
export const EXPLANATIONS: Readonly<Record<string, string>> = {
  '3e04e02deef7c367': 'Bedrock does not count documents of earlier turns',
  '9147e44d44b9472b': IN_RESULT,
  '52d31da432db5179': IN_RESULT,
  '6147174ddbf6a4c8': IN_RESULT,
  b307e1db5ce5a54c: NO_PDF,
  e48feb02f31e2793: NO_PDF,
  '6a0b0af2fa506d2e':
    'Bedrock draws the page of Sonnet 5 at the high tier, 58 × 82 patches, and the body lost its citations setting',
  fec369ad24bc98b7: UNKNOWN_SCHEMA,
  '9ea247ec87820720': UNKNOWN_SCHEMA,
  c6e1276b24583299: UNDATED_THINKING,
  e5f63698a6371537: UNDATED_THINKING,
  '718033fc6596caa8': UNDATED_THINKING,
  d8db8072d4575e8d: UNDATED_THINKING,
  '51338f224bbf7ca3': UNDATED_THINKING,
  '4c12891783b9c50d': UNDATED_THINKING,
  d28530a4b2fd7b27: UNDATED_THINKING,
  '996685d3c5784af1': UNDATED_THINKING,
  f2972bff20aa4028: UNDATED_THINKING,
  '1b3c45e6042dbc65': UNDATED_THINKING,
  '2f0f084137ad952c': UNDATED_THINKING,
  f58a5a79a271036b: 'a tool that code may call brings a hidden prompt of about 2,518 tokens; one record, so no rule',
};

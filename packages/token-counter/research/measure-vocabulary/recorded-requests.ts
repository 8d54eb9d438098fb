/** Recorded requests as evidence: the text of a whole prompt, and our count minus the recorded one. */
import { join } from 'node:path';
import { countInputTokens, resolveModel } from '../../src/index.ts';
import { FITTED_RULES } from '../../src/prompt/fitted.ts';
import { writePrompt } from '../../src/prompt/write-prompt.ts';
import { selectCleanRecords, readRecords } from '../accuracy/records.ts';
import { hasNoKnownError } from '../accuracy/report-rows.ts';
import { markStream, normalize, type Vocabulary } from './marked-stream.ts';
import type { CountEvidence } from './propose-corrections.ts';

const SETS = ['calibration.jsonl.gz', 'calibration-2.jsonl.gz'];
/** Maximum excess in tokens. A larger one has other reasons than a missing piece. */
const MAX_EXCESS = 8;

/**
 * Returns requests of one vocabulary that are counted correctly or slightly too high, and whose parts are all exact by
 * rule. Thinking is excluded, because its section had one token less in an earlier version.
 */
export function createRequestEvidence(folder: string, vocabulary: Vocabulary): CountEvidence[] {
  const records = SETS.flatMap((set) => selectCleanRecords(readRecords(join(folder, set))));
  return records.flatMap((clean): CountEvidence[] => {
    const { record, request } = clean;
    const isV3 = resolveModel(request.model)?.text === 'v3';
    if (isV3 !== (vocabulary === 'v3') || !hasNoKnownError(clean) || request.thinking?.type === 'enabled') return [];
    const excess = countInputTokens(request) - record.true_input_tokens;
    const { prompt } = writePrompt(request, FITTED_RULES);
    if (excess < 0 || excess > MAX_EXCESS || prompt.uncertainTokensByKind.size > 0) return [];
    const text = prompt.segments.map((segment) => segment.join('')).join('\n\n');
    return [
      { id: `request ${record.id}`, stream: markStream(normalize(text, vocabulary), vocabulary).slice(), excess },
    ];
  });
}

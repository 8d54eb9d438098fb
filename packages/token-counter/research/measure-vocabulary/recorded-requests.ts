/** Recorded requests as witnesses: the text of a whole prompt, and by how much our count is above the recorded one. */
import { join } from 'node:path';
import { countInputTokens, resolveModel } from '../../src/index.ts';
import { FITTED_RULES } from '../../src/prompt/fitted.ts';
import { writePrompt } from '../../src/prompt/write-prompt.ts';
import { cleanRecords, readRecords } from '../accuracy/records.ts';
import { isSound } from '../accuracy/report-rows.ts';
import { mark, normalise, type Vocabulary } from './marked-stream.ts';
import type { Witness } from './propose-corrections.ts';

const SETS = ['calibration.jsonl.gz', 'calibration-2.jsonl.gz'];
/** A request that is further off lacks more than a piece. */
const MOST = 8;

/**
 * Requests of one vocabulary that are counted right or a few tokens too high, and whose parts are all exact by rule.
 * Thinking is left out: its section was a token shorter at an earlier time.
 */
export function requestWitnesses(folder: string, vocabulary: Vocabulary): Witness[] {
  const records = SETS.flatMap((set) => cleanRecords(readRecords(join(folder, set))));
  return records.flatMap((clean): Witness[] => {
    const { record, request } = clean;
    const isOlder = resolveModel(request.model)?.text === 'v3';
    if (isOlder !== (vocabulary === 'v3') || !isSound(clean) || request.thinking?.type === 'enabled') return [];
    const excess = countInputTokens(request) - record.true_input_tokens;
    const { prompt } = writePrompt(request, FITTED_RULES);
    if (excess < 0 || excess > MOST || prompt.uncertain.size > 0) return [];
    const text = prompt.runs.map((run) => run.join('')).join('\n\n');
    return [{ id: `request ${record.id}`, stream: mark(normalise(text, vocabulary), vocabulary).slice(), excess }];
  });
}

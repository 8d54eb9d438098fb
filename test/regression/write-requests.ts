import { MODEL_ROWS } from '../../packages/token-counter/src/models/models-data.ts';
import { forModels, inTurn, type Named } from './requests/body.ts';
import { contextEdits } from './requests/context-edits.ts';
import { conversations, mixedConversations } from './requests/conversations.ts';
import { media } from './requests/media.ts';
import { everyModel } from './requests/models.ts';
import { serverTools } from './requests/server-tools.ts';
import { settings } from './requests/settings.ts';
import { texts } from './requests/texts.ts';
import { tools } from './requests/tools.ts';

/** Every request of the regression records, complete with its model: the same ones each time. */
export function writeRequests(): Named[] {
  const shapes = [
    ...conversations,
    ...mixedConversations(24),
    ...tools,
    ...media,
    ...serverTools,
    ...settings,
    ...contextEdits,
  ];
  const next = modelsByGeneration();
  return [...texts(), ...shapes.flatMap((shape) => forModels(shape, [next(), next()])), ...everyModel];
}

/** A model of each generation after the other, another one each time: the rules of a request differ by generation. */
function modelsByGeneration(): () => string {
  const generations = [...new Set(MODEL_ROWS.map(({ generation }) => generation))];
  const nextOf = generations.map((of) => inTurn(MODEL_ROWS.filter((row) => row.generation === of).map(({ id }) => id)));
  const nextGeneration = inTurn(nextOf);
  return () => nextGeneration()();
}

import { MODEL_ROWS } from '../../packages/token-counter/src/models/models-data.ts';
import { forModels, createRotation, type NamedRequest } from './requests/body.ts';
import { contextEdits } from './requests/context-edits.ts';
import { conversations, createMixedConversations, systemMessages } from './requests/conversations.ts';
import { media } from './requests/media.ts';
import { everyModel } from './requests/models.ts';
import { serverTools } from './requests/server-tools.ts';
import { settings } from './requests/settings.ts';
import { createTextRequests } from './requests/texts.ts';
import { tools } from './requests/tools.ts';

/** Returns every request of the regression records with its model. The result is deterministic. */
export function writeRequests(): NamedRequest[] {
  const shapes = [
    ...conversations,
    ...createMixedConversations(24),
    ...tools,
    ...media,
    ...serverTools,
    ...settings,
    ...contextEdits,
  ];
  const next = createModelRotation();
  return [
    ...createTextRequests(),
    ...shapes.flatMap((shape) => forModels(shape, [next(), next()])),
    ...systemMessages.flatMap((shape) => forModels(shape, ['claude-opus-4-8', 'claude-sonnet-5'])),
    ...everyModel,
  ];
}

/**
 * Returns a function that cycles through the generations and through the models of each. The rules of a request differ
 * by generation.
 */
function createModelRotation(): () => string {
  const generations = [...new Set(MODEL_ROWS.map(({ generation }) => generation))];
  const nextModelByGeneration = generations.map((of) =>
    createRotation(MODEL_ROWS.filter((row) => row.generation === of).map(({ id }) => id)),
  );
  const nextGeneration = createRotation(nextModelByGeneration);
  return () => nextGeneration()();
}

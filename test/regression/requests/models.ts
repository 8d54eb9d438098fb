import { MODEL_ROWS } from '../../../packages/token-counter/src/models/models-data.ts';
import { createPng } from '../../support/image-bytes.ts';
import {
  createAssistantMessage,
  forModels,
  type NamedRequest,
  toNamedRequest,
  createText,
  createUserMessage,
} from './body.ts';

const source = { type: 'base64', media_type: 'image/png', data: Buffer.from(createPng(1600, 900)).toString('base64') };
const tide = {
  name: 'tide',
  description: 'Height in metres.',
  input_schema: { type: 'object', properties: { at: { type: 'string' } } },
};

/** A request with all features, in which models differ. */
const everything = toNamedRequest(
  'something of everything',
  [
    createUserMessage([{ type: 'image', source }, createText('How high was the tide here?')]),
    createAssistantMessage([
      createText('Let me look.'),
      { type: 'tool_use', id: 'call_1', name: 'tide', input: { at: 'noon' } },
    ]),
    createUserMessage([{ type: 'tool_result', tool_use_id: 'call_1', content: '2.4 m' }, createText('And in feet?')]),
  ],
  { system: 'You are the keeper of a harbour.', tools: [tide], tool_choice: { type: 'any' } },
);

/** One request for every model, by each of its names. */
export const everyModel: readonly NamedRequest[] = forModels(
  everything,
  MODEL_ROWS.flatMap(({ id, aliases }) => [id, ...aliases]),
);

import type { Check } from './problem.ts';
import {
  anything,
  boolean,
  fields,
  integer,
  list,
  nonEmptyString,
  nullable,
  number,
  oneOf,
  string,
  tagged,
} from './shapes.ts';

/** The tag has been looked at already by whoever chose the shape. */
export const tag: Check = anything;

export const cacheControl = nullable(
  tagged({ ephemeral: fields({ required: { type: tag }, optional: { ttl: oneOf('5m', '1h') } }) }),
);

/** Whether a document or search result may be cited. */
export const citationSwitch = fields({ optional: { enabled: boolean } });

const title = nullable(string);
const inDocument = { type: tag, cited_text: string, document_index: number };

/** Citations that a text block carries. */
const citations = list(
  tagged({
    char_location: fields({
      required: { ...inDocument, start_char_index: number, end_char_index: number },
      optional: { document_title: title, file_id: title },
    }),
    page_location: fields({
      required: { ...inDocument, start_page_number: number, end_page_number: number },
      optional: { document_title: title, file_id: title },
    }),
    content_block_location: fields({
      required: { ...inDocument, start_block_index: number, end_block_index: number },
      optional: { document_title: title, file_id: title },
    }),
    web_search_result_location: fields({
      required: { type: tag, cited_text: string, encrypted_index: string, url: string },
      optional: { title },
    }),
    search_result_location: fields({
      required: {
        type: tag,
        cited_text: string,
        search_result_index: integer(),
        source: string,
        start_block_index: integer(),
        end_block_index: integer(),
      },
      optional: { title },
    }),
  }),
);

export const textBlock = fields({
  required: { type: tag, text: string },
  optional: { cache_control: cacheControl, citations: nullable(citations) },
});

const url = fields({ required: { type: tag, url: nonEmptyString } });

export const imageBlock = fields({
  required: {
    type: tag,
    source: tagged({
      base64: fields({
        required: { type: tag, data: string, media_type: oneOf('image/jpeg', 'image/png', 'image/gif', 'image/webp') },
      }),
      url,
    }),
  },
  optional: { cache_control: cacheControl },
});

export const documentSource = tagged({
  base64: fields({ required: { type: tag, data: string, media_type: oneOf('application/pdf') } }),
  text: fields({ required: { type: tag, data: string, media_type: oneOf('text/plain') } }),
  content: fields({
    required: { type: tag, content: (value) => (typeof value === 'string' ? undefined : textsAndImages(value)) },
  }),
  url,
});

const textsAndImages = list(tagged({ text: textBlock, image: imageBlock }));

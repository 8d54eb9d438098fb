import { z } from 'zod';
import { newId } from '../store.ts';
import { handler, type Handlers, metadata, integer } from './call.ts';

const newPrice = {
  unit_amount: integer.positive(),
  currency: z.string().regex(/^[a-z]{3}$/),
  recurring: z.strictObject({ interval: z.enum(['month', 'year']) }),
  product_data: z.strictObject({ name: z.string() }),
  metadata,
};

export const prices: Handlers = {
  'POST /prices': handler(newPrice, (store, { params }) =>
    store.put({
      id: newId('price'),
      object: 'price',
      active: true,
      created: store.now(),
      type: 'recurring',
      product: newId('prod'),
      nickname: params.product_data.name,
      unit_amount: params.unit_amount,
      currency: params.currency,
      recurring: params.recurring,
      metadata: params.metadata ?? {},
    }),
  ),
};

import { newId } from '../store.ts';
import { handler, type Handlers, metadata } from './call.ts';

export const customers: Handlers = {
  'POST /customers': handler({ metadata }, (store, { params }) =>
    store.put({
      id: newId('cus'),
      object: 'customer',
      created: store.now(),
      metadata: params.metadata ?? {},
    }),
  ),
};

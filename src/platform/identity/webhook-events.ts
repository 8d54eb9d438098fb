import { z } from 'zod';
import { STORABLE_TEXT } from '../database/contract.ts';
import { epochMs } from './provider-shapes.ts';

const providerId = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/);

/** A user as the provider's events contain it. Other fields are passed through unvalidated. */
const person = z.looseObject({
  id: providerId,
  email_addresses: z
    .array(z.looseObject({ id: z.string().nullish(), email_address: z.string().regex(STORABLE_TEXT) }))
    .default([]),
  primary_email_address_id: z.string().nullish(),
  unsafe_metadata: z.record(z.string(), z.unknown()).nullish(),
  created_at: epochMs,
  updated_at: epochMs,
});

const session = z.looseObject({ id: providerId, user_id: providerId, status: z.string(), created_at: epochMs });

const eventAttributes = z
  .looseObject({
    http_request: z.looseObject({ client_ip: z.string().nullish(), user_agent: z.string().nullish() }).nullish(),
  })
  .nullish();

const envelope = {
  object: z.literal('event'),
  timestamp: z.number().nullish(),
  instance_id: z.string().nullish(),
  event_attributes: eventAttributes,
};

const userTypes = ['user.created', 'user.updated'] as const;
const sessionTypes = ['session.created', 'session.ended', 'session.removed', 'session.revoked'] as const;
const handledTypes: ReadonlySet<string> = new Set([...userTypes, 'user.deleted', ...sessionTypes]);

const otherType = z
  .string()
  .regex(/^[\w.-]{1,128}$/)
  .refine((type) => !handledTypes.has(type));

const createEventSchema = <K extends string, T extends z.ZodRawShape>(kind: K, shape: T) => {
  const schema = z.looseObject({ ...envelope, ...shape });
  return schema.transform((event: z.output<typeof schema>) => ({ ...event, kind }));
};

/** The provider's events, where `kind` identifies the shape. Unused types are `other`. */
export const webhookEvent = z.union([
  createEventSchema('user', { type: z.enum(userTypes), data: person }),
  createEventSchema('deletion', { type: z.literal('user.deleted'), data: z.looseObject({ id: providerId }) }),
  createEventSchema('session', { type: z.enum(sessionTypes), data: session }),
  createEventSchema('other', { type: otherType }),
]);

export type WebhookEvent = z.infer<typeof webhookEvent>;

/** A new user, as passed to other features (referrals). `unsafeMetadata` is set by the user and not verified. */
export interface UserCreated {
  idpId: string;
  email: string | null;
  createdAt: Date;
  unsafeMetadata: Record<string, unknown>;
  clientIp: string | null;
  userAgent: string | null;
}

/** A session that started or ended. */
export interface SessionEvent {
  type: (typeof sessionTypes)[number];
  sessionId: string;
  idpId: string;
  createdAt: Date;
}

/** Returns the user's primary address. Returns the first one if none is marked. */
export function findPrimaryEmail(data: z.infer<typeof person>): string | null {
  const primary =
    data.email_addresses.find(({ id }) => id && id === data.primary_email_address_id) ?? data.email_addresses[0];
  return primary?.email_address ?? null;
}

import * as z from 'zod/mini';
import { channels, smsStatuses } from './messages.ts';
import { ValidationMessages } from './problem.ts';

/** `HH:mm`, in the account's time zone. */
export const ClockTime = z
  .string()
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'preferences.hours.invalid'));

/** The signed-in voter with contact preferences (product spec §3, User). Phones are E.164. */
export const VoterInformation = z.object({
  voter_id: z.int(),
  registration_id: z.string(),
  provided_voter_id: z.string(),
  firstname: z.string(),
  middlename: z.string(),
  lastname: z.string(),
  suffix: z.string(),
  birthdate: z.nullable(z.string()),
  birthyear: z.nullable(z.int()),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  zipcode: z.string(),
  county: z.string(),
  precinct: z.string(),
  phone: z.string(),
  is_active: z.boolean(),
  created_timestamp: z.string(),
  email: z.string(),
  phone_sms: z.string(),
  phone_voice: z.string(),
  pending_voice: z.string(),
  email_opt_in: z.boolean(),
  sms_opt_in: z.boolean(),
  voice_opt_in: z.boolean(),
  email_do_not_contact_before: z.nullable(ClockTime),
  email_do_not_contact_after: z.nullable(ClockTime),
  sms_do_not_contact_before: z.nullable(ClockTime),
  sms_do_not_contact_after: z.nullable(ClockTime),
  voice_do_not_contact_before: z.nullable(ClockTime),
  voice_do_not_contact_after: z.nullable(ClockTime),
  language_preference: z.string(),
  is_confirmed: z.boolean(),
  /** null: not yet validated. */
  is_valid_email: z.nullable(z.boolean()),
  sms_status: z.enum(smsStatuses),
  /** Milliseconds without activity after which the session ends. */
  idle_timer: z.int(),
  /** After a save: what asks the voter to confirm an address, and waits for the hours in which messages may come. */
  requests: z.optional(z.array(z.object({ channel: z.enum(channels), deliver_after: z.string() }))),
  /** The addresses are masked until the session proves to be the voter's; where a code can go to for that. */
  hidden_contacts: z.optional(z.object({ code_channels: z.array(z.enum(channels)) })),
  /** The record is protected by law: no address is shown, and no messages are sent. */
  is_confidential: z.optional(z.literal(true)),
  /** Kept by the browser after a refused save; never part of a read. */
  validation_messages: z.optional(ValidationMessages),
});
export type VoterInformation = z.infer<typeof VoterInformation>;

export const VoterInformationAnswer = z.object({
  _embedded: z.object({ voter_information: z.array(VoterInformation) }),
});
export type VoterInformationAnswer = z.infer<typeof VoterInformationAnswer>;

const phone = z.nullable(z.string().check(z.maxLength(40)));

/** PATCH /api/voter/information/me: only what changed; an unknown field is refused. */
export const PreferencesPatch = z.strictObject({
  email: z.optional(z.nullable(z.string().check(z.maxLength(254)))),
  phone_sms: z.optional(phone),
  phone_voice: z.optional(phone),
  email_opt_in: z.optional(z.boolean()),
  sms_opt_in: z.optional(z.boolean()),
  voice_opt_in: z.optional(z.boolean()),
  email_do_not_contact_before: z.optional(z.nullable(ClockTime)),
  email_do_not_contact_after: z.optional(z.nullable(ClockTime)),
  sms_do_not_contact_before: z.optional(z.nullable(ClockTime)),
  sms_do_not_contact_after: z.optional(z.nullable(ClockTime)),
  voice_do_not_contact_before: z.optional(z.nullable(ClockTime)),
  voice_do_not_contact_after: z.optional(z.nullable(ClockTime)),
  language_preference: z.optional(z.string().check(z.maxLength(20))),
  /** The code of a confirmation mail's link, sent by the page it opened. */
  code: z.optional(z.string().check(z.maxLength(200))),
});
export type PreferencesPatch = z.infer<typeof PreferencesPatch>;

/** Asks for a code at one of the voter's addresses. */
export const ContactCodeRequest = z.strictObject({ channel: z.enum(channels) });

/** The code that came there. */
export const ContactProof = z.strictObject({
  code: z.string().check(z.minLength(1), z.maxLength(20)),
});

/** The channels an account offers; none means there is no preferences page (product spec §2, Routing). */
export const DeliveryTypeAnswer = z.object({
  _embedded: z.object({
    delivery_type: z.array(z.object({ delivery_type: z.enum(channels) })),
  }),
});
export type DeliveryTypeAnswer = z.infer<typeof DeliveryTypeAnswer>;

/** From a mailed link: the address and the HMAC that proves the link is ours. */
export const UnsubscribeRequest = z.strictObject({
  key: z.string().check(z.minLength(1), z.maxLength(200)),
  email: z.string().check(z.minLength(1), z.maxLength(254)),
});
export type UnsubscribeRequest = z.infer<typeof UnsubscribeRequest>;

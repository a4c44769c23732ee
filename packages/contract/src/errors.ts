import { z } from 'zod'

/**
 * Every refusal the server can give, by its stable name, with the HTTP status it travels under. The sentences, in both
 * languages, stand in the server; this list is closed.
 */
export const REFUSALS = {
  input_invalid: 400,
  amount_invalid: 400,
  page_invalid: 400,
  page_size_invalid: 400,
  json_invalid: 400,
  username_invalid: 400,
  email_invalid: 400,
  phone_invalid: 400,
  name_invalid: 400,
  password_too_short: 400,
  password_too_long: 400,
  passwords_differ: 400,
  captcha_required: 400,
  captcha_invalid: 422,
  field_required: 400,
  idempotency_key_invalid: 400,
  not_signed_in: 401,
  credentials_wrong: 401,
  refresh_invalid: 401,
  not_allowed: 403,
  not_found: 404,
  page_not_found: 404,
  invoice_not_found: 404,
  username_taken: 409,
  email_taken: 409,
  idempotency_key_reused: 409,
  body_too_large: 413,
  media_type_unsupported: 415,
  ref_code_unknown: 422,
  first_investment_too_small: 422,
  top_up_too_small: 422,
  amount_too_large: 422,
  balance_too_small: 422,
  too_many_open_invoices: 422,
  payment_not_seen: 422,
  payment_confirming: 422,
  payment_short: 422,
  payment_late: 422,
  invoice_expired: 422,
  demo_only: 403,
  demo_busy: 409,
  pool_unknown: 404,
  company_funds_too_small: 422,
  too_many_requests: 429,
  unexpected: 500,
  unavailable: 503,
} as const satisfies Record<string, number>

export type RefusalCode = keyof typeof REFUSALS

/** RFC 9457, sent to clients that accept `application/problem+json`. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(Object.keys(REFUSALS) as [RefusalCode, ...RefusalCode[]]),
  errors: z.array(z.object({ path: z.string(), code: z.string(), detail: z.string() })).optional(),
})
export type Problem = z.infer<typeof problem>

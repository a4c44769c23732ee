/**
 * The least that an answer must have to be shown. What travels is checked in full where it is made; these keep a damaged
 * answer from being taken for figures.
 */
type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object with each of these fields. */
export const hasFields =
  (...names: string[]) =>
  (body: unknown): boolean =>
    isFields(body) && names.every((name) => body[name] !== undefined)

/** A page of a list. */
export const isPage = (body: unknown): boolean =>
  isFields(body) &&
  Number.isInteger(body['total_pages']) &&
  Array.isArray(body['results']) &&
  body['results'].every(isFields)

export const isText = (body: unknown): boolean => typeof body === 'string'

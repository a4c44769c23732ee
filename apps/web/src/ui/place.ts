/** What lists, filters and tabs show is kept in the address by nuqs, so that back, reload and a shared link work. */
import { createParser } from 'nuqs'

/** A page of a list: a whole number from 1; anything else is page 1. */
export const parseAsPage = createParser({
  parse: (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null),
  serialize: String,
}).withDefault(1)

/** A text of a fixed form; anything else counts as absent. */
export const parseAsMatch = (form: RegExp) =>
  createParser({ parse: (text) => (form.test(text) ? text : null), serialize: String })

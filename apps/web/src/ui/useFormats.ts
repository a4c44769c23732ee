import { language } from '../api/language.ts'
import { type Formats, formatsFor } from './format.ts'

const formats = formatsFor(language)

/** Formats of the interface's language, which lasts as long as the page. */
export function useFormats(): Formats {
  return formats
}

/** HTML templates that always escape: a value is text unless it is Html itself. */

/** A piece of finished HTML. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | readonly Html[] | null

/** Template tag: escapes every value that is not {@link Html}; null is nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  let text = strings[0] ?? ''
  parts.forEach((part, index) => {
    text += render(part) + (strings[index + 1] ?? '')
  })
  return new Html(text)
}

function render(part: Part): string {
  if (part === null) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map((each) => each.text).join('')
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

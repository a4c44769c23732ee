/** The colours of what is painted, as the style sheet has them for the theme. */
export interface Palette {
  readonly line: string
  readonly marked: string
  readonly card: string
  readonly edge: string
  readonly master: string
  readonly quiet: string
  readonly text: string
  readonly vacant: string
  readonly dust: string
}

export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(`--tree-${name}`).trim()
  return {
    line: colour('line'),
    marked: colour('marked'),
    card: colour('card'),
    edge: colour('edge'),
    master: colour('master'),
    quiet: colour('quiet'),
    text: colour('text'),
    vacant: colour('vacant'),
    dust: colour('dust'),
  }
}

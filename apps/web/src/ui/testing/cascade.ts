/**
 * As much of CSS as the sheets of tokens use: which custom properties a page with certain attributes has, and which
 * colour comes of them. A browser would know, but not within a unit test, for every combination.
 */
export interface Color {
  rgb: [number, number, number]
  alpha: number
}

interface Rule {
  needs: [name: string, value: string | null][]
  weight: number
  values: [name: string, value: string][]
}

const RULE = /((?::root|\[[\w-]+(?:="[\w-]+")?\])+)\s*\{([^{}]*)\}/g
const ATTRIBUTE = /\[data-([\w-]+)(?:="([\w-]+)")?\]/g

/** @param sheets style sheets, in the order in which a page has them */
export function rulesOf(...sheets: string[]): Rule[] {
  // What stands under a condition is not part of the plain page.
  const plain = sheets
    .join('\n')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '')
    .replaceAll("'", '"')
  return [...plain.matchAll(RULE)].map(([, selector = '', body = '']) => {
    const needs = [...selector.matchAll(ATTRIBUTE)].map((found): [string, string | null] => [
      found[1] ?? '',
      found[2] ?? null,
    ])
    const values = [...body.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map((found): [string, string] => [
      found[1] ?? '',
      found[2] ?? '',
    ])
    return { needs, weight: needs.length + (selector.includes(':root') ? 1 : 0), values }
  })
}

/** @returns the colour of a custom property, on a page with these attributes (without `data-`) */
export function pageColors(
  rules: readonly Rule[],
  attributes: Record<string, string>,
): (name: string) => Color {
  const values = new Map<string, string>()
  const matching = rules.filter(({ needs }) =>
    needs.every(([name, value]) =>
      value === null ? attributes[name] !== undefined : attributes[name] === value,
    ),
  )
  for (const rule of matching.toSorted((one, other) => one.weight - other.weight))
    for (const [name, value] of rule.values) values.set(name, value)
  const written = (text: string): string =>
    text.replaceAll(/var\((--[\w-]+)\)/g, (_, name: string) => {
      const value = values.get(name)
      if (value === undefined) throw new Error(`${name} is nowhere`)
      return written(value)
    })
  return (name) => colorOf(written(`var(${name})`))
}

function colorOf(text: string): Color {
  const value = text.trim()
  if (value === 'transparent') return { rgb: [0, 0, 0], alpha: 0 }
  if (value.startsWith('#')) {
    const full = value.length === 4 ? value.replaceAll(/[^#]/g, '$&$&') : value
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(full.slice(at, at + 2), 16))
    return { rgb: [red, green, blue], alpha: 1 }
  }
  const rgba = /^rgba\((\d+), (\d+), (\d+), ([\d.]+)\)$/.exec(value)
  if (rgba) return { rgb: [Number(rgba[1]), Number(rgba[2]), Number(rgba[3])], alpha: Number(rgba[4]) }
  const mix = /^color-mix\(in srgb, (.+) (\d+)%, (.+)\)$/.exec(value)
  if (mix) return mixed(colorOf(mix[1] ?? ''), colorOf(mix[3] ?? ''), Number(mix[2]) / 100)
  throw new Error(`no colour: ${value}`)
}

function mixed(one: Color, other: Color, share: number): Color {
  const [first, second] = [one.alpha * share, other.alpha * (1 - share)]
  const alpha = first + second
  const part = (at: 0 | 1 | 2) => (alpha === 0 ? 0 : (one.rgb[at] * first + other.rgb[at] * second) / alpha)
  return { rgb: [part(0), part(1), part(2)], alpha }
}

/** What is seen of a colour that lies on an opaque one. */
export function over(top: Color, ground: Color): Color {
  const part = (at: 0 | 1 | 2) => top.rgb[at] * top.alpha + ground.rgb[at] * (1 - top.alpha)
  return { rgb: [part(0), part(1), part(2)], alpha: 1 }
}

function luminance({ rgb }: Color): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const scaled = part / 255
    return scaled <= 0.03928 ? scaled / 12.92 : ((scaled + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG's contrast of a text on an opaque ground. */
export function contrast(text: Color, ground: Color): number {
  const [dark = 0, light = 0] = [luminance(over(text, ground)), luminance(ground)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

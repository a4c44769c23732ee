/** Which changes let through what was held before. Details are texts, as the audit trail has them. */
type Details = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The guards of a plan whose values differ, as `runMost: 1000 → 2000`. */
export function changedGuards(before: Details | null, after: Details | null): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names].flatMap((name) => {
    const [old, next] = [textOf(before?.[name]), textOf(after?.[name])]
    return old === next ? [] : [`${name}: ${old || '–'} → ${next || '–'}`]
  })
}

/** Whole numbers as texts that sort as they do; what is none makes no fault. */
const inOrder = (hours: string): string => hours.padStart(9, '0')

export type Lowered =
  | { readonly guard: 'captcha' }
  | { readonly guard: 'cooling'; readonly before: string; readonly after: string }

/** What the settings of a start hold less than those of the start before. */
export function loweredSettings(before: Details | null, after: Details): Lowered[] {
  if (before === null) return []
  const [old, next] = [textOf(before['cooling_hours']), textOf(after['cooling_hours'])]
  return [
    ...(before['captcha'] === 'on' && after['captcha'] === 'off' ? [{ guard: 'captcha' } as const] : []),
    ...(inOrder(next) < inOrder(old) ? [{ guard: 'cooling', before: old, after: next } as const] : []),
  ]
}

/** Whether the signer reads another key file: approvers, keys or limits were changed by `npm run keys`. */
export const isOtherKeyFile = (before: Details | null, after: Details): boolean =>
  before !== null && (before['version'] !== after['version'] || before['policy'] !== after['policy'])
